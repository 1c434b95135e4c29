// Messages to a contract of the demo account as its provider would send them: to its address, signed with its secret.
import { createHmac } from 'node:crypto';
import { findProofs } from '../../src/payment/merchant/credentials/checks.ts';
import type { Tools } from '../../src/payment/tools.ts';

type Service = {
  readonly tools: Tools;
  readonly addresses: { readonly base_url: string };
  readonly demo?: { readonly merchant_account_id: string } | undefined;
};
type Sql = (text: string, values: readonly unknown[]) => Promise<readonly { readonly id: string }[]>;
type Here = { readonly service: Service; readonly sql: Sql };

const accountOf = ({ service }: Here): string => service.demo?.merchant_account_id ?? '';

/** The first contract of the demo account with this provider. */
export async function contractOf(w: Here, provider = 'simulator'): Promise<string> {
  const [row] = await w.sql(
    `SELECT encode(id, 'hex') AS id FROM payment.contracts
     WHERE provider = $1 AND merchant_account_id = decode($2, 'hex') ORDER BY priority LIMIT 1`,
    [provider, accountOf(w)],
  );
  if (!row) throw new Error(`there is no contract with ${provider}`);
  return row.id;
}

export async function secretOf(w: Here, provider = 'simulator', contract_id?: string): Promise<string> {
  const whose = { merchant_account_id: accountOf(w), contract_id: contract_id ?? (await contractOf(w, provider)) };
  const [secret = ''] = (await findProofs(w.service.tools, whose))['message_secret'] ?? [];
  return secret;
}

export const addressOf = async (w: Here, provider = 'simulator'): Promise<string> =>
  `${w.service.addresses.base_url}/provider/${provider}/${await contractOf(w, provider)}/events`;

export function signed(body: string | Uint8Array, secret: string, timestamp: string): Readonly<Record<string, string>> {
  const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  return {
    'content-type': 'application/json',
    'x-simulator-timestamp': timestamp,
    'x-simulator-signature': signature,
  };
}

/** Sends it as the provider does. */
export async function mail(w: Here, body: string, provider = 'simulator'): Promise<Response> {
  const timestamp = String(w.service.tools.clock.now().getTime());
  const headers = signed(body, await secretOf(w, provider), timestamp);
  return fetch(await addressOf(w, provider), { method: 'POST', body, headers });
}

/** The word of a payer's bank, as the 3-D Secure server sends it. */
export function bankWord({ service: { tools, addresses } }: Here, body: string): Promise<Response> {
  const headers = signed(body, tools.authenticator_secret ?? '', String(tools.clock.now().getTime()));
  return fetch(`${addresses.base_url}/authentication/simulator/events`, { method: 'POST', body, headers });
}
