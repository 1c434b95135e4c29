// Secrets of endpoints as they are kept: sealed under the money zone's own key, and bound to their endpoint.
import { open, seal } from '../../kit/crypto.ts';
import type { Tools } from '../tools.ts';

type Whose = { readonly merchant_account_id: string; readonly endpoint_id: string };

export function sealSecret(tools: Tools, whose: Whose, secret: string): Buffer {
  return seal(Buffer.from(secret), tools.chance.bytes(12), { key: tools.secret_key, aad: aadOf(whose) });
}

/** Opens what `sealSecret` made, given as hex. */
export function openSecret(tools: Tools, whose: Whose, sealed: string): string {
  return open(Buffer.from(sealed, 'hex'), { key: tools.secret_key, aad: aadOf(whose) }).toString('utf8');
}

function aadOf({ merchant_account_id, endpoint_id }: Whose): string {
  return `notification secret|${merchant_account_id}|${endpoint_id}`;
}
