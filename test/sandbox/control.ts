// How a test steers the simulated provider: over its own port, as the payment host does.
import { newId } from '../providers/wire.ts';

type Said = Readonly<Record<string, unknown>>;
export type Armed = { readonly id: string; readonly remaining: number; readonly fault: string };

export function controlOf(url: () => string) {
  const ask = async (method: string, path: string, body?: object): Promise<{ status: number; body: Said }> => {
    const given = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${url()}${path}`, { method, ...given });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };
  const good = async (method: string, path: string, body?: object): Promise<Said> => {
    const answer = await ask(method, path, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const control = {
    post: (path: string, body: object) => ask('POST', path, body),
    set: (change: object) => good('POST', '/control', change),
    /** Messages about payments of this account, or of those that name none, are signed with it. */
    subscribe: (secret: string, merchant_account_id = '') =>
      good('POST', '/subscriptions', {
        subscriptions: ['simulator', 'simulator_b'].map((provider) => ({
          provider,
          merchant_account_id,
          contract_id: newId(),
          secret,
        })),
      }),
    state: () => good('GET', '/control'),
    clock: () => good('GET', '/clock'),
    /** Moves the clock so many seconds ahead. */
    advance: async (seconds: number): Promise<Said> => {
      const { now } = await good('GET', '/clock');
      return good('POST', '/clock', { to: new Date(Date.parse(String(now)) + seconds * 1000).toISOString() });
    },
    reset: () => good('POST', '/reset'),
    scenarios: async (merchant_account_id: string): Promise<readonly Armed[]> => {
      const { scenarios } = await good('GET', `/scenarios?merchant_account_id=${merchant_account_id}`);
      return scenarios as readonly Armed[];
    },
  };
  return {
    control,
    arm: (scenario: object) => good('POST', '/scenarios', { id: newId(), ...scenario }),
    clear: () => good('POST', '/scenarios/clear'),
  };
}
