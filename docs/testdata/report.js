export function report(entry, error) {
  globalThis.reported.push([entry, error]);
}
