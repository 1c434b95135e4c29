// Is this notification from Florin? Standard Webhooks with nothing but Node.
import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_S = 300;

// region: signature
/** Undefined when it is signed and fresh, else what is wrong. `body` is the bytes as they came, `secrets` all that are good now. */
export function problemOf(headers, body, secrets, now_s = Date.now() / 1000) {
  const id = headers['webhook-id'] ?? '';
  const timestamp = headers['webhook-timestamp'] ?? '';
  if (!(Math.abs(now_s - Number(timestamp)) <= TOLERANCE_S)) return 'old';
  const given = (headers['webhook-signature'] ?? '').split(' ').map((text) => Buffer.from(text));
  const signed = secrets.some((secret) => {
    // after whsec_ stands base64; a secret of your own, without it, is the key as it is
    const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
    if (key.length === 0) return false; // none is set: anybody could sign with it
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
    const wanted = Buffer.from(`v1,${hmac.digest('base64')}`);
    return given.some((one) => one.length === wanted.length && timingSafeEqual(one, wanted));
  });
  return signed ? undefined : 'forged';
}
// endregion
