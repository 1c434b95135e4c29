// Statements on the fees of contracts: versions that are kept for good.
import type { ContractFees } from '../../core/routing/fees.ts';
import type { Day } from '../../core/retries/day.ts';
import { type TenantRunner, bytes } from '../../kit/database.ts';

export type FeesRow = ContractFees & {
  readonly by_name: string;
  readonly note: string | null;
  readonly at: Date;
};

/** Everything that was stated of the account's contracts, the newest first; at most 1000. */
export async function findFees(db: TenantRunner): Promise<readonly FeesRow[]> {
  return db.run<FeesRow>(
    'find_contract_fees',
    `SELECT
       contract_id, version, to_char(valid_from, 'YYYY-MM-DD') AS valid_from, acquirer_country,
       fees, by_name, note, at
     FROM payment.contract_fees
     WHERE merchant_account_id = :merchant_account_id
     ORDER BY at DESC, contract_id, version DESC
     LIMIT 1000`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
}

/** The fees that hold on a day, one row for each contract that has fees then. */
export async function findFeesOn(db: TenantRunner, day: Day): Promise<readonly ContractFees[]> {
  return db.run<ContractFees>(
    'find_contract_fees_on',
    `SELECT DISTINCT ON (contract_id)
       contract_id, version, to_char(valid_from, 'YYYY-MM-DD') AS valid_from, acquirer_country,
       fees
     FROM payment.contract_fees
     WHERE merchant_account_id = :merchant_account_id
       AND valid_from <= :day::date
     ORDER BY contract_id, valid_from DESC, version DESC`,
    { merchant_account_id: bytes(db.merchant_account_id), day },
  );
}

/** Answers its version. In a transaction that holds the account: the number is the next one. */
export async function insertFees(
  db: TenantRunner,
  {
    contract_id,
    valid_from,
    acquirer_country,
    fees,
    by,
    note,
  }: Omit<ContractFees, 'version'> & { by: string; note: string | null },
): Promise<number> {
  const [row] = await db.run<{ version: number }>(
    'insert_contract_fees',
    `INSERT INTO payment.contract_fees (
       merchant_account_id, contract_id, version,
       valid_from, acquirer_country, fees, by_name, note)
     SELECT
       :merchant_account_id::bytea, :contract_id::bytea, coalesce(max(version), 0) + 1,
       :valid_from::date, :acquirer_country, :fees::json, :by, :note
     FROM payment.contract_fees
     WHERE merchant_account_id = :merchant_account_id
       AND contract_id = :contract_id
     RETURNING version`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      contract_id: bytes(contract_id),
      valid_from,
      acquirer_country,
      fees: JSON.stringify(fees),
      by,
      note,
    },
  );
  return row?.version ?? 0;
}
