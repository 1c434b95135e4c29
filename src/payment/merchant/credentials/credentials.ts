// Credentials of a contract with a provider: written, never shown again. Those that are sent have two homes, because a
// call is sent from two places: the vault's own copy goes with cards, the money zone's sealed one with everything else,
// so that captures and refunds go on while the vault is away. Those that prove messages have one, in the money zone
// (checks.ts).
import { Refusal } from '../../../core/refusals.ts';
import { seal } from '../../../kit/crypto.ts';
import { type TenantRunner, deniesAll, standsElsewhere } from '../../../kit/database.ts';
import { NotDone } from '../../../kit/link/verbs.ts';
import { contractSealing } from '../../sealings.ts';
import type { Provider } from '../../../provider/contract.ts';
import type { Tools } from '../../tools.ts';
import { changeChecks } from './checks.ts';
import { EARLIER, asOf, earlierAfter, earlierIn, namesOfOwner } from './earlier.ts';
import { openTexts } from './sealed.ts';
import { findSealed, lockSealed, updateSealed } from './store.ts';

export type Credentials = Readonly<Record<string, string>>;
/** Null: it is removed. */
export type CredentialChange = Readonly<Record<string, string | null>>;

type Whose = { readonly merchant_account_id: string; readonly contract_id: string };
type Change = { readonly contract_id: string; readonly provider: string; readonly values: CredentialChange };

/**
 * Adds to a contract's credentials, replaces or removes those of the same name, in the transaction of `tx` and in the
 * vault, which is called before the commit. If it certainly took nothing, the whole change is refused; if its answer is
 * lost, or the commit fails after it, the outcome is unknown, and the same request sent again makes both equal.
 */
export async function changeCredentials(
  tools: Tools,
  tx: TenantRunner,
  { contract_id, provider, values }: Change,
): Promise<void> {
  const whose = { merchant_account_id: tx.merchant_account_id, contract_id };
  const known = tools.providers.get(provider)?.credentials ?? [];
  const checks = new Set(known.flatMap(({ name, use }) => (use === 'check' ? [name] : [])));
  const entries = Object.entries(values);
  const row = await lockSealed(tx, contract_id);
  const proving = entries.filter(([name]) => checks.has(name));
  if (proving.length > 0) await changeChecks(tools, tx, { contract_id, row, values: Object.fromEntries(proving) });
  const sent = entries.filter(([name]) => !checks.has(name));
  if (sent.length === 0) return;
  const sealing = contractSealing(tools.secret_key, whose.merchant_account_id, contract_id);
  const before = openTexts(row?.credentials_sealed ?? null, sealing);
  const all = textsOf({ ...before, ...Object.fromEntries(sent) });
  const at = row?.at ?? tools.clock.now();
  const replacing = { names: namesOfOwner(known), before: textsOf(before), after: all, at };
  const kept = { ...all, [EARLIER]: earlierAfter(earlierIn(before), replacing) };
  const credentials_sealed = seal(Buffer.from(JSON.stringify(kept)), tools.chance.bytes(12), sealing);
  const names = sent.flatMap(([name, value]) => (value === null ? [] : [name]));
  const removed = sent.flatMap(([name, value]) => (value === null ? [name] : []));
  await updateSealed(tx, { contract_id, credentials_sealed, names, removed });
  await tellVault(tools, { ...whose, destination: provider, values: all });
  standsElsewhere(tx);
}

type Telling = Whose & { readonly destination: string; readonly values: Credentials };

async function tellVault(tools: Tools, telling: Telling): Promise<void> {
  const { contract_id } = telling;
  const kept = await tools.vault.keepCredentials(telling).catch((error: unknown) => {
    tools.log.error({ contract_id, error: String(error) }, "the vault did not confirm a contract's credentials");
    if (error instanceof NotDone || deniesAll(error)) return false;
    throw new Refusal('outcome_unknown', {
      detail: 'the vault did not answer, and may have taken the credentials: set them again',
    });
  });
  if (!kept)
    throw new Refusal('unavailable', {
      detail: 'the vault did not take the credentials; nothing was changed, try again',
    });
}

type Carried = Whose & { readonly provider: Provider };

/** The credentials that a call without a card carries; if the provider wants none, nothing is asked. */
export async function findCredentials(tools: Tools, carried: Carried): Promise<Credentials> {
  return textsOf(await openSent(tools, carried));
}

/**
 * Those with which something goes on that began before. Undefined: they were replaced at that very time, and nobody
 * knows under which it was sent.
 */
export async function findCredentialsThen(
  tools: Tools,
  { began, ...carried }: Carried & { readonly began: string },
): Promise<Credentials | undefined> {
  const said = await openSent(tools, carried);
  return asOf(textsOf(said), earlierIn(said), began);
}

async function openSent(
  tools: Tools,
  { provider, merchant_account_id, contract_id }: Carried,
): Promise<Readonly<Record<string, unknown>>> {
  if (!provider.credentials.some(({ use }) => use === 'send')) return NONE;
  const row = await findSealed(tools.db.tenant(merchant_account_id), contract_id);
  const sealing = contractSealing(tools.secret_key, merchant_account_id, contract_id);
  return openTexts(row?.credentials_sealed ?? null, sealing);
}

const NONE: Credentials = {};

function textsOf(said: Readonly<Record<string, unknown>>): Credentials {
  return Object.fromEntries(
    Object.entries(said).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}
