import { StartError } from '../../kit/start-error.ts';

/** The merchant's country, in the form that a wallet's payment sheet needs. */
export function readCountry(given: string): string {
  const country = given.toUpperCase();
  if (/^[A-Z]{2}$/.test(country)) return country;
  throw new StartError('--country must be the two letters of a country, such as FR.');
}
