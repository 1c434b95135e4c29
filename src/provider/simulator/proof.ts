// How everything of the sandbox is signed that tells us something on its own.
import type { SignatureRecipe } from '../notices.ts';

export const SIGNATURE_HEADER = 'x-simulator-signature';
export const TIMESTAMP_HEADER = 'x-simulator-timestamp';

/** The credential that a contract proves messages of its simulated bank with. */
export const MESSAGE_SECRET = 'message_secret';

/** How far the clocks of a sender and ours may be apart, to either side. */
const TOLERANCE_S = 300;

/**
 * Lower-case hex HMAC-SHA256 over `{timestamp}.{body}`; the timestamp is of this very delivery, in milliseconds since
 * 1970.
 */
export function proofOf(
  raw: Uint8Array,
  headers: Readonly<Record<string, string | undefined>>,
): SignatureRecipe & { readonly kind: 'hmac' } {
  const timestamp = headers[TIMESTAMP_HEADER] ?? '';
  return {
    kind: 'hmac',
    secret: MESSAGE_SECRET,
    secret_form: 'text',
    over: signedText(timestamp, raw),
    given: [headers[SIGNATURE_HEADER] ?? ''],
    given_form: 'hex',
    at_ms: /^\d{1,15}$/.test(timestamp) ? Number(timestamp) : Number.NaN,
    tolerance_s: TOLERANCE_S,
  };
}

export function signedText(timestamp: string, body: Uint8Array): Uint8Array {
  const head = new TextEncoder().encode(`${timestamp}.`);
  const whole = new Uint8Array(head.length + body.length);
  whole.set(head);
  whole.set(body, head.length);
  return whole;
}
