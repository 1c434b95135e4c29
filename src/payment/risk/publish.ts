// Rules of an account: read, published, compared, rolled back (versions.ts).
import type { JsonValue } from '../../core/json.ts';
import { refuseProblems } from '../../core/refusals.ts';
import { type RiskInForce, type Rule, readDraft } from '../../core/risk/rules.ts';
import { Reading } from '../../core/shape.ts';
import type { TenantRunner } from '../../kit/database.ts';
import type { Tools } from '../tools.ts';
import { type Published, type Publishing, lockPresent, publishVersion, versionOf } from '../versions.ts';
import { type VersionRow, findVersions, updateInForce } from '../versions-store.ts';

type Db = Pick<Tools, 'db'>;

export const NOTHING_IN_FORCE: RiskInForce = { version: 0, rules: [], lists: [] };

const RISK: Published<readonly Rule[], RiskInForce> = {
  kind: 'risk',
  nothing: NOTHING_IN_FORCE,
  inForce: (rules, before, version) => ({ ...before, version, rules }),
};

/** Every version that was in force, the newest, which is, first; at most 200. Empty: none was ever published. */
export async function readRules(
  { db }: Db,
  merchant_account_id: string,
): Promise<readonly VersionRow<readonly Rule[]>[]> {
  return findVersions(db.tenant(merchant_account_id), 'risk', null);
}

/** The rules of a version; version 0 is none. Throws a Refusal when there is no such version. */
export async function rulesOf({ db }: Db, merchant_account_id: string, version: number): Promise<readonly Rule[]> {
  return version === 0 ? [] : versionOf(db.tenant(merchant_account_id), 'risk', version);
}

/** Reads a draft as it would be published. Throws a Refusal with every problem at once. */
export function draftOf(written: JsonValue): readonly Rule[] {
  const reading = new Reading(false);
  const rules = readDraft(written, reading);
  const refusal = refuseProblems(reading.problems);
  if (refusal) throw refusal;
  return rules;
}

/** Puts rules in force; answers their version. Throws a Refusal when another person published since `based_on`. */
export function publishRules(
  { db }: Db,
  merchant_account_id: string,
  publishing: Publishing & { readonly rules: readonly Rule[] },
): Promise<number> {
  return publishVersion({ db, of: RISK }, merchant_account_id, { ...publishing, rolled_back_to: null });
}

/** Puts the rules of an earlier version in force again, as a new version; 0: no rules. Answers the new version. */
export async function rollBack(
  tools: Db,
  merchant_account_id: string,
  { to, ...publishing }: Publishing & { readonly to: number },
): Promise<number> {
  const rules = await rulesOf(tools, merchant_account_id, to);
  return publishVersion({ ...tools, of: RISK }, merchant_account_id, { ...publishing, rules, rolled_back_to: to });
}

/** The rules in force, locked until the end of the transaction. */
export function present(tx: TenantRunner): Promise<RiskInForce> {
  return lockPresent(tx, RISK);
}

/**
 * Puts rules in force. The number of a published version stays, even without a rule: later versions count on from it.
 */
export function putInForce(tx: TenantRunner, risk: RiskInForce): Promise<void> {
  const nothing = risk.version === 0 && risk.lists.length === 0;
  return updateInForce(tx, 'risk', {
    merchant_account_id: tx.merchant_account_id,
    in_force: nothing ? null : risk,
  });
}
