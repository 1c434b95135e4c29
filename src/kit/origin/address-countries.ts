// The country of an address from a MaxMind DB file that the operator names (GeoLite2 Country, DB-IP and others write
// this form).
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { Reader, type Response } from 'mmdb-lib';
import { StartError } from '../start-error.ts';

/**
 * Reads the file; throws a StartError where it is missing or no such database. Answers ISO codes, null where it knows
 * none.
 */
export function readAddressCountries(file: string): (ip: string) => string | null {
  const reader = openReader(file);
  return (ip) => (isIP(ip) === 0 ? null : countryIn(reader.get(ip)));
}

function openReader(file: string): Reader<Response> {
  try {
    return new Reader<Response>(readFileSync(file));
  } catch (error) {
    throw new StartError(`FLORIN_ADDRESS_COUNTRIES_FILE: ${file} cannot be read as a MaxMind DB file.`, {
      cause: error,
    });
  }
}

/** `country.iso_code`, as most databases have it, or `country_code`. */
function countryIn(found: unknown): string | null {
  const code = member(member(found, 'country'), 'iso_code') ?? member(found, 'country_code');
  return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : null;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
}
