// Rules that travel with an account (docs/decisions/0039): every publish is a new version and takes effect as a whole,
// rolling back publishes old rules again, and every process follows within a second. Risk rules and routing rules are
// published here.
import { Refusal, refuseField } from '../core/refusals.ts';
import { type TenantRunner, withTransaction } from '../kit/database.ts';
import type { Tools } from './tools.ts';
import { type Kind, findVersions, insertVersion, lockInForce, updateInForce } from './versions-store.ts';

type Db = Pick<Tools, 'db'>;

export type Publishing = {
  readonly by: string;
  readonly note?: string | undefined;
  /** The version that the person saw in force: where another one is by now, nothing is published. */
  readonly based_on?: number | undefined;
  /** Done in the commit of it. */
  readonly also?: (tx: TenantRunner, version: number) => Promise<void>;
};

type InForce = { readonly version: number };

/** A kind of rules: what of it is in force for an account, made of what is published. */
export type Published<T, F extends InForce> = {
  readonly kind: Kind;
  readonly nothing: F;
  /** The rules that replace those in force; null: there is nothing left to ask of payments. */
  inForce(rules: T, before: F, version: number): F | null;
};

/** The parts of a version: the rules, which may depend on its number and on the rules in force. */
type Version<T, F> = Publishing & {
  readonly rules: T | ((version: number, before: F) => T);
  readonly rolled_back_to: number | null;
};

/** Puts rules in force; answers their version. Throws a Refusal when another person published since `based_on`. */
export async function publishVersion<T, F extends InForce>(
  { db, of }: Db & { readonly of: Published<T, F> },
  merchant_account_id: string,
  { by, note, based_on, also, rules: made, rolled_back_to }: Version<T, F>,
): Promise<number> {
  if (by.trim() === '' || by.length > 254) throw refuseField('by', 'parameter_invalid', 'must be a name');
  return withTransaction(db, merchant_account_id, async (tx) => {
    const before = await lockPresent(tx, of);
    if (based_on !== undefined && based_on !== before.version)
      throw new Refusal('order_in_process', {
        detail: `version ${before.version} was published meanwhile: ${rolled_back_to === null ? 'load it and publish again' : 'look at it before you roll back'}`,
      });
    const version = before.version + 1;
    const rules = typeof made === 'function' ? (made as (version: number, before: F) => T)(version, before) : made;
    const row = { version, rules, rolled_back_to, by_name: by, note: note ?? null, merchant_account_id };
    await insertVersion(tx, of.kind, row);
    await updateInForce(tx, of.kind, { merchant_account_id, in_force: of.inForce(rules, before, version) });
    await also?.(tx, version);
    return version;
  });
}

/** The rules in force, locked until the end of the transaction. */
export async function lockPresent<T, F extends InForce>(tx: TenantRunner, of: Published<T, F>): Promise<F> {
  const row = await lockInForce(tx, of.kind, tx.merchant_account_id);
  if (!row) throw new Refusal('object_unknown', { detail: 'there is no such merchant account' });
  return row.in_force === null ? of.nothing : (row.in_force as F);
}

/** The rules of a version. Throws a Refusal when there is no such version. */
export async function versionOf<T>(db: TenantRunner, kind: Kind, version: number): Promise<T> {
  const [row] = await findVersions<T>(db, kind, version);
  if (!row) throw refuseField('version', 'parameter_invalid', `${version} is none of this account`);
  return row.rules;
}
