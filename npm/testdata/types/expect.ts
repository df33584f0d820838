// Helpers of the type tests. What must not compile has // @ts-expect-error before it, which is an error itself where
// the line does compile.

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles where A and B are the same type. */
export function same<A, B>(_: Same<A, B>): void {}
