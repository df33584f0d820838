export function report(outcome, facts) {
  globalThis.reported.push([outcome, facts]);
}
