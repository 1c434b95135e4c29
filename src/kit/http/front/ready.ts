// The answer of /ready.
type Parts = Readonly<Record<string, boolean | string>>;

/** Away: a host that this one can do much without. */
const READY = new Set<boolean | string>([true, 'ok', 'away']);

/** The state of a host that is stopping and still answers. */
export const STOPPING: Parts = { process: 'stopping' };

/** Every part must be ready; notes make it no less so. */
export function readyAnswer(parts: Parts, notes?: Parts): { readonly status: number; readonly body: Parts } {
  const ready = Object.values(parts).every((part) => READY.has(part));
  return { status: ready ? 200 : 503, body: { status: ready ? 'ready' : 'not ready', ...parts, ...notes } };
}
