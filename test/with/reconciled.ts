// What `florin reconcile --report` finds in what a simulator reports, as it is or changed on the way.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Difference } from '../../src/payment/ledger/reconcile/compare.ts';
import { reportBooks } from '../../src/payment/ledger/reconcile/file.ts';
import { reconcile } from '../../src/payment/ledger/reconcile/reconcile.ts';
import type { World } from '../world.ts';

/** `name`: the account as the provider calls it. `from`: where its simulator shows the report. */
type At = { readonly provider: string; readonly name: string; readonly from: string };

export async function reconciledAt(
  { service, data_dir }: World,
  { provider, name, from }: At,
  change: (report: string) => string = (report) => report,
) {
  const { db, providers } = service.tools;
  const control_url = service.simulators?.get(provider)?.control_url ?? '';
  const said = await (await fetch(`${control_url}/control/${from}`)).text();
  const report = said.startsWith('{') ? (JSON.parse(said) as { report: string }).report : said;
  const path = join(data_dir, 'settlement.csv');
  writeFileSync(path, change(report));
  const merchant_account_id = service.demo?.merchant_account_id ?? '';
  const at = providers.get(provider);
  const source = at && (await reportBooks(path, at, { merchant_account_id, name }));
  if (!source) throw new Error(`the report of ${provider} can be read`);
  const found: Difference[] = [];
  const done = await reconcile({
    db,
    source,
    in_flight: new Map(),
    account: merchant_account_id,
    found: async (difference) => void found.push(difference),
    progress: () => undefined,
  });
  return { ...done, others: [...source.others], found: found.map(({ kind, what }) => `${kind} ${what}`) };
}
