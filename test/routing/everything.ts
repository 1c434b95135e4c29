// One of every statement on routing and the health of providers, for the test that looks at each.
import { takeRound } from '../../src/payment/jobs-store.ts';
import { parseJson } from '../../src/core/json.ts';
import { WELL } from '../../src/core/routing/health.ts';
import {
  findHealth,
  findHealthChanges,
  findOpenProviders,
  findUnwatched,
  forgetCounts,
  holdProvider,
  insertCounts,
  putWatch,
} from '../../src/payment/routing/health-store.ts';
import { draftRoutes, publishRoutes, readRoutes, rollBackRoutes } from '../../src/payment/routing/publish.ts';
import { putVerdict, replaceGroupCounts } from '../../src/payment/routing/learn/experiments-store.ts';
import { endExperiment, startExperiment } from '../../src/payment/routing/learn/experiments.ts';
import { readExperiments } from '../../src/payment/routing/learn/compared-view.ts';
import { learner } from '../../src/payment/routing/learn/learn.ts';
import { readLearnt } from '../../src/payment/routing/learn/learnt.ts';
import { findOutcomes, replaceCounts } from '../../src/payment/routing/learn/outcomes-store.ts';
import { findWeights } from '../../src/payment/routing/learn/weights-store.ts';
import {
  findUnwatchedFamilies,
  findUnwellFamilies,
  forgetDeclineCounts,
  insertDeclineCounts,
  putWatches,
} from '../../src/payment/routing/watch-store.ts';
import { findFees } from '../../src/payment/routing/fees-store.ts';
import { stateFees } from '../../src/payment/routing/fees.ts';
import { findContractHolds, holdContract } from '../../src/payment/routing/hold-store.ts';
import { findOrderBeyond, findRoutedCells } from '../../src/payment/routing/cells-store.ts';
import { tryRoutes } from '../../src/payment/routing/try.ts';
import type { World } from '../world.ts';

/** Leaves nothing in force. */
export async function everyRouteStatement(w: World): Promise<void> {
  const { tools } = w.service;
  const account = w.account;
  const { draft } = await draftRoutes(tools, account, parseJson('[]'));
  await publishRoutes(tools, account, { draft, by: 'ada' });
  await rollBackRoutes(tools, account, { to: 0, by: 'ada' });
  await readRoutes(tools, account);
  const written = parseJson('[{"percent":"1"}]');
  const also = async () => undefined;
  await stateFees(tools, account, { contract: 'simulator', written, by: 'ada', note: null, also });
  await findFees(tools.db.tenant(account));
  await tryRoutes(tools, account, { draft });
  await everyLearningStatement(w.service.tools, account);
  const after = '0'.repeat(24);
  await findOrderBeyond(tools.db.tenant(account), { after, most: 1 });
  await findRoutedCells(tools.db.tenant(account), { after });
  await findOpenProviders(tools.db);
  await findHealth(tools.db);
  await findHealthChanges(tools.db, 24);
  await insertCounts(tools.db, [{ provider: 'nobody', seen: 1, bad: 0, slow: 0 }]);
  await findUnwatched(tools.db);
  const at = new Date();
  await putWatch(tools.db, { name: 'nobody', watch: WELL, watched_to: at, to: at, from: 'closed', reason: 'a test' });
  await holdProvider(tools.db, {
    name: 'nobody',
    held: null,
    until: null,
    by: 'ada',
    reason: 'a test',
    told: 'a test',
  });
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

async function everyLearningStatement(tools: World['service']['tools'], account: string): Promise<void> {
  const best = { rules: [{ name: 'best', then: { best_of: ['simulator', 'simulator_b'] } }] };
  const learning = await draftRoutes(tools, account, parseJson(JSON.stringify(best)));
  await publishRoutes(tools, account, { draft: learning.draft, by: 'ada' });
  const db = tools.db.tenant(account);
  await findOutcomes(db, { after: '0'.repeat(24), until: 'f'.repeat(24), by_card: true, by_value: true });
  const one = { rule: 'best', since: 1, cell: '', contract_id: account, controlled: false };
  await replaceCounts(db, 1, [{ ...one, hour: 1, tried: 1, approved: 1, amount_minor: 1 }]);
  await takeRound(tools.db, 'a test', 60);
  await learner(tools, { stopped: async () => undefined, compared: async () => undefined })();
  await readLearnt(tools, account);
  await findWeights(db, [1]);
  const both = await publishRoutes(tools, account, {
    draft: (await draftRoutes(tools, account, parseJson('[]'))).draft,
    by: 'ada',
  });
  const also = async () => undefined;
  const asked = {
    share: 5000,
    subject: 'order',
    method: 'sequential',
    metric: 'approval',
    days: 7,
    by: 'ada',
    reason: 'a test',
  } as const;
  const number = await startExperiment(tools, account, { ...asked, version_b: both - 1, also });
  await learner(tools, { stopped: also, compared: also })();
  await replaceGroupCounts(db, { number, hour: 1 }, [{ arm: 'a', hour: 1, decided: 1, approved: 1, kept: null }]);
  await readExperiments(tools, account);
  await putVerdict(db, number, 'none');
  await endExperiment(tools, account, { number, by: 'ada', reason: 'a test', also });
  await rollBackRoutes(tools, account, { to: 0, by: 'ada' });
}
