// A write of the management of notifications under an Idempotency-Key (contract 2.9): done once, answered again as it stands now.
import { refuseField } from '../../core/refusals.ts';
import { sha256 } from '../../kit/crypto.ts';
import { type TenantRunner, withTransaction } from '../../kit/database.ts';
import type { Answer, RouteRequest } from '../../kit/http/route.ts';
import type { Account } from '../merchant/account.ts';
import type { Tools } from '../tools.ts';
import { type Key, findTakenKey, takeKey } from './endpoint/store.ts';

/** A request to write; `also`: what else is done in the commit of it, which the API has no need of. */
export type WriteRequest<B, T> = RouteRequest<Account, B, unknown> & {
  readonly also?: (tx: TenantRunner, done: T) => Promise<void>;
};

export type Write<T> = {
  /** What the key will stand for. */
  readonly object_id: string;
  /** Within one transaction with the key; what it throws takes the key back too. */
  work(tx: TenantRunner): Promise<T>;
  /** After the commit. */
  answer(done: T): Promise<Answer>;
  /** The key was used for this object. */
  again(object_id: string): Promise<Answer>;
};

export async function once<T>(tools: Tools, request: WriteRequest<unknown, T>, write: Write<T>): Promise<Answer> {
  const { merchant_account_id } = request.caller;
  const key = keyOf(request);
  const done = await withTransaction(tools.db, merchant_account_id, async (tx) => {
    if (key && !(await takeKey(tx, key, write.object_id))) return undefined;
    const value = await write.work(tx);
    await request.also?.(tx, value);
    return { value };
  });
  if (done) return write.answer(done.value);
  const taken = key && (await findTakenKey(tools.db.tenant(merchant_account_id), key));
  if (!taken) throw new Error('a key that could not be taken is there');
  if (taken.fingerprint !== key.fingerprint)
    throw refuseField('Idempotency-Key', 'idempotency_mismatch', 'was used with another body');
  return { ...(await write.again(taken.object_id)), headers: { 'idempotent-replayed': 'true' } };
}

function keyOf({ idempotency_key, canonical, path, params }: RouteRequest<Account, unknown, unknown>): Key | undefined {
  if (idempotency_key === undefined) return undefined;
  const route = path.replace(/:([a-z_]+)/g, (_, name: string) => params[name] ?? '');
  return { route, key: idempotency_key, fingerprint: sha256(canonical()) };
}
