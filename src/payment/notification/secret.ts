// Secrets of endpoints as they are kept: sealed under the money zone's own key, and bound to their endpoint.
import { type Sealing, open, seal } from '../../kit/crypto.ts';
import { endpointSealing } from '../sealings.ts';
import type { Tools } from '../tools.ts';

type Whose = { readonly merchant_account_id: string; readonly endpoint_id: string };

export function sealSecret(tools: Tools, whose: Whose, secret: string): Buffer {
  return seal(Buffer.from(secret), tools.chance.bytes(12), sealingOf(tools, whose));
}

/** Opens what `sealSecret` made, given as hex. */
export function openSecret(tools: Tools, whose: Whose, sealed: string): string {
  return open(Buffer.from(sealed, 'hex'), sealingOf(tools, whose)).toString('utf8');
}

function sealingOf({ secret_key }: Tools, { merchant_account_id, endpoint_id }: Whose): Sealing {
  return endpointSealing(secret_key, merchant_account_id, endpoint_id);
}
