// Statements on contracts that a person of their account holds.
import { type Runner, type TenantRunner, bytes } from '../../kit/database.ts';

export type Held = 'open' | 'closed';

/** The held contracts of all accounts; ends holds whose time is over. */
export async function findContractHolds(db: Runner): Promise<readonly { readonly id: string; readonly held: Held }[]> {
  return db.run<{ id: string; held: Held }>(
    'find_contract_holds',
    `-- any account: every process acts on all of them
     SELECT contract_id AS id, held FROM payment.contract_holds()`,
  );
}

export type Holding = {
  readonly id: string;
  /** Null: it is what its calls say again. */
  readonly held: Held | null;
  /** Null: until it is let go. */
  readonly until: Date | null;
  readonly by: string;
  readonly reason: string;
};

/** Kept among the changes of health, for the strip. False: there is no such contract. */
export async function holdContract(db: TenantRunner, { id, held, until, by, reason }: Holding): Promise<boolean> {
  const rows = await db.run(
    'hold_contract',
    `WITH before AS (
       SELECT held
       FROM payment.contracts
       WHERE id = :id
         AND merchant_account_id = :merchant_account_id
     ),
     written AS (
       UPDATE payment.contracts
       SET held = :held, held_until = :until
       WHERE id = :id
         AND merchant_account_id = :merchant_account_id
       RETURNING id, provider
     )
     INSERT INTO payment.health_changes (
       provider, contract_id, from_state, to_state, reason, by_name)
     SELECT
       written.provider, written.id, coalesce(before.held, 'closed'),
       coalesce(:held, 'closed'), :reason, :by
     FROM written, before
     RETURNING 1`,
    {
      id: bytes(id),
      merchant_account_id: bytes(db.merchant_account_id),
      held,
      until: held === null ? null : (until ?? 'infinity'),
      by,
      reason,
    },
  );
  return rows.length > 0;
}
