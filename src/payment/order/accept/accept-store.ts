// The two statements that begin an attempt: of a new order (POST) and of one that was declined (PUT). Every write is
// guard, then effect, in one statement: one round trip and one commit. What they do alike stands in
// facts/parts-store.ts.
import { momentOf } from '../../../core/ids.ts';
import type { OrderStatus } from '../../../core/states.ts';
import { type Database, type RunRow, type Runner, askRow, askedOnce, bytes } from '../../../kit/database.ts';
import { type OrderCustomer, customerParameters } from '../../customer/of-order.ts';
import type { Contract } from '../../merchant/account.ts';
import { type Begun, type Guard, begunOf, guardParameters } from '../../declines/guard.ts';
import type { HeldNote } from '../../declines/held.ts';
import type { RiskNote } from '../../risk/note.ts';
import type { RouteKept } from '../../routing/note.ts';
import { type Key, keyParameters } from '../../store.ts';
import { type CardInfo, isNetworkToken } from '../../vault-link.ts';
import type { NewAuthentication } from '../authentication/authentication-store.ts';
import {
  KEEP_TOKEN,
  NEW_EVENT,
  NEW_OPERATION,
  NEW_TRANSACTION,
  SEEN_CUSTOMER,
  TAKES_ATTEMPT,
  customerOrder,
} from '../facts/parts-store.ts';
import {
  ACCEPT_GUARDED_ORDER,
  ACCEPT_ORDER,
  ACCEPT_PLAIN_ORDER,
  ASKED,
  counted,
  mayBegin,
} from './accept-parts-store.ts';
import { type Answered, partsOf, withMore } from './guarded-store.ts';
import { withRetries } from './with-retries.ts';
import type { Before } from '../facts/attempt-fields.ts';
import { passedStatuses } from '../facts/history.ts';

export type NewOrder = {
  readonly order_id: string;
  readonly transaction_id: string;
  /** Null: nothing is sent to a provider (no route, or refused before). */
  readonly operation_id: string | null;
  readonly checkout_id: string | null;
  readonly order_merchant_id: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly body: string;
  readonly fingerprint: string;
  readonly now: Date;
  readonly status: OrderStatus;
  readonly live: boolean;
  readonly max_attempts: number;
  readonly provider: string;
  readonly contract_id: string | null;
  /** Contracts of other providers that fit too, in order. */
  readonly fallbacks: readonly Contract[];
  readonly token_hash: string;
  /** Asked for before anything is sent to a provider; undefined: not. */
  readonly authentication: NewAuthentication | undefined;
  readonly payment_method_name: string;
  readonly card: CardInfo;
  readonly with_capture: boolean;
  readonly lease_s: number;
  readonly code: string;
  /** The risk that was assessed before; null: none was. */
  readonly risk: RiskNote | null;
  /** It must be the only successful order of its order_merchant_id. */
  readonly unique: boolean;
  /** The limits of its card's scheme that it must keep; undefined: none is asked for. */
  readonly guard: Guard | undefined;
  /** The limits of the card's scheme held the attempt back, and nothing is sent. */
  readonly held: HeldNote | null;
  /** Why this contract; null: no rules, the first that fits. */
  readonly chosen: RouteKept | null;
  /** Null: no request asked for it, its time has come. */
  readonly request_id: string | null;
  /** The customer it is counted for once it succeeds, and the token to save then (contract 9.1). */
  readonly customer: OrderCustomer | undefined;
  readonly key: Key | undefined;
};

export type NextAttempt = NewOrder & {
  /** The version of the order when it was read. */
  readonly version: number;
  /** Number of the transaction within its order, from 1. */
  readonly attempt: number;
  /**
   * The order's later tries: this attempt is the next of them (`takes`), or ends them (`ends`); null: none of them
   * waits.
   */
  readonly retries: 'takes' | 'ends' | null;
  /** What the attempts before keep of what they were sent with. */
  readonly before: Before;
};

/**
 * T1 of a new order: stores order, transaction and intent, counts the attempt, all or nothing. Overtaken: the checkout
 * or the key refused it. In one commit with the authentication that comes first; without one the commit is shared with
 * others that arrive meanwhile.
 */
export function acceptOrder(db: Database, merchant_account_id: string, order: NewOrder): Promise<Begun> {
  const accept = (runner: Running) => acceptOrderIn(runner, merchant_account_id, order);
  if (order.authentication || order.guard || order.unique)
    return withMore(db, { ...order, merchant_account_id }, accept);
  return accept({ run: db.tenant(merchant_account_id).batch });
}

type Running = { readonly run: RunRow };

async function acceptOrderIn(db: Running, merchant_account_id: string, order: NewOrder): Promise<Begun> {
  const parameters = attemptParameters(merchant_account_id, { ...order, attempt: 1 });
  if (order.guard) return begunOf(await db.run<Answered>('accept_guarded_order', ACCEPT_GUARDED_ORDER, parameters));
  const shape = order.key || order.customer ? ACCEPT_ORDER : ACCEPT_PLAIN_ORDER;
  return (await askRow(db.run, shape, parameters)) === undefined ? 'overtaken' : 'begun';
}

/**
 * T1 of a retry: the next attempt of an order that was declined, counted on order and checkout, all or nothing.
 * Overtaken: the order moved since `version`, or checkout, attempts or key refuse it. Its commit is its own: it locks a
 * row that others may hold.
 */
