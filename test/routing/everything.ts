// One of every statement on routing and the health of providers, for the test that looks at each.
import { parseJson } from '../../src/core/json.ts';
import { WELL } from '../../src/core/routing/health.ts';
import {
  findHealth,
  findHealthChanges,
  findUnwatched,
  forgetCounts,
  holdProvider,
  insertCounts,
  putWatch,
} from '../../src/payment/routing/health-store.ts';
import { draftRoutes, publishRoutes, readRoutes, rollBackRoutes } from '../../src/payment/routing/publish.ts';
import {
  findUnwatchedFamilies,
  findUnwellFamilies,
  forgetDeclineCounts,
  insertDeclineCounts,
  putWatches,
} from '../../src/payment/routing/watch-store.ts';
import { findContractHolds, holdContract } from '../../src/payment/routing/hold-store.ts';
import { findOpenProviders, findRoutedCells } from '../../src/payment/routing/store.ts';
import { tryRoutes } from '../../src/payment/routing/try.ts';
import type { World } from '../world.ts';

/** Leaves nothing in force. */
export async function everyRouteStatement({ service: { tools, demo } }: World): Promise<void> {
  const account = demo?.merchant_account_id ?? '';
  const { draft } = await draftRoutes(tools, account, parseJson('[]'));
  await publishRoutes(tools, account, { draft, by: 'ada' });
  await rollBackRoutes(tools, account, { to: 0, by: 'ada' });
  await readRoutes(tools, account);
  await tryRoutes(tools, account, { draft });
  await findRoutedCells(tools.db.tenant(account), 30);
  await findOpenProviders(tools.db);
  await findHealth(tools.db);
  await findHealthChanges(tools.db, 24);
  await insertCounts(tools.db, [{ provider: 'nobody', seen: 1, bad: 0, slow: 0 }]);
  await findUnwatched(tools.db);
  const at = new Date();
  await putWatch(tools.db, { name: 'nobody', watch: WELL, watched_to: at, to: at, from: 'closed', reason: 'a test' });
  await holdProvider(tools.db, { name: 'nobody', held: null, by: 'ada', reason: 'a test' });
  await forgetCounts(tools.db);
  await findContractHolds(tools.db);
  const holding = { id: '00'.repeat(12), held: null, until: null, by: 'ada', reason: 'a test' };
  await holdContract(tools.db.tenant(account), holding);
  const of = { family: 'nobody visa', contract_id: '00'.repeat(12), provider: 'nobody' };
  await insertDeclineCounts(tools.db, [{ ...of, seen: 1, bad: 0 }]);
  await findUnwatchedFamilies(tools.db);
  await findUnwellFamilies(tools.db);
  await putWatches(tools.db, [{ ...of, watches: {}, unwell: false, watched_to: at, to: at }], []);
  await forgetDeclineCounts(tools.db);
}
