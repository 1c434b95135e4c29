// The public key of an account's hosted pages. It is derived, so that it need not be kept; only the vault knows its hash, and it is
// neither listed nor counted among the merchant's own keys. It opens our page and no other.
import { pageKeyId } from '../../core/ids.ts';
import { Refusal } from '../../core/refusals.ts';
import { hmac, sha256 } from '../../kit/crypto.ts';
import { makeKeyText } from '../merchant/keys.ts';
import type { Tools } from '../tools.ts';

/** Answers the key of an account's pages, and sees to it once a process that the vault knows it. */
export function pageKeys(tools: Tools): (merchant_account_id: string) => Promise<string> {
  const told = new Map<string, Promise<string>>();
  return (merchant_account_id) => {
    const known = told.get(merchant_account_id);
    if (known) return known;
    const telling = tell(tools, merchant_account_id);
    told.set(merchant_account_id, telling);
    telling.catch(() => told.delete(merchant_account_id));
    return telling;
  };
}

async function tell(tools: Tools, merchant_account_id: string): Promise<string> {
  const { environment, key_letters, secret_key } = tools;
  const bytes = () => hmac(secret_key, `page key|${environment}|${merchant_account_id}`);
  const text = makeKeyText({ bytes }, { letters: key_letters, kind: 'public', environment });
  const key = { id: pageKeyId(merchant_account_id), digest: sha256(text), merchant_account_id, environment };
  try {
    // of the vault's own pages: no other origin frames its fields, whatever the account registers
    await tools.vault.putApiKey({ ...key, kind: 'public', scopes: null, page_inputs: false, registered_origins: [] });
  } catch (error) {
    tools.log.error({ error: String(error) }, 'the vault could not be told the key of the hosted pages');
    throw new Refusal('unavailable', {
      detail: 'the vault cannot be reached; nothing was accepted: repeat after 2 s',
      headers: { 'retry-after': '2' },
    });
  }
  return text;
}
