// The choice of a contract: drawn as the weights say, made again exactly from its note, and looked over before it is
// published.
import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { parseJson } from '../../src/core/json.ts';
import { NO_ORIGIN } from '../../src/core/origin/origins.ts';
import { lint } from '../../src/core/routing/lint.ts';
import { compile } from '../../src/core/routing/match.ts';
import {
  type LeftOut,
  type World,
  compiled,
  drawFor,
  propensityOf,
  route,
  settled,
} from '../../src/core/routing/route.ts';
import { type RouteTable, readTable } from '../../src/core/routing/table.ts';
import { Reading } from '../../src/core/shape.ts';
import { sha256 } from '../../src/kit/crypto.ts';
import { initiatorOf } from '../../src/payment/order-rules/initiator.ts';
import { type Drawn, drawerOf, factsOf } from '../../src/payment/routing/facts.ts';
import { noteAgain, noteOf, planAgain } from '../../src/payment/routing/note.ts';
import { CONTRACTS, randomFacts, randomTable, randomWeights, randomWhen, randomWorld } from './random.ts';
import { seeded } from '../seeded.ts';

const LINTED = CONTRACTS.map((contract) => ({
  ...contract,
  enabled: true,
  currencies: [] as string[],
  methods: [] as string[],
  channels: [],
  operations: [],
  token_types: [],
}));
// what is counted takes its time on a busy machine
const FULL = process.env['FLORIN_TEST_FULL'] === '1';

const KEY = createSecretKey(Buffer.alloc(32, 7));
const subject = (i: number): Drawn => ({
  merchant_account_id: '0a'.repeat(12),
  order_id: sha256(`order ${i}`).slice(0, 24),
  customer_id: `c-${i % 100}`,
  card_digest: sha256(`card ${i % 100}`),
  attempt: 1,
});

const split = (by: 'order' | 'customer' | 'card', since = 1): RouteTable & { version: number } => ({
  version: 1,
  rules: [
    {
      name: 'half',
      when: {},
      then: {
        split: [
          ['acq-a', 7000],
          ['acq-b', 2500],
          ['acq-c', 500],
        ],
        by,
      },
      since,
    },
  ],
  otherwise: 'priority',
  cascade: 1,
  contracts: CONTRACTS,
});
const well = (draw: World['draw']): World => ({
  contracts: CONTRACTS.map(({ id }) => ({ id, provider: id })),
  leftOut: () => undefined,
  draw,
});

test('R4: shares are those of the weights, draws of two rules have nothing in common, and who is sticky never moves', () => {
  const facts = randomFacts(seeded(1));
  const orders = 100_000;
  const counts = new Map<string, number>();
  const cells = Array.from({ length: 16 }, () => 0);
  for (let i = 0; i < orders; i++) {
    const draw = drawerOf(KEY, subject(i));
    const routed = route(facts, compiled(BY_ORDER), well(draw));
    const { order } = routed;
    const propensity = propensityOf(routed);
    counts.set(order[0] ?? '', (counts.get(order[0] ?? '') ?? 0) + 1);
    if (propensity !== PROPENSITIES[order[0] ?? '']) throw new Error(`${propensity} is no propensity of ${order[0]}`);
    const cell = [
      { rule: 'one', since: 1 },
      { rule: 'two', since: 1 },
    ].map((one) => draw({ ...one, by: 'order' }));
    const at = Math.floor((cell[0] ?? 0) * 4) * 4 + Math.floor((cell[1] ?? 0) * 4);
    cells[at] = (cells[at] ?? 0) + 1;
  }
  for (const [id, share] of Object.entries(PROPENSITIES)) {
    const p = share / 10_000;
    const standard_error = Math.sqrt((p * (1 - p)) / orders);
    expect(Math.abs((counts.get(id) ?? 0) / orders - p)).toBeLessThan(4 * standard_error);
  }
  // 15 degrees of freedom: above 37.7 once in a thousand
  const expected = orders / 16;
  expect(cells.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0)).toBeLessThan(37.7);
  for (const by of ['customer', 'card'] as const)
    for (const table of [split(by)])
      for (let i = 0; i < 100; i++) {
        const of = (attempt: number) =>
          route(facts, compiled(table), well(drawerOf(KEY, { ...subject(i + attempt * 100), attempt }))).order;
        expect(of(2)).toEqual(of(1));
      }
});

const BY_ORDER = split('order');
const PROPENSITIES: Readonly<Record<string, number>> = {
  [CONTRACTS[0]?.id ?? '']: 7000,
  [CONTRACTS[1]?.id ?? '']: 2500,
  [CONTRACTS[2]?.id ?? '']: 500,
};

