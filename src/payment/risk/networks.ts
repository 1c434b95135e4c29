// IP networks as texts: what stands on a list is a network or an address, what an order has is an address with all
// networks around it. Equal texts are equal networks, so that a list needs no ranges and can be kept as hashes.

/** IPv4: /8 to /32. IPv6: every fourth length from /16 to /64, as networks are handed out, and /128. */
const LENGTHS = {
  4: Array.from({ length: 25 }, (_, i) => 8 + i),
  6: [...Array.from({ length: 13 }, (_, i) => 16 + 4 * i), 128],
} as const;

/** Every network of a listable length around an address, the narrowest first. Empty: it is no address. */
export function networksOf(address: string): readonly string[] {
  const bits = bitsOf(address);
  return bits ? LENGTHS[bits.family].toReversed().map((length) => write(bits, length)) : [];
}

/** An address or address/length as a list keeps it. Undefined: it is neither, or of a length that is not listed. */
export function networkOf(written: string): string | undefined {
  const [address = '', length, ...more] = written.trim().split('/');
  const bits = bitsOf(address);
  if (!bits || more.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length))) return undefined;
  const wanted = length === undefined ? WIDTHS[bits.family] : Number(length);
  return LENGTHS[bits.family].includes(wanted) ? write(bits, wanted) : undefined;
}

const WIDTHS = { 4: 32, 6: 128 } as const;

type Bits = { readonly family: 4 | 6; readonly value: bigint };

function write({ family, value }: Bits, length: number): string {
  const rest = BigInt(WIDTHS[family] - length);
  return `${family}:${((value >> rest) << rest).toString(16)}/${length}`;
}

function bitsOf(address: string): Bits | undefined {
  if (/^(?:\d{1,3}\.){3}\d{1,3}$/.test(address)) return fourOf(address);
  if (!address.includes(':') || !/^[0-9a-f:.]{2,45}$/i.test(address)) return undefined;
  // the parser of addresses writes every form of IPv6 one way
  const text = URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1);
  if (text === undefined) return undefined;
  const [before = '', after] = text.split('::');
  const head = groupsOf(before);
  const tail = groupsOf(after ?? '');
  const zeros = Array.from({ length: after === undefined ? 0 : 8 - head.length - tail.length }, () => 0n);
  const groups = [...head, ...zeros, ...tail];
  const value = groups.reduce((sum, group) => (sum << 16n) | group, 0n);
  // IPv4 in IPv6 is IPv4
  return value >> 32n === 0xffffn ? { family: 4, value: value & 0xffff_ffffn } : { family: 6, value };
}

function fourOf(address: string): Bits | undefined {
  const parts = address.split('.').map(Number);
  if (parts.some((part) => part > 255)) return undefined;
  return { family: 4, value: parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n) };
}

function groupsOf(text: string): readonly bigint[] {
  return text === '' ? [] : text.split(':').map((group) => BigInt(`0x${group}`));
}
