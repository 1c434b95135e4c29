// Rules of an account: read, published, compared, rolled back. Every publish is a new version and takes effect as a whole; every
// process follows within a second.
import type { JsonValue } from '../../core/json.ts';
import { Refusal, refuseField, refuseProblems } from '../../core/refusals.ts';
import { type RiskInForce, type Rule, readDraft } from '../../core/risk/rules.ts';
import { Reading } from '../../core/shape.ts';
import { type TenantRunner, withTransaction } from '../../kit/database.ts';
import type { Tools } from '../tools.ts';
import { type VersionRow, findVersions, insertVersion, lockInForce, updateInForce } from './store.ts';

type Db = Pick<Tools, 'db'>;

export const NOTHING_IN_FORCE: RiskInForce = { version: 0, rules: [], lists: [] };

/** Every version that was in force, the newest, which is, first; at most 200. Empty: none was ever published. */
export async function readRules(tools: Db, merchant_account_id: string): Promise<readonly VersionRow[]> {
  return findVersions(tools.db.tenant(merchant_account_id), null);
}

/** The rules of a version; version 0 is none. Throws a Refusal when there is no such version. */
export async function rulesOf(tools: Db, merchant_account_id: string, version: number): Promise<readonly Rule[]> {
  if (version === 0) return [];
  const [row] = await findVersions(tools.db.tenant(merchant_account_id), version);
  if (!row) throw unknownVersion();
  return row.rules;
}

function unknownVersion(): Refusal {
  return refuseField('version', 'parameter_invalid', 'is none of this account');
}

/** Reads a draft as it would be published. Throws a Refusal with every problem at once. */
export function draftOf(written: JsonValue): readonly Rule[] {
  const reading = new Reading(false);
  const rules = readDraft(written, reading);
  const refusal = refuseProblems(reading.problems);
  if (refusal) throw refusal;
  return rules;
}

export type Publishing = {
  readonly by: string;
  readonly note?: string | undefined;
  /** The version the draft was made from: where another one is in force by now, nothing is published. */
  readonly based_on?: number | undefined;
  /** Done in the commit of it. */
  readonly also?: (tx: TenantRunner, version: number) => Promise<void>;
};

/** Puts rules in force; answers their version. Throws a Refusal when somebody else published since `based_on`. */
export function publishRules(
  tools: Db,
  merchant_account_id: string,
  { rules, ...publishing }: Publishing & { readonly rules: readonly Rule[] },
): Promise<number> {
  return publish(tools, merchant_account_id, { ...publishing, rules, rolled_back_to: null });
}

/** Puts the rules of an earlier version in force again, as a new version; 0: no rules. Answers the new version. */
export async function rollBack(
  tools: Db,
  merchant_account_id: string,
  { to, ...publishing }: Publishing & { readonly to: number },
): Promise<number> {
  const rules = await rulesOf(tools, merchant_account_id, to);
  return publish(tools, merchant_account_id, { ...publishing, rules, rolled_back_to: to });
}

type Version = Publishing & { readonly rules: readonly Rule[]; readonly rolled_back_to: number | null };

async function publish(tools: Db, merchant_account_id: string, { by, note, based_on, also, ...version }: Version) {
  if (by.trim() === '' || by.length > 254) throw refuseField('by', 'parameter_invalid', 'must be a name');
  return withTransaction(tools.db, merchant_account_id, async (tx) => {
    const risk = await present(tx, merchant_account_id);
    if (based_on !== undefined && based_on !== risk.version)
      throw new Refusal('order_in_process', {
        detail: `version ${risk.version} was published meanwhile: load it and publish again`,
      });
    const row = { ...version, version: risk.version + 1, by_name: by, note: note ?? null };
    await insertVersion(tx, merchant_account_id, row);
    await putInForce(tx, merchant_account_id, { ...risk, version: row.version, rules: row.rules });
    await also?.(tx, row.version);
    return row.version;
  });
}

type Tx = Parameters<Parameters<Tools['db']['begin']>[1]>[0];

/** What is in force, held until the end of the transaction. */
export async function present(tx: Tx, merchant_account_id: string): Promise<RiskInForce> {
  const row = await lockInForce(tx, merchant_account_id);
  if (!row) throw new Refusal('object_unknown', { detail: 'there is no such merchant account' });
  return row.risk ?? NOTHING_IN_FORCE;
}

/** Where a version was published its number stays, also without a rule: versions are counted on. */
export function putInForce(tx: Tx, merchant_account_id: string, risk: RiskInForce): Promise<void> {
  const nothing = risk.version === 0 && risk.lists.length === 0;
  return updateInForce(tx, merchant_account_id, nothing ? null : risk);
}

export type Difference = {
  readonly name: string;
  readonly change: 'added' | 'removed' | 'changed' | 'moved';
  readonly before: Rule | undefined;
  readonly after: Rule | undefined;
};

/** What publishing `after` in place of `before` changes, by the names of the rules. */
export function diffRules(before: readonly Rule[], after: readonly Rule[]): readonly Difference[] {
  const old = new Map(before.map((rule) => [rule.name, rule]));
  const next = new Map(after.map((rule) => [rule.name, rule]));
  const kept = before.filter(({ name }) => next.has(name)).map(({ name }) => name);
  const order = after.filter(({ name }) => old.has(name)).map(({ name }) => name);
  const removed = before.flatMap((rule): Difference[] =>
    next.has(rule.name) ? [] : [{ name: rule.name, change: 'removed', before: rule, after: undefined }],
  );
  const others = after.flatMap((rule): Difference[] => {
    const was = old.get(rule.name);
    const told = { name: rule.name, before: was, after: rule };
    if (!was) return [{ ...told, change: 'added' }];
    if (sorted(was) !== sorted(rule)) return [{ ...told, change: 'changed' }];
    return kept.indexOf(rule.name) === order.indexOf(rule.name) ? [] : [{ ...told, change: 'moved' }];
  });
  return [...removed, ...others];
}

function sorted(rule: Rule): string {
  return JSON.stringify(Object.entries(rule).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
