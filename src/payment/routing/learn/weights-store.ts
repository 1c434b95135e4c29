// Statements on what best_of rules have learnt: versions, of which the newest travels with its account.
import type { WeightsInForce } from '../../../core/routing/learn/in-force.ts';
import type { RoutingInForce } from '../../../core/routing/table.ts';
import { type TenantRunner, bytes } from '../../../kit/database.ts';

/** The rows from which an account learns. */
export type LearningRow = {
  readonly routing: RoutingInForce | null;
  /** The experiment that runs, and the rules of its group b. */
  readonly experiment: number | null;
  readonly by_value: boolean;
  readonly compared: RoutingInForce | null;
  readonly weights: WeightsInForce | null;
};

export async function findLearning(db: TenantRunner): Promise<LearningRow | undefined> {
  const rows = await db.run<LearningRow>(
    'find_learning',
    `SELECT
       settings -> 'routing' AS routing, (settings #>> '{experiment,number}')::int AS experiment,
       settings #> '{experiment,table}' AS compared, settings -> 'weights' AS weights,
       EXISTS (
         SELECT
         FROM payment.experiments e
         WHERE e.merchant_account_id = :merchant_account_id
           AND e.number = (settings #>> '{experiment,number}')::int
           AND e.metric = 'value'
       ) AS by_value
     FROM payment.merchant_accounts
     WHERE merchant_account_id = :merchant_account_id`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows[0];
}

/** A next version, unless another process has written it, or rules were published meanwhile. Then false. */
export async function putWeights(db: TenantRunner, weights: WeightsInForce, routing_version: number): Promise<boolean> {
  const rows = await db.run(
    'put_route_weights',
    `WITH written AS (
       UPDATE payment.merchant_accounts
       SET settings = settings || jsonb_build_object('weights', :weights::jsonb)
       WHERE merchant_account_id = :merchant_account_id
         AND coalesce((settings #>> '{weights,version}')::int, 0) = :version - 1
         AND coalesce((settings #>> '{routing,version}')::int, 0) = :routing_version
       RETURNING merchant_account_id
     )
     INSERT INTO payment.route_weights (merchant_account_id, version, weights)
     SELECT merchant_account_id, :version, :weights
     FROM written
     RETURNING 1`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      weights: JSON.stringify(weights),
      version: weights.version,
      routing_version,
    },
  );
  return rows.length > 0;
}

export type WeightsRow = { readonly version: number; readonly at: Date; readonly weights: WeightsInForce };

export async function findWeights(db: TenantRunner, versions: readonly number[]): Promise<readonly WeightsRow[]> {
  return db.run<WeightsRow>(
    'find_route_weights',
    `SELECT version, at, weights
     FROM payment.route_weights
     WHERE merchant_account_id = :merchant_account_id
       AND version = ANY (:versions::int[])`,
    { merchant_account_id: bytes(db.merchant_account_id), versions: [...versions] },
  );
}

/** Versions that no trial asks for any more; the newest, which is in force, stays however old it is. */
export async function forgetWeights(
  db: TenantRunner,
  { days, version }: { readonly days: number; readonly version: number },
): Promise<void> {
  await db.run(
    'forget_route_weights',
    `DELETE FROM payment.route_weights
     WHERE merchant_account_id = :merchant_account_id
       AND at < payment.now() - make_interval(days => :days)
       AND version < :version`,
    { merchant_account_id: bytes(db.merchant_account_id), days, version },
  );
}
