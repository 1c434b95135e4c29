// Random tables and payments for routing, from a seed: the same every time.
import type { RouteFacts } from '../../src/core/routing/facts.ts';
import { firstShares, sharesOf } from '../../src/core/routing/learn/weights.ts';
import type { WeightsInForce } from '../../src/core/routing/learn/in-force.ts';
import type { LeftOut, World } from '../../src/core/routing/route.ts';
import type { RouteRule, RouteTable, Target, When } from '../../src/core/routing/table.ts';
import { type Random } from '../seeded.ts';

const oneOf = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const some = <T>(random: Random, list: readonly T[]): readonly T[] => {
  const taken = list.filter(() => random() < 0.5);
  return taken.length > 0 ? taken : [oneOf(random, list)];
};

const CURRENCIES = ['EUR', 'USD', 'GBP'];
const SCHEMES = ['visa', 'mastercard', 'cb'];
const COUNTRIES = ['FR', 'DE', 'US'];
export const CONTRACTS = ['a', 'b', 'c', 'd'].map((name) => ({ id: name.repeat(24), name: `acq-${name}` }));
const NAMES = CONTRACTS.map(({ name }) => name);

export function randomWhen(random: Random): When {
  const when: Record<string, unknown> = {};
  const maybe = (name: string, make: () => unknown) => {
    if (random() < 0.15) when[name] = make();
  };
  maybe('currency', () => some(random, CURRENCIES));
  maybe('scheme', () => some(random, SCHEMES));
  maybe('not_scheme', () => some(random, SCHEMES));
  maybe('card_country', () => some(random, COUNTRIES));
  maybe('not_card_country', () => some(random, COUNTRIES));
  maybe('saved', () => random() < 0.5);
  maybe('missing', () => some(random, ['card_country', 'first6']));
  maybe('first6', () => some(random, ['400000-449999', '410000', '510000-559999']));
  maybe('healthy', () => some(random, NAMES));
  maybe('merchant_data', () => ({ key: 'shop', values: some(random, ['one', 'two']) }));
  if (random() < 0.3) Object.assign(when, { currency: ['EUR'], amount_from: oneOf(random, ['10', '100', '500']) });
  if (random() < 0.3) Object.assign(when, { currency: ['EUR'], amount_to: oneOf(random, ['50', '250', '900']) });
  return when;
}

function randomTarget(random: Random): Target {
  const roll = random();
  if (roll < 0.15) return { refuse: 'no_route_channel' };
  const names = some(random, NAMES);
  if (roll < 0.6) return { order: names, ...(random() < 0.2 && { also: true }) };
  if (random() < 0.4 && names.length > 1) {
    const [floor, control] = [oneOf(random, [50, 200, 1000]), oneOf(random, [0, 1000, 5000])];
    return { best_of: names, by: 'approval', floor, control, ...(random() < 0.2 && { also: true }) };
  }
  const cuts = names.map(() => 1 + Math.floor(random() * 1000));
  const all = cuts.reduce((sum, cut) => sum + cut, 0);
  const shares = cuts.map((cut) => Math.max(1, Math.floor((cut * 10_000) / all)));
  const rest = 10_000 - shares.slice(1).reduce((sum, share) => sum + share, 0);
  return {
    split: names.map((name, i) => [name, i === 0 ? rest : (shares[i] ?? 1)] as const),
    by: oneOf(random, ['order', 'customer', 'card'] as const),
  };
}

export function randomTable(random: Random): RouteTable & { readonly version: number } {
  const rules = Array.from({ length: 1 + Math.floor(random() * 6) }, (_, i): RouteRule => {
    const since = 1 + Math.floor(random() * 3);
    return { name: `rule ${i}`, when: randomWhen(random), then: randomTarget(random), since };
  });
  const otherwise = random() < 0.2 ? 'refuse' : 'priority';
  return { version: 3, rules, otherwise, cascade: 1, contracts: CONTRACTS };
}

export function randomFacts(random: Random): RouteFacts {
  const currency = oneOf(random, CURRENCIES);
  const words: Readonly<Record<string, string | undefined>> = {
    currency,
    scheme: oneOf(random, SCHEMES),
    card_country: oneOf(random, [...COUNTRIES, undefined]),
  };
  const saved = random() < 0.5;
  const shop = oneOf(random, ['one', 'two', 'three', undefined]);
  return {
    amount_minor: BigInt(1 + Math.floor(random() * 100_000)),
    currency,
    at_ms: 0,
    first6: oneOf(random, ['400000', '410000', '520000', '999999', null]),
    word: (name) => words[name],
    plainWord: (name) => words[name]?.trim().toLowerCase(),
    flag: (name) => name === 'saved' && saved,
    told: (key) => (key === 'shop' ? shop : undefined),
  };
}

/**
 * What the best_of rules of a table may have learnt; now and then nothing, or of another target, or one was stopped.
 */
export function randomWeights(random: Random, { rules }: Pick<RouteTable, 'rules'>): WeightsInForce | undefined {
  if (random() < 0.2) return undefined;
  const learnt = rules.flatMap(({ name, since, then }) => {
    if (!('best_of' in then) || random() < 0.1) return [];
    const shares = () =>
      sharesOf(
        then.best_of.map(() => 0.01 + random()),
        then.floor,
      );
    const stopped = random() < 0.2 ? 'it was worse' : null;
    return [
      {
        rule: name,
        since: random() < 0.1 ? since + 1 : since,
        from_hour: 0,
        stopped,
        shares: stopped === null ? shares() : firstShares(then.best_of.length, 0),
        cells: stopped === null ? { 'EUR visa ': shares() } : {},
      },
    ];
  });
  return { version: 1 + Math.floor(random() * 50), rules: learnt };
}

/** A world of random health; contracts are as often unfit as not. */
export function randomWorld(random: Random): World {
  const left = new Map(
    CONTRACTS.map(({ id }) => [
      id,
      oneOf<LeftOut | undefined>(random, [undefined, undefined, undefined, 'unfit', 'open', 'half']),
    ]),
  );
  const on = CONTRACTS.filter(() => random() < 0.85);
  const u = random();
  const roll = random();
  return {
    contracts: on.map(({ id }) => ({ id, provider: id })),
    leftOut: (id) => (on.some((one) => one.id === id) ? left.get(id) : 'off'),
    draw: () => u,
    named:
      roll < 0.7
        ? undefined
        : {
            id: oneOf(random, on.length > 0 ? on : CONTRACTS).id,
            how: oneOf(random, ['first', 'only', 'advice'] as const),
          },
  };
}
