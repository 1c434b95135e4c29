// Credentials of a contract with a provider: written, never read back by anybody. Two homes, because a call is sent from two places:
// the vault's own copy goes with cards, the money zone's sealed one with everything else, so that captures and refunds go on while
// the vault is away (vault.md 7).
import { Refusal } from '../../../core/refusals.ts';
import { open, seal } from '../../../kit/crypto.ts';
import type { TenantRunner } from '../../../kit/database.ts';
import { contractSealing } from '../../sealings.ts';
import type { Provider } from '../../../provider/contract.ts';
import type { Tools } from '../../tools.ts';
import { findSealed, lockSealed, updateSealed } from './store.ts';

export type Credentials = Readonly<Record<string, string>>;

type Whose = { readonly merchant_account_id: string; readonly contract_id: string };
type Change = { readonly contract_id: string; readonly provider: string; readonly values: Credentials };

/**
 * Adds to a contract's credentials, or replaces those of the same name, in the transaction of `tx` and in the vault. The vault is told
 * before the commit: should that fail, the change is refused as a whole; should the commit fail behind it, the caller hears so, and
 * saying it again brings both to the same.
 */
export async function changeCredentials(
  tools: Tools,
  tx: TenantRunner,
  { contract_id, provider, values }: Change,
): Promise<void> {
  const whose = { merchant_account_id: tx.merchant_account_id, contract_id };
  const sealed = await lockSealed(tx, contract_id);
  const all = { ...(sealed !== undefined && openCredentials(tools, whose, sealed)), ...values };
  const sealing = contractSealing(tools.secret_key, whose.merchant_account_id, contract_id);
  const credentials_sealed = seal(Buffer.from(JSON.stringify(all)), tools.chance.bytes(12), sealing);
  await updateSealed(tx, { contract_id, credentials_sealed, names: Object.keys(values) });
  const kept = await tools.vault
    .keepCredentials({ ...whose, destination: provider, values: all })
    .catch((error: unknown) => {
      tools.log.error({ contract_id, error: String(error) }, "the vault did not take a contract's credentials");
      return false;
    });
  if (!kept)
    throw new Refusal('unavailable', {
      detail: 'the vault did not take the credentials; nothing was changed, try again',
    });
}

/** What a call that carries no card is to carry of them; none where the provider wants none, and so no question. */
export async function findCredentials(
  tools: Tools,
  { provider, merchant_account_id, contract_id }: Whose & { readonly provider: Provider },
): Promise<Credentials> {
  if (provider.credentials.length === 0) return NONE;
  const sealed = await findSealed(tools.db.tenant(merchant_account_id), contract_id);
  return sealed === undefined ? NONE : openCredentials(tools, { merchant_account_id, contract_id }, sealed);
}

const NONE: Credentials = {};

function openCredentials(tools: Tools, whose: Whose, sealed: string): Credentials {
  const plain = open(
    Buffer.from(sealed, 'hex'),
    contractSealing(tools.secret_key, whose.merchant_account_id, whose.contract_id),
  );
  const said: unknown = JSON.parse(plain.toString('utf8'));
  plain.fill(0);
  const entries = Object.entries(typeof said === 'object' && said !== null ? said : {});
  return Object.fromEntries(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}
