// An object of texts under a seal.
import { type Sealing, open } from '../../../kit/crypto.ts';

/** Without members where nothing was sealed. */
export function openTexts(sealed: string | null, sealing: Sealing): Readonly<Record<string, unknown>> {
  if (sealed === null) return {};
  const plain = open(Buffer.from(sealed, 'hex'), sealing);
  const said: unknown = JSON.parse(plain.toString('utf8'));
  plain.fill(0);
  return typeof said === 'object' && said !== null ? { ...said } : {};
}
