/**
 * Hooks for what pages do again and again: limit, redact, authorise, enrich, measure, keep a log. Each function returns hooks, for the
 * option `hooks` of a tool, of a scope or of `webmcp.configure`; `mergeHooks` puts several together. They work beside every
 * form of the library and need none of it. What is wrong with what they are given is a `TypeError`.
 *
 * @packageDocumentation
 */

import type {
  AfterHook, AuditEntry, BeforeContext, BeforeHook, DeniedHook, ErrorHook, Hooks, ToolFunction, WebMCPTool,
} from './webmcp.js';

/** Hooks that run before the function. */
export interface BeforeHooks<F extends ToolFunction = ToolFunction> extends Hooks<F> {
  before: BeforeHook<F>[];
}

/** Hooks that run behind the function. */
export interface AfterHooks<F extends ToolFunction = ToolFunction> extends Hooks<F> {
  after: AfterHook<F>[];
}

/** Hooks that run in every phase. */
export interface AllHooks extends Hooks {
  before: BeforeHook[];
  after: AfterHook[];
  error: ErrorHook[];
  denied: DeniedHook[];
}

/** Hooks that are a time-out alone. */
export interface TimeoutHooks extends Hooks {
  timeout: number;
}

/** How many calls there may be in any second, minute or hour. The number has up to five digits. */
export type Rate = `${number}/${'s' | 'min' | 'h'}`;

/** A time. The number is whole and has up to six digits. */
export type Duration = `${number}${'ms' | 's' | 'min' | 'h'}`;

/** What {@link rateLimit} takes. */
export interface RateLimitOptions {
  /** Whether each tool is counted alone, as it is unless said otherwise, or all together that have these hooks. */
  readonly of?: 'tool' | 'all' | undefined;
}

/**
 * Lets so many calls through in any second, minute or hour, wherever that begins. A call over it is denied with the code
 * `RATE_LIMITED`, and the text says when one may come. A call that is refused does not count; one that passes these hooks
 * twice, since they are on a scope and on the tool, counts once.
 */
export declare function rateLimit(rate: Rate, options?: RateLimitOptions | null): BeforeHooks;

/**
 * Ends calls that take longer, in milliseconds or as a text such as `'20s'`, with the code `TIMEOUT`. Of several time-outs
 * the shortest holds.
 */
export declare function timeout(limit: number | Duration): TimeoutHooks;

/** What stands in place of a value: nothing, stars, `a***@example.com`, `***1234`, or a text that is the same for the same value. */
export type Mask = 'remove' | 'full' | 'email' | 'last4' | 'hash';

/**
 * Masks what agents are not to read of an output. The names are JSON Pointers, in which `*` is every member or item, as in
 * `/cards/*`; a pointer that leads nowhere is nothing. Output, `structuredContent` and text that is JSON are masked alike.
 * An output that cannot be read as JSON fails the call. The hooks that follow get a copy; what the function has returned is
 * not changed.
 */
export declare function redact(rules: { readonly [pointer: `/${string}`]: Mask }): AfterHooks;

/** What a {@link require} says to the agent. */
export interface RequireOptions {
  /** The code of the denial; `FORBIDDEN` unless said otherwise. */
  readonly code?: string | undefined;
  /** Tells the agent why, and what to do instead. */
  readonly message?: string | undefined;
}

/** What {@link require} takes beside what it wants of the user. */
export interface RequireContextOptions extends RequireOptions {
  /** What is known of the user: an object, or a function that returns one, or a promise of one. Nothing known denies. */
  readonly context: object | ((call: BeforeContext) => unknown);
}

/** What {@link require} wants of a context: a value, or one of several. Where the context has an array, that must have one. */
export type Wanted = string | number | boolean | readonly (string | number | boolean)[];

/**
 * Denies calls unless a function returns `true`, or a promise of that. Anything else denies, and so does a throw, which is
 * logged.
 */
export declare function require<F extends ToolFunction = ToolFunction>(
  allowed: (call: BeforeContext<F>) => unknown,
  options?: RequireOptions | null,
): BeforeHooks<F>;
/** Denies calls unless the context has all members that are named, as in `{role: 'admin'}`. */
export declare function require(
  allowed: { readonly [member: string]: Wanted },
  options: RequireContextOptions,
): BeforeHooks;

/** What {@link enrich} adds. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * Adds members to the input, in place of what the agent has sent under their names: an object, or a function that returns
 * one, or a promise of one, or nothing. Plain objects and arrays in it are copied for each call. The call fails where the
 * input is no plain object.
 */
export declare function enrich<F extends ToolFunction = ToolFunction>(
  values: Members | ((call: BeforeContext<F>) => object | null | undefined | void | PromiseLike<object | null | undefined | void>),
): BeforeHooks<F>;

/** How long a call took. */
export interface Measurement {
  readonly tool: WebMCPTool;
  readonly invocationId: string;
  /** Where the call was measured. What fails behind the `after` hook is not told again. */
  readonly phase: 'after' | 'error' | 'denied';
  /** Milliseconds since its before hook; 0 where the call ended before it got there. */
  readonly ms: number;
  /** The code, of a call that was denied. */
  readonly code: string | undefined;
}

/**
 * Calls back with how long each call took, once for each. Nobody waits for the callback; what it throws or rejects with is
 * logged and changes nothing.
 */
export declare function timing(callback: (measured: Measurement) => unknown): AllHooks;

/** What {@link audit} takes. */
export interface AuditOptions {
  /** What is masked, of what was sent as of what was answered, as {@link redact} has it. */
  readonly redact?: { readonly [pointer: `/${string}`]: Mask } | undefined;
  /** How many characters of an input and of an output are kept; 2000. 0: none. */
  readonly text?: number | undefined;
}

/** An entry of `webmcp.audit`. No hook knows of the rules of a policy; `executed` is not known of a call that has failed. */
export type AuditedCall = Omit<AuditEntry, 'rules' | 'reports' | 'changed' | 'executed'> & { readonly executed?: boolean };

/**
 * Calls back with an entry for each call once it has ended, frozen, in the form of `webmcp.audit`, which needs a policy. The
 * input is that of its `before` hook, the output that of its `after` hook: let it be the first that is configured. Nobody waits for the
 * callback; what it throws or rejects with is logged and changes nothing. What fails behind the `after` hook is not told again.
 * Of a call that has failed `error` is what was thrown, for error tracking: nothing in it is masked.
 */
export declare function audit(callback: (entry: AuditedCall, error: unknown) => unknown, options?: AuditOptions | null): AllHooks;
