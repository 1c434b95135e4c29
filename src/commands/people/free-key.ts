// florin account free-key: releases a key text that the wrong account imported, so that the right account may import it
// (decision 162).
import { StartError } from '../../kit/start-error.ts';
import { withTransaction } from '../../kit/database.ts';
import { writeAudit } from '../../backoffice/audit/audit.ts';
import { findHolder, freeKey, unnameKey } from '../../payment/merchant/named-keys-store.ts';
import { endKeyLater, listKeys } from '../../payment/merchant/store.ts';
import type { Words } from '../arguments.ts';
import { openMoney } from '../ledger/session.ts';
import { readKeyLines } from './key-lines.ts';

export const BY = { actor: 'command line', source: 'this machine' };

export async function freeKeyCommand(words: Words): Promise<void> {
  const [digest] = readKeyLines(words.needed('file'), 1);
  if (digest === undefined) throw new StartError('The file names no key.');
  await using money = await openMoney();
  const { db } = money.tools;
  const holder = await findHolder(db, digest);
  if (!holder) throw new StartError('No account has or had this key: it is free.');
  const { id, merchant_account_id, name } = holder;
  const whose = `The account ${merchant_account_id} (${name})`;
  const ended = await withTransaction(db, merchant_account_id, async (tx) => {
    const key = (await listKeys(tx)).find((row) => row.id === id);
    const used = key?.last_used_at?.toISOString() ?? null;
    if (used !== null && !words.flag('used'))
      throw new StartError(
        `${whose} used this key, the last time at ${used}: it may be its own. With --used it is ended and freed all the same.`,
      );
    const freed = await freeKey(tx, id);
    if (freed) await unnameKey(tx, digest);
    else await endKeyLater(tx, id, 0);
    const action = freed ? 'API key freed' : 'API key ended by an operator';
    await writeAudit(tx, BY, { action, object: id, detail: { label: key?.label, last_used_at: used } });
    return !freed;
  });
  console.log(
    ended
      ? `${whose} has this key, which ends now. Once a worker has taken it from the vault, in some seconds, say this again to free it.`
      : `${whose} had this key, and it is free. Name it for the account whose it is: florin account keys ID --file FILE`,
  );
}
