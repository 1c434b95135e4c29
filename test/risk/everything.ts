// One of every statement on risk, for the test that looks at each.
import { parseJson } from '../../src/core/json.ts';
import { dryRun } from '../../src/payment/risk/dry-run.ts';
import { listEntries, putListEntry, removeListEntry } from '../../src/payment/risk/lists.ts';
import { draftOf, publishRules, readRules } from '../../src/payment/risk/publish.ts';
import { assessRisk } from '../../src/payment/risk/assess-store.ts';
import { findListed, forgetSightings } from '../../src/payment/risk/store.ts';
import type { World } from '../world.ts';

/** Leaves nothing in force. */
export async function everyRiskStatement({ service: { tools, demo } }: World): Promise<void> {
  const account = demo?.merchant_account_id ?? '';
  await readRules(tools, account);
  const rules = draftOf(parseJson('[]'));
  await publishRules(tools, account, { rules, by: 'ada' });
  const id = await putListEntry(tools, account, { verdict: 'block', kind: 'customer', value: 'x', by: 'ada' });
  await listEntries(tools, account);
  await dryRun(tools, account, { rules });
  await removeListEntry(tools, account, { id });
  const [order_id, transaction_id] = [tools.chance.id(), tools.chance.id()];
  const nothing = { listed: [], counted: [], recorded: [], amount_minor: 1n, currency: 'EUR' };
  for (const may_record of [true, false])
    await assessRisk(tools, account, { ...nothing, may_record, order_id, transaction_id });
  await findListed(tools.db.tenant(account), []);
  await forgetSightings(tools.db, 1);
}
