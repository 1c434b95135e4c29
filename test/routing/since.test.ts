// What a draw depends on: the version in which the target of its rule last changed, and no other publish.
import { expect, test } from 'vitest';
import { parseJson } from '../../src/core/json.ts';
import { draftRoutes, publishRoutes, readRoutes, rollBackRoutes } from '../../src/payment/routing/publish.ts';
import { accountOf } from '../risk/till.ts';
import { world } from '../world.ts';

test('a publish that leaves the target of a rule alone leaves its draws alone; a roll back brings them back', async () => {
  await using w = await world();
  const { tools } = w.service;
  const account = await accountOf(w);
  const publish = async (rules: readonly object[]) => {
    const { draft } = await draftRoutes(tools, account, parseJson(JSON.stringify({ rules })));
    await publishRoutes(tools, account, { draft, by: 'ada' });
  };
  const since = async () => (await readRoutes(tools, account))[0]?.rules.rules.map((rule) => [rule.name, rule.since]);
  const shared = (share: number) => ({ split: [['simulator', share], ['simulator_b', 10_000 - share]] }); // prettier-ignore
  await publish([{ name: 'shared', then: shared(5000) }]);
  await publish([
    { name: 'shared', when: { currency: ['EUR'] }, then: shared(5000) },
    { name: 'rest', then: { order: ['simulator'] } },
  ]);
  expect(await since()).toEqual([['shared', 1], ['rest', 2]]); // prettier-ignore
  await publish([{ name: 'shared', then: shared(9000) }]);
  expect(await since()).toEqual([['shared', 3]]);
  await rollBackRoutes(tools, account, { to: 2, by: 'bob' });
  expect(await since()).toEqual([['shared', 1], ['rest', 2]]); // prettier-ignore
});
