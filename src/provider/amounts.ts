// Minor units of providers that count a currency otherwise than ISO 4217 does. Nothing is rounded.

/** Our minor units as the provider's; undefined: it has no such amount, and the call must not be made. */
export function toTheirs(minor: bigint, from: number, to: number): bigint | undefined {
  if (to >= from) return minor * 10n ** BigInt(to - from);
  const unit = 10n ** BigInt(from - to);
  return minor % unit === 0n ? minor / unit : undefined;
}

/** The provider's as ours; undefined: they speak of a part of our smallest unit. */
export const toOurs = (minor: bigint, from: number, to: number): bigint | undefined => toTheirs(minor, to, from);
