// The public keys of our own pages: of an account's hosted pages, and of the back office's page for cards by telephone.
// They are derived, so that they need not be kept; only the vault knows their hash, and they are neither listed nor
// counted among the merchant's own keys. Each opens the card fields on our page and on no other.
import { deskKeyId, pageKeyId } from '../../core/ids.ts';
import { Refusal } from '../../core/refusals.ts';
import { hmac, sha256 } from '../../kit/crypto.ts';
import { makeKeyText } from '../merchant/keys.ts';
import type { Tools } from '../tools.ts';

type KeyOf = (merchant_account_id: string) => Promise<string>;

type Purpose = {
  /** Goes into what the key is derived from. */
  readonly name: 'page' | 'desk';
  readonly id: string;
  readonly registered_origins: readonly string[];
};

/** Answers the key of an account's pages, and sees to it once a process that the vault knows it. */
export function pageKeys(tools: Tools): KeyOf {
  // of the vault's own pages: no other origin frames its fields, whatever the account registers
  return toldOnce((account) => tell(tools, account, { name: 'page', id: pageKeyId(account), registered_origins: [] }));
}

/** The same for the back office, whose address alone may frame the fields. */
export function deskKeys(tools: Tools): KeyOf {
  return toldOnce((account) => {
    const origin = URL.parse(tools.addresses.backoffice_url)?.origin;
    if (origin === undefined)
      throw new Refusal('unavailable', { detail: 'the address of the back office is not set (FLORIN_BACKOFFICE_URL)' });
    return tell(tools, account, { name: 'desk', id: deskKeyId(account), registered_origins: [origin] });
  });
}

function toldOnce(make: (merchant_account_id: string) => Promise<string>): KeyOf {
  const told = new Map<string, Promise<string>>();
  return async (merchant_account_id) => {
    const known = told.get(merchant_account_id);
    if (known) return known;
    const telling = make(merchant_account_id);
    told.set(merchant_account_id, telling);
    telling.catch(() => told.delete(merchant_account_id));
    return telling;
  };
}

async function tell(tools: Tools, merchant_account_id: string, purpose: Purpose): Promise<string> {
  const { environment, key_letters, secret_key } = tools;
  const { name, id, registered_origins } = purpose;
  const bytes = () => hmac(secret_key, `${name} key|${environment}|${merchant_account_id}`);
  const text = makeKeyText({ bytes }, { letters: key_letters, kind: 'public', environment });
  const key = { id, digest: sha256(text), merchant_account_id, environment };
  try {
    await tools.vault.putApiKey({ ...key, kind: 'public', scopes: null, page_inputs: false, registered_origins });
  } catch (error) {
    tools.log.error({ error: String(error) }, `the vault could not be told the ${name} key`);
    throw new Refusal('unavailable', {
      detail: 'the vault cannot be reached; nothing was accepted: repeat after 2 s',
      headers: { 'retry-after': '2' },
    });
  }
  return text;
}