test('weights of those that are left are scaled to one, and the propensity says so', () => {
  const [a, b, c] = CONTRACTS.map(({ id }) => id);
  const world = { ...well(() => 0), leftOut: (id: string) => (id === a ? ('open' as const) : undefined) };
  const routed = route(randomFacts(seeded(2)), compiled(BY_ORDER), world);
  expect(propensityOf(routed)).toBe(8333);
  expect(routed).toMatchObject({ order: [b, c], skipped: [[a, 'open']], because: 'rule' });
  const last = route(randomFacts(seeded(2)), compiled(BY_ORDER), { ...world, draw: () => 0.84 });
  expect([last.order, propensityOf(last)]).toEqual([[c, b], 1667]);
});

test('a named contract gives its payment to another while its provider is not well, unless it is the only one or no provider is well', () => {
  const [a = '', b = '', c = '', d = ''] = CONTRACTS.map(({ id }) => id);
  const to = (how: 'first' | 'only' | 'advice', unwell: readonly string[], why: LeftOut = 'half') => {
    const leftOut = (id: string) => (unwell.includes(id) ? why : undefined);
    const world = { ...well(() => 0), leftOut, named: { id: c, how } };
    const { order, because, skipped } = route(randomFacts(seeded(2)), compiled({ ...BY_ORDER, rules: [] }), world);
    return [order, because, skipped];
  };
  for (const how of ['first', 'advice'] as const) {
    expect(to(how, [c])).toEqual([[a, b, d], 'priority', [[c, 'half']]]);
    expect(to(how, [a, b, c, d])[0]).toEqual([c, a, b, d]);
  }
  for (const why of ['half', 'spread', 'open', 'held'] as const)
    expect(to('only', [c], why)).toEqual([[c], 'named', []]);
  expect(to('only', [c], 'unfit')).toEqual([[a, b, d], 'priority', [[c, 'unfit']]]);
});

test('R3: the draw is a pure function of key, account, rule, since, subject and attempt', () => {
  const asked = { rule: 'EUR split', since: 12, by: 'order' } as const;
  const drawn = drawerOf(KEY, subject(1))(asked);
  // worked out once, and the same on every machine
  expect(drawn).toBe(drawerOf(createSecretKey(Buffer.alloc(32, 7)), subject(1))(asked));
  expect(Math.floor(drawn * 10_000)).toBe(FIRST_DRAW);
  const others = [
    drawerOf(createSecretKey(Buffer.alloc(32, 8)), subject(1))(asked),
    drawerOf(KEY, { ...subject(1), attempt: 2 })(asked),
    drawerOf(KEY, { ...subject(1), merchant_account_id: '0b'.repeat(12) })(asked),
    drawerOf(KEY, subject(1))({ ...asked, since: 13 }),
    drawerOf(KEY, subject(1))({ ...asked, rule: 'other' }),
    drawerOf(KEY, subject(2))(asked),
  ];
  expect(new Set([drawn, ...others]).size).toBe(7);
});
const FIRST_DRAW = 3575;

test('R3: a choice is made again from its note, byte for byte, whatever the world was', () => {
  const random = seeded(20_261_126);
  let drawn = 0;
  for (let i = 0; i < (FULL ? 100_000 : 10_000); i++) {
    const table = randomTable(random);
    const facts = randomFacts(random);
    const draw = drawerOf(KEY, subject(i));
    const weights = randomWeights(random, table);
    const world = { ...randomWorld(random), draw, weights };
    const how = world.named?.how;
    const routed = route(facts, compiled(table), world);
    const note = noteOf(routed, { table, how: how === 'advice' ? undefined : how, f: undefined, e: undefined });
    const asked = {
      note: JSON.parse(JSON.stringify(note)) as typeof note,
      table,
      facts,
      draw,
      // as the note names them
      weights: note.w === weights?.version ? weights : undefined,
      named: world.named?.id,
    };
    const plan = planAgain(asked);
    const again = settled(plan, drawFor(plan, draw));
    const made = noteAgain(again, asked);
    const order = again.order.join(' ');
    if (JSON.stringify(made) !== JSON.stringify(note) || order !== routed.order.join(' '))
      expect({ note: made, order, table }).toEqual({ note, order: routed.order.join(' '), table });
    if (routed.drawn !== undefined) drawn += 1;
  }
  expect(drawn).toBeGreaterThan(1000);
});

