// Fees of contracts, as their merchant states them: from a day on, never changed, corrected by a next version.
import type { JsonValue } from '../../core/json.ts';
import { Refusal, refuseField, refuseProblems } from '../../core/refusals.ts';
import { type Day, dayOf } from '../../core/retries/day.ts';
import { type FeeGap, feeGaps } from '../../core/routing/fee-gaps.ts';
import { type ContractFees, type FeeTable, readFees } from '../../core/routing/fees.ts';
import { Reading } from '../../core/shape.ts';
import { type TenantRunner, withTransaction } from '../../kit/database.ts';
import { type ContractDetails, listContracts } from '../merchant/contract-store.ts';
import { lockAccount } from '../merchant/store.ts';
import type { Tools } from '../tools.ts';
import { findFeesOn, insertFees } from './fees-store.ts';

export type Stating = {
  /** Id or name. */
  readonly contract: string;
  /** The fees as they were written (core/routing/fees.ts). */
  readonly written: JsonValue;
  /** The first day of it; undefined: today. */
  readonly from?: Day | undefined;
  /** The newest version that the person saw, 0: none. Where there is a newer one by now, nothing is stated. */
  readonly based_on?: number | undefined;
  readonly by: string;
  readonly note: string | null;
  /** Done in the commit of it. */
  also(tx: TenantRunner, stated: ContractFees): Promise<void>;
};

export type FeesStated = ContractFees & {
  /** Payments that no row tells, of what the contract takes. */
  readonly gaps: readonly FeeGap[];
};

/** Answers what was stated. Throws a Refusal with every problem at once. */
export async function stateFees(
  { db, clock }: Pick<Tools, 'db' | 'clock'>,
  account: string,
  { contract: named, written, from, based_on, by, note, also }: Stating,
): Promise<FeesStated> {
  const contracts = await listContracts(db.tenant(account));
  const contract = contracts.find((one) => one.id === named || one.name === named);
  if (!contract) throw refuseField('contract', 'parameter_invalid', 'is none of this account');
  const reading = new Reading(false);
  const table = readFees(written, reading);
  const refusal = refuseProblems(reading.problems);
  if (refusal) throw refusal;
  const row = { ...table, contract_id: contract.id, valid_from: from ?? dayOf(clock.now()) };
  return withTransaction(db, account, async (tx) => {
    // of two that are stated at once one has the next number
    await lockAccount(tx);
    const stated = { ...row, version: await insertFees(tx, { ...row, by, note }) };
    if (based_on !== undefined && stated.version !== based_on + 1)
      throw new Refusal('change_conflict', {
        detail: `version ${stated.version - 1} of these fees was stated meanwhile: look at it first`,
      });
    await also(tx, stated);
    return { ...stated, gaps: gapsOf(table, contract) };
  });
}

/** Payments that no row tells: in currencies and with schemes that the table or the contract names. */
export const gapsOf = (
  table: FeeTable,
  { currencies, methods }: Pick<ContractDetails, 'currencies' | 'methods'>,
): readonly FeeGap[] => feeGaps(table, { currencies, schemes: methods });

/** The fees that hold today, one for each contract that has fees. */
export async function feesToday(
  { db, clock }: Pick<Tools, 'db' | 'clock'>,
  account: string,
): Promise<readonly ContractFees[]> {
  return findFeesOn(db.tenant(account), dayOf(clock.now()));
}

/** The fees that held on a day, for each contract that had fees then; each day is read once. */
export function feesByDay(db: TenantRunner): (day: Day) => Promise<readonly ContractFees[]> {
  const days = new Map<Day, Promise<readonly ContractFees[]>>();
  return (day) => {
    const known = days.get(day) ?? findFeesOn(db, day);
    days.set(day, known);
    return known;
  };
}
