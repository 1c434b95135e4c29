// Payments that are alike to the rules: a trial works out one plan for all of them, so it must be the plan of each.
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { alikeBy } from '../../src/core/routing/alike.ts';
import type { RouteFacts } from '../../src/core/routing/facts.ts';
import { compile } from '../../src/core/routing/match.ts';
import { type Plan, compiled, planFor } from '../../src/core/routing/route.ts';
import type { When } from '../../src/core/routing/table.ts';
import { type Random, seeded } from '../seeded.ts';
import { randomFacts, randomTable, randomWeights, randomWorld } from './random.ts';

const of = <T>(random: Random, list: readonly T[]) => list[Math.floor(random() * list.length)] as T;

/** Members that tables at random do not have. */
function moreOf(random: Random): When {
  const hour = { from: of(random, ['08:00', '22:30']), to: of(random, ['12:15', '06:00']), zone: 'Europe/Paris' };
  return of<When>(random, [
    {},
    {},
    { [of(random, ['hour', 'not_hour'])]: hour },
    { [of(random, ['channel', 'not_channel'])]: [of(random, ['moto', ' E-Commerce'])] },
    { [of(random, ['marked', 'foreign'])]: random() < 0.5 },
    { missing: [of(random, ['merchant_data', 'channel', 'first6'])] },
    { not_merchant_data: { key: 'shop', values: ['ONE'] } },
    { initiator: ['merchant'] },
  ]);
}

function facts(random: Random): RouteFacts {
  const known = randomFacts(random);
  const words = new Map([
    ['channel', of(random, ['e-commerce', 'MOTO', 'pos', undefined])],
    ['initiator', of(random, ['payer', 'merchant'])],
    ['merchant_data', of(random, ['told', undefined])],
  ]);
  const word = (name: string) => (words.has(name) ? words.get(name) : known.word(name));
  const flags = new Set(['marked', 'foreign'].filter(() => random() < 0.5));
  return {
    ...known,
    // at bounds that rules have, and beside them
    amount_minor: of(random, [1000n, 10_000n, 25_000n, 90_000n]) + of(random, [-1n, 0n, 1n]),
    at_ms: Math.floor(random() * 96) * 900_000,
    word,
    plainWord: (name) => word(name)?.trim().toLowerCase(),
    flag: (name) => flags.has(name) || known.flag(name),
  };
}

test('a rule from an amount or up to it takes that amount, in its currency', () => {
  const takes = (when: When) => {
    const is = compile({ currency: ['EUR'], ...when });
    return [4999n, 5000n, 5001n].map((amount_minor) =>
      is({ ...facts(seeded(1)), currency: 'EUR', plainWord: () => 'eur', amount_minor }, () => true),
    );
  };
  expect(takes({ amount_from: '50' })).toEqual([false, true, true]);
  expect(takes({ amount_to: '50' })).toEqual([true, true, false]);
});

test('payments that no rule can tell apart have one plan, whatever the world is', () => {
  const random = seeded(139);
  let shared = 0;
  for (let i = 0; i < 400; i++) {
    const drafted = randomTable(random);
    const rules = drafted.rules.map((rule) => ({ ...rule, when: { ...rule.when, ...moreOf(random) } }));
    const table = { ...drafted, rules };
    const world = { ...randomWorld(random), weights: randomWeights(random, table) };
    const alike = alikeBy(table);
    const plans = new Map<string, Plan>();
    for (let payment = 0; payment < 100; payment++) {
      const asked = facts(random);
      const plan = planFor(asked, compiled(table), world);
      const known = plans.get(alike(asked));
      if (known) shared += 1;
      if (known && !isDeepStrictEqual(known, plan)) expect({ table, known }).toEqual({ table, known: plan });
      plans.set(alike(asked), plan);
    }
  }
  // and there is something to share
  expect(shared).toBeGreaterThan(10_000);
});