export function retryOrder(db: Database, merchant_account_id: string, next: NextAttempt): Promise<Begun> {
  const retry = (runner: Runner) => retryOrderIn(runner, merchant_account_id, next);
  if (next.retries === null && !next.authentication && !next.guard && !next.unique)
    return retry(db.tenant(merchant_account_id));
  const within = { ...next, merchant_account_id };
  return withMore(db, within, (tx) => withRetries(tx, within, retry));
}

/**
 * The authorization of a retry has its own expiry date, because that of the order may be over already. A later try uses
 * up no attempt of the merchant's.
 */
async function retryOrderIn(
  db: Runner,
  merchant_account_id: string,
  { retries, ...next }: NextAttempt,
): Promise<Begun> {
  const { free, may, open, or_held } = partsOf(next.guard !== undefined, 'declined_order');
  // one statement: order, transaction, intent, count and key are stored in one commit and one round trip, or none of
  // them
  const text = `WITH ${askedOnce(ASKED)},
     declined_order AS (
       SELECT asked.*
       FROM asked
       JOIN payment.orders ON orders.id = asked.order_id
       LEFT JOIN payment.checkouts
         ON checkouts.id = orders.checkout_id
         AND checkouts.merchant_account_id = :merchant_account_id
       WHERE orders.merchant_account_id = :merchant_account_id
         AND orders.version = :version
         AND orders.checkout_id IS NOT DISTINCT FROM asked.checkout_id
         AND orders.winner_id IS NULL
         AND NOT orders.live
         AND CASE
           WHEN :is_later THEN true
           WHEN checkouts.id IS NULL
             THEN orders.attempts < least(orders.max_attempts, asked.max_attempts)
           ELSE ${TAKES_ATTEMPT}
         END
       FOR NO KEY UPDATE OF orders
     ),
     ${free}
     ${mayBegin(may)}
     ${counted('may_begin')}
     attempt AS (
       UPDATE payment.orders
       SET
         version = version + accepted.statuses,
         next_seq = next_seq + 1,
         attempts = attempts + CASE WHEN :is_later THEN 0 ELSE 1 END,
         updated_at = payment.now(),
         status = accepted.status,
         live = accepted.live,
         order_merchant_id = accepted.order_merchant_id,
         body = accepted.body,
         max_attempts = accepted.max_attempts
       FROM accepted
       WHERE orders.id = accepted.order_id
         AND orders.merchant_account_id = :merchant_account_id
       RETURNING
         accepted.*, orders.updated_at AS at, orders.version AS new_version, next_seq - 1 AS seq
     ),
     attempt_before AS (
       UPDATE payment.transactions
       SET
         otherwise = CASE
           WHEN transactions.attempt = :attempt_before::smallint THEN :otherwise::json
           ELSE payment.without_members(transactions.otherwise, :forgets)
         END
       FROM attempt
       WHERE transactions.order_id = attempt.order_id
         AND transactions.merchant_account_id = :merchant_account_id
         AND transactions.attempt <= :attempt_before::smallint
         AND (transactions.attempt = :attempt_before::smallint
           OR (:forgets::text IS NOT NULL AND transactions.otherwise IS NOT NULL))
         AND :otherwise::json IS NOT NULL
     ),
     ${NEW_TRANSACTION},
     ${NEW_OPERATION},
     new_expiry AS (
       INSERT INTO payment.lapses (
         merchant_account_id, order_id,
         due_at)
       SELECT
         :merchant_account_id, attempt.order_id,
         attempt.at + make_interval(days => contracts.authorization_days)
       FROM attempt
       JOIN payment.contracts
         ON contracts.id = attempt.contract_id
         AND contracts.merchant_account_id = :merchant_account_id
       ON CONFLICT (merchant_account_id, order_id) DO UPDATE SET due_at = excluded.due_at
     ),
     ${SEEN_CUSTOMER},
     ${customerOrder(KEEP_TOKEN)},
     ${open}
     ${NEW_EVENT}
     SELECT n, NULL::json AS held FROM attempt
     ${or_held}`;
  const parameters = {
    ...attemptParameters(merchant_account_id, next),
    version: next.version,
    is_later: retries === 'takes',
    attempt_before: next.attempt - 1,
    otherwise: next.before.otherwise && JSON.stringify(next.before.otherwise),
    forgets: next.before.forgets,
  };
  if (next.guard) return begunOf(await db.run<Answered>('retry_guarded_order', text, parameters));
  return begunOf(await db.run<Answered>('retry_order', text, parameters));
}

function attemptParameters(merchant_account_id: string, attempt: NewOrder & { readonly attempt: number }) {
  const { card, key, fallbacks: _, authentication: _later, unique: _unique, customer, chosen, guard, ...row } = attempt;
  return {
    ...row,
    ...customerParameters(customer),
    ...keyParameters(key),
    ...(guard && guardParameters(guard, row.now)),
    // an order is as old as its id says: so lists, which go by the id, are in the order of the dates that they show
    made_at: momentOf(row.order_id),
    merchant_account_id: bytes(merchant_account_id),
    order_id: bytes(row.order_id),
    transaction_id: bytes(row.transaction_id),
    operation_id: bytes(row.operation_id),
    checkout_id: bytes(row.checkout_id),
    contract_id: bytes(row.contract_id),
    request_id: bytes(row.request_id),
    token_hash: bytes(row.token_hash),
    fingerprint: bytes(row.fingerprint),
    token_type: card.kind,
    statuses: passedStatuses(row).length,
    card_digest: bytes(card.card_digest),
    first6: card.first6,
    last4: card.last4,
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    network_token: isNetworkToken(card),
    risk: row.risk && JSON.stringify(row.risk),
    held: row.held && JSON.stringify(row.held),
    route_note: chosen && JSON.stringify(chosen.note),
  };
}
