// florin wallet-keys apple_pay_identity: the certificate and key with which the vault asks Apple for an account's
// sessions. This pair differs from the one of `florin wallet-keys apple_pay`, and is renewed separately.
import type { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { StartError, whyNot } from '../../kit/start-error.ts';
import { type AppleIdentity, identityContract, merchantIdIn, readIdentity } from '../../vault/wallet/apple/identity.ts';
import type { Words } from '../arguments.ts';
import { readCountry } from './country.ts';

export const IDENTITY_USAGE = `florin wallet-keys apple_pay_identity --merchant ID --certificate FILE --key FILE --country FR [--name NAME] [--by NAME]
  --certificate FILE   Apple's merchant identity certificate (as Apple gives it, or PEM)
  --key FILE           its private key (PEM)
  --country FR         the merchant's country, two letters, as Apple Pay's sheet wants it
  --name NAME          the merchant id, where the certificate does not say it`;

type Kept = {
  readonly contract: ReturnType<typeof identityContract>;
  readonly values: AppleIdentity;
  readonly told: string;
};

/** The values to store and the text to print; throws a StartError if something is wrong. */
export function appleIdentity(words: Words, merchant_account_id: string, now: Date): Kept {
  const country = readCountry(words.needed('country'));
  const file = words.needed('certificate');
  const { certificate, private_key } = read(file, words.needed('key'));
  if (certificate.validToDate <= now) throw new StartError(`${file} ended on ${dayOf(certificate)}.`);
  const merchant_id = nameOf(certificate, words.text('name'));
  return {
    contract: identityContract(merchant_account_id),
    values: { merchant_id, certificate: certificate.toString(), private_key, country },
    told: `the merchant identity of ${merchant_account_id} at Apple: set. It is ${merchant_id}, and ends on ${dayOf(certificate)}`,
  };
}

function read(file: string, key_file: string): ReturnType<typeof readIdentity> {
  try {
    return readIdentity(readFileSync(file), readFileSync(key_file));
  } catch (error) {
    throw new StartError(`${file} and ${key_file} cannot be used: ${whyNot(error)}`);
  }
}

function nameOf(certificate: X509Certificate, given: string | undefined): string {
  const found = merchantIdIn(certificate);
  if (found !== undefined && given !== undefined && given !== found)
    throw new StartError(`--name is ${given}, but the certificate is that of ${found}.`);
  const name = found ?? given ?? '';
  if (/^merchant\.[\x21-\x7e]{1,200}$/.test(name)) return name;
  throw new StartError('The certificate names no merchant id: give it with --name, beginning with "merchant.".');
}

const dayOf = ({ validToDate }: X509Certificate) => validToDate.toISOString().slice(0, 10);
