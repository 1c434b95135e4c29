// A write of the management of notifications under an Idempotency-Key (contract 2.9): done once, answered again as it stands now.
import { refuseField } from '../../core/refusals.ts';
import { sha256 } from '../../kit/crypto.ts';
import type { Answer, Incoming } from '../../kit/http/route.ts';
import type { Account } from '../merchant/account.ts';
import type { Tools } from '../tools.ts';
import { type Key, type Tx, findTakenKey, takeKey } from './endpoint/store.ts';

type Asked = Incoming<Account, unknown, unknown>;

export type Write<T> = {
  /** What the key will stand for. */
  readonly object_id: string;
  /** Within one transaction with the key; what it throws takes the key back too. */
  work(tx: Tx): Promise<T>;
  /** After the commit. */
  answer(done: T): Promise<Answer>;
  /** The key was used for this object. */
  again(object_id: string): Promise<Answer>;
};

export async function once<T>(tools: Tools, request: Asked, write: Write<T>): Promise<Answer> {
  const { merchant_account_id } = request.caller;
  const key = keyOf(request);
  const done = await tools.db.begin(merchant_account_id, async (runner) => {
    const tx = { ...runner, merchant_account_id };
    if (key && !(await takeKey(tx, key, write.object_id))) return undefined;
    return { value: await write.work(tx) };
  });
  if (done) return write.answer(done.value);
  const taken = key && (await findTakenKey(tools.db.tenant(merchant_account_id), key));
  if (!taken) throw new Error('a key that could not be taken is there');
  if (taken.fingerprint !== key.fingerprint)
    throw refuseField('Idempotency-Key', 'idempotency_mismatch', 'was used with another body');
  return { ...(await write.again(taken.object_id)), headers: { 'idempotent-replayed': 'true' } };
}

function keyOf({ idempotency_key, canonical, path, params }: Asked): Key | undefined {
  if (idempotency_key === undefined) return undefined;
  const route = path.replace(/:([a-z_]+)/g, (_, name: string) => params[name] ?? '');
  return { route, key: idempotency_key, fingerprint: sha256(canonical()) };
}
