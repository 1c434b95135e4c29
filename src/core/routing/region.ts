// The region in which a card was issued, seen from the acquirer's country: the fees of schemes and issuers depend on
// it. Pure.
import type { Reading } from '../shape.ts';

/**
 * Where the card was issued: in the acquirer's country; in another country of the European Economic Area, with an
 * acquirer in it; anywhere else.
 */
export const REGIONS = ['domestic', 'intra_eea', 'inter_region'] as const;
export type Region = (typeof REGIONS)[number];

/** ISO 3166 codes of the European Union with Iceland, Liechtenstein and Norway. */
const EEA: ReadonlySet<string> = new Set(
  [
    'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK', // the Union
    'IS LI NO',
  ].flatMap((line) => line.split(' ')),
);

/** Null: one of the two is not known. */
export function regionOf(acquirer_country: string | null, card_country: string | null): Region | null {
  if (acquirer_country === null || card_country === null) return null;
  if (acquirer_country === card_country) return 'domestic';
  return EEA.has(acquirer_country) && EEA.has(card_country) ? 'intra_eea' : 'inter_region';
}

/** The regions that payments of this acquirer can be in. */
export const regionsOf = (acquirer_country: string | null): readonly Region[] =>
  REGIONS.filter((one) => one !== 'intra_eea' || acquirer_country === null || EEA.has(acquirer_country));

/** Rows by region say nothing while it is not told where the acquirer is; null: it is not, undefined: not readably. */
export function refuseRegions(
  rows: readonly ({ readonly region?: Region | undefined } | undefined)[],
  acquirer_country: string | null | undefined,
  reading: Reading,
): void {
  if (acquirer_country === null && rows.some((row) => row?.region !== undefined))
    reading.refuse('acquirer_country', 'must be told where a row has a region');
  if (acquirer_country === null || acquirer_country === undefined || EEA.has(acquirer_country)) return;
  for (const [i, row] of rows.entries())
    if (row?.region === 'intra_eea')
      reading.refuse(`fees[${i}].region`, `is never intra_eea: ${acquirer_country} is not in the EEA`);
}
