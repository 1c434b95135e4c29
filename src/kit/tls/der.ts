// Writes DER (X.690): the few forms that certificates and signed messages are made of.

/** A distinguished name with a common name, and a user id before it where one is given (RFC 4519 2.39). */
export function name(common_name: string, user_id?: string): Buffer {
  const part = (type: string, text: string) => tlv(0x31, sequence(oid(type), tlv(0x0c, Buffer.from(text, 'utf8'))));
  return sequence(
    ...(user_id === undefined ? [] : [part('0992268993f22c640101', user_id)]),
    part('550403', common_name),
  );
}

/** UTCTime until 2049, GeneralizedTime from 2050 on (RFC 5280 4.1.2.5). */
export function time(at: Date): Buffer {
  const digits = at.toISOString().replace(/[-:T]|\.\d{3}/g, '');
  return at.getUTCFullYear() < 2050 ? tlv(0x17, Buffer.from(digits.slice(2))) : tlv(0x18, Buffer.from(digits));
}

export function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tlv(0x30, ...parts);
}

export function explicit(number: number, ...parts: readonly Uint8Array[]): Buffer {
  return tlv(0xa0 + number, ...parts);
}

export function octets(value: Uint8Array): Buffer {
  return tlv(0x04, value);
}

export function bits(value: ArrayLike<number>, unused = 0): Buffer {
  return tlv(0x03, [unused], value);
}

export function boolean(value: boolean): Buffer {
  return tlv(0x01, [value ? 0xff : 0]);
}

/** A positive integer: no leading zeros, but one where the first bit would say that it is negative. */
export function integer(value: ArrayLike<number>): Buffer {
  const all = Array.from(value);
  const from = all.findIndex((byte) => byte !== 0);
  const shortest = from < 0 ? [0] : all.slice(from);
  return tlv(0x02, (shortest[0] ?? 0) > 0x7f ? [0, ...shortest] : shortest);
}

export function oid(hex: string): Buffer {
  return tlv(0x06, Buffer.from(hex, 'hex'));
}

/** Tag, length, value. */
export function tlv(tag: number, ...parts: readonly ArrayLike<number>[]): Buffer {
  const value = Buffer.concat(parts.map((part) => Uint8Array.from(part)));
  const size = value.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Uint8Array.from([tag, ...length]), value]);
}
