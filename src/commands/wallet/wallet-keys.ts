// florin wallet-keys: sets an account's id at Google Pay or Apple Pay and the private key for its encrypted payloads,
// and its identity at Apple (apple-identity.ts). It runs on the vault's host; all values are stored sealed, and a
// running service uses them within a second.
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { isId } from '../../core/ids.ts';
import { systemClock } from '../../kit/clock.ts';
import { StartError, whyNot } from '../../kit/start-error.ts';
import { contractCache, keepCredentials } from '../../vault/contracts/contracts.ts';
import { walletContract } from '../../vault/wallet/recipients.ts';
import { sha256Bytes } from '../../vault/wallet/payload.ts';
import type { Wallet } from '../../vault/wallet/wallet-card.ts';
import { type Words, readText, readWords } from '../arguments.ts';
import { openVault } from '../vault-session.ts';
import { IDENTITY_USAGE, appleIdentity } from './apple-identity.ts';
import { readCountry } from './country.ts';

const USAGE = `florin wallet-keys google_pay|apple_pay --merchant ID --name NAME --key FILE [--earlier FILE] [--country FR] [--by NAME]
  --merchant ID    the merchant account: 24 hex digits
  --name NAME      who it is to the wallet: Google Pay's recipient (merchant:12345 or gateway:name), Apple Pay's merchant id
  --key FILE       the private key (PEM, P-256) whose public half the wallet was given
  --earlier FILE   the one before, while payloads for it may still come
  --country FR     google_pay: the country of the merchant's acquirer, two letters; the hosted page shows Google Pay with it alone

${IDENTITY_USAGE}`;

export async function walletKeysCommand(args: readonly string[]): Promise<void> {
  const texts = ['merchant', 'name', 'key', 'earlier', 'certificate', 'country', 'by'];
  const words = readWords(args, { usage: USAGE, texts });
  const [what, ...more] = words.rest;
  if (!isOneOf(what) || more.length > 0)
    throw new StartError(`Name google_pay, apple_pay or apple_pay_identity.\n\nUsage: ${USAGE}`);
  const merchant_account_id = words.needed('merchant');
  if (!isId(merchant_account_id)) throw new StartError('--merchant must be the 24 hex digits of a merchant account.');
  const asked =
    what === 'apple_pay_identity'
      ? appleIdentity(words, merchant_account_id, systemClock().now())
      : keysOf(words, merchant_account_id, what);
  await using vault = await openVault(words.text('by'));
  const tools = { ...vault, contracts: contractCache(vault.clock) };
  const kept = await keepCredentials(tools, { ...asked.contract, values: asked.values });
  if (!kept)
    throw new StartError('The keys were not kept: keys of the vault are being rotated. Try again in a minute.');
  console.log(asked.told);
}

const isOneOf = (word: string | undefined): word is Wallet | 'apple_pay_identity' =>
  word === 'google_pay' || word === 'apple_pay' || word === 'apple_pay_identity';

function keysOf(words: Words, merchant_account_id: string, wallet: Wallet) {
  const others = wallet === 'google_pay' ? ['certificate'] : ['certificate', 'country'];
  const unknown = others.find((name) => words.text(name) !== undefined);
  if (unknown !== undefined) throw new StartError(`--${unknown} belongs to apple_pay_identity.`);
  const name = nameOf(words.needed('name'), wallet);
  const country = words.text('country');
  if (country !== undefined && name.startsWith('gateway:'))
    throw new StartError('--country is for the hosted page, which shows Google Pay of merchant:ID and of no gateway.');
  const key = readKey(words.needed('key'));
  const earlier = words.text('earlier');
  const values = {
    merchant_id: name,
    private_key: key.pem,
    ...(earlier !== undefined && { earlier_private_key: readKey(earlier).pem }),
    ...(country !== undefined && { country: readCountry(country) }),
  };
  const told = `${wallet} of ${merchant_account_id}: set. The wallet encrypts to the public key with SHA-256 ${key.digest}`;
  return { contract: walletContract(merchant_account_id, wallet), values, told };
}

function nameOf(name: string, wallet: string): string {
  const form = wallet === 'google_pay' ? /^(?:merchant|gateway):[\x21-\x7e]{1,100}$/ : /^merchant\.[\x21-\x7e]{1,200}$/;
  if (form.test(name)) return name;
  throw new StartError(
    wallet === 'google_pay'
      ? '--name must be merchant:ID or gateway:NAME, as Google Pay has it.'
      : '--name must be the merchant id, which begins with "merchant.".',
  );
}

/** The key with the base64 digest by which Apple Pay's payloads name it. */
function readKey(path: string): { readonly pem: string; readonly digest: string } {
  const text = readText(path);
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('it is no key of P-256');
    const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
    return {
      pem: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
      digest: sha256Bytes(spki).toString('base64'),
    };
  } catch (error) {
    throw new StartError(`The key in ${path} cannot be used: ${whyNot(error)}`);
  }
}
