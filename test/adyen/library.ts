// In place of the way to the network that Adyen's library has: its addresses are fixed, and lead to the simulator here.
import type { World } from './wire.ts';

export function forward({ simulator }: World) {
  return async (
    endpoint: string,
    json: string | Buffer,
    config: { readonly apiKey?: string },
    _: unknown,
    options?: { readonly idempotencyKey?: string },
  ) => {
    const url = endpoint.replace(/^https:\/\/[^/]+/, simulator.url);
    const headers: Record<string, string> = { 'x-api-key': config.apiKey ?? '' };
    if (options?.idempotencyKey !== undefined) headers['idempotency-key'] = options.idempotencyKey;
    const answer = await fetch(url, { method: 'POST', headers, body: json.toString() });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text;
  };
}
