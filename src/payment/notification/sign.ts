// Both signatures of a notification (contract 13.1): the one that existing receivers check, and that of Standard
// Webhooks.
import { hmac } from '../../kit/crypto.ts';

export type Signed = {
  /** The notification's id: the same for every try. */
  readonly id: string;
  /** Unix seconds of this try, as text. */
  readonly timestamp: string;
  readonly body: string;
};

const PREFIX = 'whsec_';

/** A new secret: the prefix, and 32 random bytes as base64. */
export function makeSecret(random: Uint8Array): string {
  return PREFIX + Buffer.from(random).toString('base64');
}

/** A secret of a merchant's own: after the prefix there must be base64, or two libraries would read two keys. */
export function isSecret(text: string): boolean {
  if (!text.startsWith(PREFIX)) return true;
  const written = text.slice(PREFIX.length);
  return written !== '' && Buffer.from(written, 'base64').toString('base64') === written;
}

/** Lower-case hex HMAC-SHA256 over body and timestamp, under the secret's own text. */
export function brandSignature(secret: string, { body, timestamp }: Signed): string {
  return hmac(Buffer.from(secret), body + timestamp).toString('hex');
}

/** `v1,` and base64 HMAC-SHA256; one for each secret that is good now, joined by a space. */
export function webhookSignature(secrets: readonly string[], { id, timestamp, body }: Signed): string {
  return secrets
    .map((secret) => `v1,${hmac(keyOf(secret), `${id}.${timestamp}.${body}`).toString('base64')}`)
    .join(' ');
}

function keyOf(secret: string): Uint8Array {
  return secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret);
}

/**
 * The headers of one try, with names that follow the brand. Secrets: the newest first. During a rotation the brand's
 * own signature, of which there is only one, is made with the older one: the receiver may not know the newer yet.
 */
export function signatureHeaders(
  brand: string,
  secrets: readonly string[],
  signed: Signed,
): Readonly<Record<string, string>> {
  return {
    [`${brand}-timestamp`]: signed.timestamp,
    [`${brand}-signature`]: brandSignature(secrets.at(-1) ?? '', signed),
    'webhook-id': signed.id,
    'webhook-timestamp': signed.timestamp,
    'webhook-signature': webhookSignature(secrets, signed),
  };
}
