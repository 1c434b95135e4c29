// Was something signed with a secret that both sides know? HMAC-SHA256 (RFC 2104), compared in constant time.
import { timingSafeEqual } from 'node:crypto';
import { hmac } from '../crypto.ts';

export type Signed = {
  readonly over: Uint8Array;
  /** Any one of them is enough: who signs may do it with two keys while one replaces the other. */
  readonly given: readonly string[];
  readonly given_form: 'hex' | 'base64';
};

/** More than any sender has keys; each one costs a comparison. */
const MOST_GIVEN = 10;
const HEX = /^(?:[0-9a-fA-F]{2})+$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** With any one of these keys. All are tried, whichever fits. */
export function isSignedWith(keys: readonly Uint8Array[], { over, given, given_form }: Signed): boolean {
  const form = given_form === 'hex' ? HEX : BASE64;
  const signatures = given
    .slice(0, MOST_GIVEN)
    .flatMap((text) => (form.test(text) ? [Buffer.from(text, given_form)] : []));
  let found = false;
  for (const key of keys) {
    // an empty key is none: everyone has it
    if (key.length === 0) continue;
    const wanted = hmac(key, over);
    for (const signature of signatures)
      if (signature.length === wanted.length && timingSafeEqual(signature, wanted)) found = true;
  }
  return found;
}

/** A secret as bytes, from the form in which it is handed to people. Undefined: it is not in that form. */
export function keyOf(secret: string, form: 'text' | 'hex'): Uint8Array | undefined {
  if (form === 'text') return Buffer.from(secret);
  return HEX.test(secret) ? Buffer.from(secret, 'hex') : undefined;
}

/** Milliseconds since 1970; near enough to one of the moments that are now. */
export function isOfNow(at_ms: number, tolerance_s: number, moments: readonly number[]): boolean {
  return moments.some((moment) => Math.abs(at_ms - moment) <= tolerance_s * 1000);
}
