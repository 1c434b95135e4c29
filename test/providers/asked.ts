// The control of a simulated provider that runs in the test's own process.

/** The moment at which it stands: 2026-03-01T12:00:00Z. */
export const NOON_MS = 1_772_366_400_000;

/** `POST faults` with what is said. */
export type Ask = (verb: string, said?: object) => Promise<Record<string, unknown>>;

export const asking =
  (control_url: string): Ask =>
  async (verb, said = {}) => {
    const [method = '', path = ''] = verb.split(' ');
    const body = method === 'GET' ? null : JSON.stringify(said);
    const response = await fetch(`${control_url}/control/${path}`, { method, body });
    const told = (await response.json()) as Record<string, unknown>;
    if (response.status !== 200) throw new Error(`${verb}: ${String(told['message'])}`);
    return told;
  };
