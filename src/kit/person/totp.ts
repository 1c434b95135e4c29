// One-time codes by time (RFC 6238 over RFC 4226): SHA-1, six digits, thirty seconds, as every authenticator app speaks
// it.
import { createHmac, timingSafeEqual } from 'node:crypto';

const STEP_S = 30;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code of a step; `digits` as in the vectors of the RFC, six everywhere else. */
export function totpCode(secret: Uint8Array, step: number, digits = 6): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 15;
  const number = mac.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** The step of a moment, in seconds since 1970. */
export function totpStep(at_s: number): number {
  return Math.floor(at_s / STEP_S);
}

/**
 * The step whose code was given, within one step of now and after `used`, the last one whose code was taken; undefined:
 * none. All three are always compared.
 */
export function findTotpStep(
  secret: Uint8Array,
  code: string,
  { at_s, used }: { readonly at_s: number; readonly used: number },
): number | undefined {
  const now = totpStep(at_s);
  const given = Buffer.from(code.padEnd(6, ' ').slice(0, 6));
  const fitting = [now - 1, now, now + 1].filter((step) => timingSafeEqual(Buffer.from(totpCode(secret, step)), given));
  return code.length === 6 ? fitting.find((step) => step > used) : undefined;
}

/** RFC 4648, without padding: how authenticator apps take a secret. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let [held, bits] = [0, 0];
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32[(held >> (bits - 5)) & 31] ?? '';
    held &= (1 << bits) - 1;
  }
  return bits > 0 ? text + (BASE32[(held << (5 - bits)) & 31] ?? '') : text;
}
