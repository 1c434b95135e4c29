// An Idempotency-Key at the vault (contract 2.9): what it made is answered again for 72 hours. The token is kept sealed for
// that, and the request as a keyed hash without its cvc.
import { refuseField } from '../core/refusals.ts';
import { open, seal } from '../kit/crypto.ts';
import type { Answer } from '../kit/http/route.ts';
import { answerOf } from './answer.ts';
import type { VaultCaller } from './keys/callers.ts';
import { type UsedKeyRow, findUsedKey } from './store.ts';
import type { VaultTools } from './tools.ts';

export type Key = { readonly key: string; readonly fingerprint: Buffer };

/** What was made with the key before; another body under it is refused. */
export async function findEarlier(
  tools: VaultTools,
  { merchant_account_id }: VaultCaller,
  { key, fingerprint }: Key,
): Promise<UsedKeyRow | undefined> {
  const used = await findUsedKey(tools.db, merchant_account_id, key);
  if (used && used.fingerprint !== fingerprint.toString('hex'))
    throw refuseField('Idempotency-Key', 'idempotency_mismatch', 'was used with another body');
  return used;
}

type Again = { readonly earlier: UsedKeyRow; readonly key: string };

export async function answerEarlier(
  tools: VaultTools,
  { merchant_account_id }: VaultCaller,
  { earlier, key }: Again,
): Promise<Answer> {
  const card_key = await tools.keys.card(merchant_account_id);
  const token = open(Buffer.from(earlier.token_sealed, 'hex'), {
    key: card_key.key,
    aad: tokenAad(merchant_account_id, key),
  });
  return { body: answerOf(earlier, token), headers: { 'idempotent-replayed': 'true' } };
}

/** The token, to be answered again under this key. */
export async function sealToken(
  tools: VaultTools,
  { merchant_account_id }: VaultCaller,
  { key, token }: { readonly key: string; readonly token: Buffer },
): Promise<Buffer> {
  const card_key = await tools.keys.card(merchant_account_id);
  return seal(token, tools.chance.bytes(12), { key: card_key.key, aad: tokenAad(merchant_account_id, key) });
}

function tokenAad(merchant_account_id: string, key: string): string {
  return `token|${merchant_account_id}|${key}`;
}
