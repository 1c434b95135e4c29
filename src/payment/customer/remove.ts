// DELETE /payment/information/id (contract 9.3): the items go and their tokens are put on a list, in one commit; then
// the vault deletes the cards. If a process dies in between, the worker goes on until the vault has done it.
import { refuseField } from '../../core/refusals.ts';
import { result } from '../../core/results.ts';
import { sha256 } from '../../kit/crypto.ts';
import type { InCommit, TenantRunner } from '../../kit/database.ts';
import { keyOf, repeatOf, replayed } from '../../kit/http/idempotency.ts';
import type { Answer, RouteRequest } from '../../kit/http/route.ts';
import type { Account } from '../merchant/account.ts';
import { findUsedKey } from '../store.ts';
import type { Tools } from '../tools.ts';
import { customerUnknown, recordView } from './read.ts';
import { locked, lookUp } from './record.ts';
import type { RemovalRequest } from './request.ts';
import { type CustomerRow, countOrders, findCustomer } from './store.ts';
import {
  type ClaimedRemoval,
  type Removal,
  claimRemovals,
  finishRemoval,
  isNeeded,
  removeCards,
} from './removal-store.ts';

const ROUTE = 'DELETE /payment/information/id';

type RemovalIncoming = Pick<
  RouteRequest<Account, RemovalRequest, unknown>,
  'caller' | 'body' | 'request_id' | 'idempotency_key' | 'canonical'
> & {
  /** Done in the commit that removes. */
  readonly also?: InCommit;
};

export async function removeSavedCards(tools: Tools, request: RemovalIncoming): Promise<Answer> {
  const { caller, body } = request;
  const db = tools.db.tenant(caller.merchant_account_id);
  const before = await replayOf(tools, db, request);
  if (before) return before;
  const done = await locked(tools, db, {
    customer_id: body.customer_id,
    work: (tx) => remove(tx, request),
  });
  if (!done) throw customerUnknown();
  if (!done.tokens) {
    // an equal request may have taken the key in the meantime; if not, what was named is not this customer's
    const again = await replayOf(tools, db, request);
    if (again) return again;
    throw notTheirs(body);
  }
  for (const token_hash of done.tokens)
    await tellVault(tools, { token_hash, merchant_account_id: caller.merchant_account_id, tries: 0 });
  return { body: recordView(tools, caller, done.row) };
}

/** The record as it stands now, when this Idempotency-Key was used with the same body. */
async function replayOf(tools: Tools, db: TenantRunner, request: RemovalIncoming): Promise<Answer | undefined> {
  const key = keyOf(request, ROUTE);
  if (!repeatOf(await findUsedKey(db, key), key)) return undefined;
  const row = await lookUp(tools, db.merchant_account_id, request.body.customer_id);
  if (!row) throw new Error('a customer whose cards were removed is there');
  return replayed({ body: recordView(tools, request.caller, row) });
}

function removalOf(request: RemovalIncoming): Removal {
  const { customer_id, id, token } = request.body;
  return {
    customer_id,
    id: id ?? null,
    token_hash: token === undefined ? null : sha256(Buffer.from(token, 'hex')),
    request_id: request.request_id,
    code: result('customer_updated').code,
    key: keyOf(request, ROUTE),
  };
}

type Done = { readonly row: CustomerRow; readonly tokens: readonly string[] | undefined };

/** Cards that were saved by orders which are not counted yet are saved first, and then removed. */
async function remove(tx: TenantRunner, request: RemovalIncoming): Promise<Done> {
  const removal = removalOf(request);
  await countOrders(tx, removal.customer_id);
  const rows = await removeCards(tx, removal);
  if (rows.length > 0) await request.also?.(tx);
  const row = await findCustomer(tx, removal.customer_id);
  if (!row) throw new Error('a locked customer is there');
  const tokens = rows.flatMap(({ token_hash }) => (token_hash === null ? [] : [token_hash]));
  return { row, tokens: rows.length === 0 ? undefined : tokens };
}

function notTheirs({ token, id }: RemovalRequest) {
  if (token !== undefined && id !== undefined)
    return refuseField('id', 'parameter_invalid', 'and token do not name the same saved card of this customer');
  return refuseField(token === undefined ? 'id' : 'token', 'parameter_invalid', 'is no saved card of this customer');
}

const LEASE_S = 20;

/** Takes removals the vault has not confirmed, and repeats them; answers how many there were. */
export async function finishRemovals(tools: Tools, room: number): Promise<number> {
  const claimed = await claimRemovals(tools.db.looks, { room, lease_s: LEASE_S });
  await Promise.all(claimed.map((removal) => tellVault(tools, removal)));
  return claimed.length;
}

/** Tells the vault; what could not be done, or not yet, stays on the list. */
async function tellVault(tools: Tools, { merchant_account_id, token_hash }: ClaimedRemoval): Promise<void> {
  const db = tools.db.tenant(merchant_account_id);
  try {
    const still_needed = await isNeeded(db, token_hash);
    if (await tools.vault.remove({ token_hash, merchant_account_id, still_needed }))
      await finishRemoval(db, token_hash);
  } catch (error) {
    tools.log.warn({ error: String(error) }, 'a saved card is removed, and the vault will be told again');
  }
}
