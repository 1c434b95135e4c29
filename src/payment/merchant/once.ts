// A write of what a merchant manages (endpoints, payment links, later tries) under an Idempotency-Key (contract 2.9):
// done once, answered again as it stands now.
import { type TenantRunner, afterCommit, withTransaction } from '../../kit/database.ts';
import { type Key, isRepeat, keyOf, repeatOf, replayed } from '../../kit/http/idempotency.ts';
import type { Answer, Repeated, RouteRequest } from '../../kit/http/route.ts';
import type { Account } from './account.ts';
import { type Kept, findUsedKey, keepDone, takeKey } from '../store.ts';
import type { Tools } from '../tools.ts';

/** A request to write; `also`: what else is done in the commit of it, which the API has no need of. */
export type WriteRequest<B, T> = RouteRequest<Account, B, unknown> & {
  readonly also?: (tx: TenantRunner, done: T) => Promise<void>;
};

export type Write<T> = {
  /** The object that the key will stand for. */
  readonly object_id: string;
  /** Within one transaction with the key; what it throws takes the key back too. */
  work(tx: TenantRunner): Promise<T>;
  /** Makes the answer, after the commit. */
  answer(done: T): Promise<Answer>;
  /** What of the answer cannot be read anew: a repeat gets it back. */
  keep?(done: T): Kept;
  /** The key was used for this object; `kept`: null of an earlier version. */
  again(object_id: string, kept: Kept | null): Promise<Answer>;
};

export async function once<T>(tools: Tools, request: WriteRequest<unknown, T>, write: Write<T>): Promise<Answer> {
  const { merchant_account_id } = request.caller;
  const key = ownKey(request);
  const done = await withTransaction(tools.db, merchant_account_id, async (tx) => {
    if (key && !(await takeKey(tx, key, write.object_id))) return undefined;
    const value = await write.work(tx);
    await request.also?.(tx, value);
    if (key && write.keep) await keepDone(tx, key, write.keep(value));
    return { value };
  });
  if (done) return afterCommit(() => write.answer(done.value));
  const taken = repeatOf(await findUsedKey(tools.db.tenant(merchant_account_id), key), key);
  if (!taken) throw new Error('a key that could not be taken is there');
  return replayed(await write.again(taken.object_id, taken.done));
}

/** Whether the key was used by an equal request before. Throws if it came with another body. */
export async function wasUsed(tools: Tools, request: Keyed & Pick<Repeated<Account>, 'caller'>): Promise<boolean> {
  const key = ownKey(request);
  const used = await findUsedKey(tools.db.tenant(request.caller.merchant_account_id), key);
  return repeatOf(used, key) !== undefined;
}

/**
 * What an equal request did under the same key, where this one would be refused by what has changed since. Undefined:
 * nothing.
 */
export async function before(
  tools: Tools,
  request: Repeated<Account>,
  again: Write<unknown>['again'],
): Promise<Answer | undefined> {
  const key = ownKey(request);
  const used = await findUsedKey(tools.db.tenant(request.caller.merchant_account_id), key);
  return used && key && isRepeat(used, key) ? replayed(await again(used.object_id, used.done)) : undefined;
}

type Keyed = Pick<Repeated<Account>, 'path' | 'params' | 'idempotency_key' | 'canonical'>;

/** A key belongs to the full path. */
function ownKey(request: Keyed): Key | undefined {
  const { path, params } = request;
  return keyOf(
    request,
    path.replace(/:([a-z_]+)/g, (_, name: string) => params[name] ?? ''),
  );
}