test('R8: a rule that is said to be covered decides no payment, in any world', () => {
  const random = seeded(8);
  let covered = 0;
  let narrow = 0;
  for (let i = 0; i < (FULL ? 10_000 : 1500); i++) {
    const drafted = randomTable(random);
    // now and then a rule that asks for more than another one, as people write them
    const table = {
      ...drafted,
      rules: drafted.rules.map((rule, at) => {
        const before = drafted.rules[Math.floor(random() * at)];
        return at > 0 && before && random() < 0.5 ? { ...rule, when: { ...randomWhen(random), ...before.when } } : rule;
      }),
    };
    const warnings = lint(table, { contracts: LINTED, cells: [] });
    const said = new Set(warnings.filter(({ says }) => says.startsWith('is never reached')).map(({ rule }) => rule));
    covered += said.size;
    narrow += warnings.filter(({ says }) => says.startsWith('is reached only')).length;
    if (said.size === 0) continue;
    for (let k = 0; k < 60; k++) {
      const { rule } = route(randomFacts(random), compiled(table), { ...randomWorld(random), named: undefined });
      if (said.has(table.rules[rule ?? -1]?.name ?? '')) throw new Error(JSON.stringify({ rule, table, warnings }));
    }
  }
  expect(covered).toBeGreaterThan(200);
  expect(narrow).toBeGreaterThan(200);
});

const rule = (more: object) => ({ name: 'x', when: {}, then: { order: ['acq-a'] }, ...more });
const REFUSED: readonly (readonly [object | string, string])[] = [
  ['no list', 'rules'],
  [{ rules: [rule({}), rule({})] }, 'rules[1].name'],
  [{ rules: [{ when: {}, then: { order: ['acq-a'] } }] }, 'rules[0].name'],
  [{ rules: [rule({ then: undefined })] }, 'rules[0].then'],
  [{ rules: [rule({ then: {} })] }, 'rules[0].then'],
  [{ rules: [rule({ then: { order: ['acq-x'] } })] }, 'rules[0].then.order[0]'],
  [{ rules: [rule({ then: { order: ['acq-a', 'acq-a'] } })] }, 'rules[0].then.order[1]'],
  [{ rules: [rule({ then: { order: [] } })] }, 'rules[0].then.order'],
  [
    {
      rules: [
        rule({
          then: {
            split: [
              ['acq-a', 7000],
              ['acq-b', 2000],
            ],
          },
        }),
      ],
    },
    'rules[0].then.split',
  ],
  [
    {
      rules: [
        rule({
          then: {
            split: [
              ['acq-a', 0],
              ['acq-b', 10_000],
            ],
          },
        }),
      ],
    },
    'rules[0].then.split[0][1]',
  ],
  [{ rules: [rule({ then: { split: ['acq-a'] } })] }, 'rules[0].then.split[0]'],
  [{ rules: [rule({ then: { order: ['acq-a'], refuse: 'no_route_channel' } })] }, 'rules[0].then'],
  [{ rules: [rule({ then: { order: ['acq-a'], by: 'card' } })] }, 'rules[0].then.by'],
  [{ rules: [rule({ then: { refuse: 'because' } })] }, 'rules[0].then.refuse'],
  [{ rules: [rule({ then: { best_of: ['acq-a'] } })] }, 'rules[0].then.best_of'],
  [{ rules: [rule({ then: { best_of: ['acq-a', 'acq-b'], by: 'value', margin: 0 } })] }, 'rules[0].then.margin'],
  [{ rules: [rule({ then: { best_of: ['acq-a', 'acq-b'], margin: 20 } })] }, 'rules[0].then.margin'],
  [{ rules: [rule({ then: { order: ['acq-a'], margin: 20 } })] }, 'rules[0].then.margin'],
  [{ rules: [rule({ then: { best_of: ['acq-a', 'acq-b'], by: 'card' } })] }, 'rules[0].then.by'],
  [{ rules: [rule({ then: { best_of: ['acq-a', 'acq-b'], floor: 10 } })] }, 'rules[0].then.floor'],
  [{ rules: [rule({ then: { order: ['acq-a'], control: 100 } })] }, 'rules[0].then.control'],
  [{ rules: [rule({ when: { colour: ['red'] } })] }, 'rules[0].when.colour'],
  [{ rules: [rule({ when: { scheme: ['vista'] } })] }, 'rules[0].when.scheme[0]'],
  [{ rules: [rule({ when: { scheme: 'visa' } })] }, 'rules[0].when.scheme'],
  [{ rules: [rule({ when: { amount_from: '10' } })] }, 'rules[0].when.currency'],
  [{ rules: [rule({ when: { amount_from: '10', currency: ['EUR', 'USD'] } })] }, 'rules[0].when.currency'],
  [{ rules: [rule({ when: { amount_to: '10.001', currency: ['EUR'] } })] }, 'rules[0].when.amount_to'],
  [
    { rules: [rule({ when: { hour: { from: '25:00', to: '06:00', zone: 'Europe/Paris' } } })] },
    'rules[0].when.hour.from',
  ],
  [{ rules: [rule({ when: { hour: { from: '22:00', to: '06:00', zone: 'Mars/Base' } } })] }, 'rules[0].when.hour.zone'],
  [{ rules: [rule({ when: { first6: ['4000'] } })] }, 'rules[0].when.first6[0]'],
  [{ rules: [rule({ when: { healthy: ['acq-x'] } })] }, 'rules[0].when.healthy[0]'],
  [{ rules: [rule({ when: { missing: ['luck'] } })] }, 'rules[0].when.missing[0]'],
  [{ rules: [rule({ when: { merchant_data: { key: 'a' } } })] }, 'rules[0].when.merchant_data.values'],
  [{ rules: [rule({ when: { saved: 'maybe' } })] }, 'rules[0].when.saved'],
  [{ rules: [], cascade: 9 }, 'cascade'],
  [{ rules: [], otherwise: 'refuse' }, 'otherwise'],
];

