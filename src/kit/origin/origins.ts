// Where addresses and cards come from, put together from what the operator named and, in a sandbox, its own table.
import { NO_ORIGIN, type Origins, firstOf } from '../../core/origin/origins.ts';
import { SANDBOX_ORIGINS } from '../../core/origin/test-cards.ts';
import { readAddressCountries } from './address-countries.ts';
import { readCardRanges } from './card-ranges.ts';

type Named = {
  readonly environment: 'sandbox' | 'production';
  /** A MaxMind DB file; empty: none. */
  readonly address_countries_file: string;
  /** A table of card ranges; empty: none. */
  readonly card_ranges_file: string;
};

/** Reads the files once; throws a StartError where one is not what it should be. */
export function openOrigins({ environment, address_countries_file, card_ranges_file }: Named): Origins {
  const countryOf = address_countries_file === '' ? () => null : readAddressCountries(address_countries_file);
  const byRange = card_ranges_file === '' ? () => NO_ORIGIN : readCardRanges(card_ranges_file);
  const named: Origins = {
    countryOf,
    cardOf: ({ first6 }) => (first6 === null ? NO_ORIGIN : byRange(first6)),
  };
  return environment === 'sandbox' ? firstOf(SANDBOX_ORIGINS, named) : named;
}