test('merchant_data that was not told is missing, and is not where it was told', () => {
  const attempt = {
    amount_minor: 100n,
    currency: 'EUR',
    at: new Date(0),
    scheme: 'visa',
    first6: '424242',
    checkout_id: null,
    token_type: 'oneshot',
    foreign: false,
    marked: false,
    attempt: 1,
    origin: NO_ORIGIN,
    authentication: undefined,
  };
  const asks = compile({ missing: ['merchant_data'] });
  const isMissing = (body: Readonly<Record<string, unknown>>) => asks(factsOf({ ...attempt, body }), () => true);
  expect(isMissing({})).toBe(true);
  expect(isMissing({ merchant_data: [{ key: 'shop', value: 'a' }] })).toBe(false);
});

test('routing, limits and later tries share one rule of who pays: the merchant alone, recurring and without a checkout', () => {
  const attempt = {
    amount_minor: 100n,
    currency: 'EUR',
    at: new Date(0),
    scheme: 'visa',
    first6: '424242',
    token_type: 'recurring',
    foreign: false,
    marked: false,
    attempt: 1,
    origin: NO_ORIGIN,
    authentication: undefined,
  };
  const checkout_id = 'ab'.repeat(12);
  const orders = ['recurring', 'moto', 'e-commerce', undefined].flatMap((channel) =>
    [null, checkout_id].map((by) => ({ body: { payment_channel: channel }, checkout_id: by })),
  );
  for (const order of orders)
    expect([order, factsOf({ ...attempt, ...order }).word('initiator')]).toEqual([
      order,
      initiatorOf(order) === 'm' ? 'merchant' : 'payer',
    ]);
  expect(orders.map(initiatorOf)).toEqual(['m', 'p', 'p', 'p', 'p', 'p', 'p', 'p']);
});

test('R8: bad drafts are refused, each with the member that is wrong', () => {
  const named = REFUSED.map(([draft]) => {
    const reading = new Reading(false);
    readTable(parseJson(JSON.stringify(draft)), reading, CONTRACTS);
    return reading.problems.map(({ field }) => field);
  });
  expect(named.map((fields, i) => fields.includes(REFUSED[i]?.[1] ?? ''))).toEqual(REFUSED.map(() => true));
});

test('a draft that may be published is told what it will not do', () => {
  const warned = (rules: readonly object[], more: object = {}, contracts = LINTED) => {
    const reading = new Reading(false);
    const draft = readTable(parseJson(JSON.stringify({ rules, ...more })), reading, CONTRACTS);
    expect(reading.problems).toEqual([]);
    return lint(draft, { contracts, cells: [{ currency: 'EUR', scheme: 'visa' }] }).map(({ says }) => says);
  };
  const usd = LINTED.map((one) =>
    one.name === 'acq-a' ? { ...one, currencies: ['USD'] } : { ...one, enabled: false },
  );
  expect(warned([rule({ when: { region: ['zone'] } })])).toEqual([expect.stringContaining('region is not told here')]);
  expect(warned([rule({ then: { split: [['acq-a', 10_000]] } })])).toEqual(['splits between one contract']);
  expect(warned([rule({ when: { currency: ['EUR'] } })], {}, usd)).toEqual([
    'sends to acq-a, which takes no currency of these',
    'orders of the last 30 days came in EUR with visa, and nothing here takes them',
  ]);
  expect(warned([rule({ then: { order: ['acq-b'] } })], { else: 'refuse' }, usd)[0]).toBe(
    'sends to acq-b, which is switched off',
  );
  expect(warned([rule({}), rule({ name: 'y', when: { scheme: ['visa'] } })])).toEqual([
    'is never reached: x, above it, takes everything that it asks for',
  ]);
  expect(warned([rule({}), rule({ name: 'y', then: { order: ['acq-b'] } })])).toEqual([
    'is reached only when no contract of x, above it, is left',
  ]);
});
