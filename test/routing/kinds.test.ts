// A trial works out what is alike once. What it remembers of other attempts must change nothing of an attempt.
import { createSecretKey } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { NO_ORIGIN } from '../../src/core/origin/origins.ts';
import { compiled, route } from '../../src/core/routing/route.ts';
import { sha256 } from '../../src/kit/crypto.ts';
import { noteOf } from '../../src/payment/routing/note.ts';
import { pastOf } from '../../src/payment/routing/past.ts';
import type { StoredAttempt } from '../../src/payment/routing/trial/attempts-store.ts';
import { Judge } from '../../src/payment/routing/trial/judge.ts';
import type { TriedAccount } from '../../src/payment/routing/trial/kinds.ts';
import { NoteShapes } from '../../src/payment/routing/trial/notes.ts';
import { type Random, seeded } from '../seeded.ts';
import { CONTRACTS, randomTable, randomWeights, randomWorld } from './random.ts';

const of = <T>(random: Random, list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
const some = <T>(random: Random, list: readonly T[]) => list.filter(() => random() < 0.5);

const tools = {
  secret_key: createSecretKey(Buffer.alloc(32, 3)),
  origins: {
    countryOf: () => null,
    cardOf: ({ first6 }: { readonly first6: string | null }) =>
      first6 === '400000' ? { ...NO_ORIGIN, country: 'FR' } : NO_ORIGIN,
  },
  providers: new Map([
    ['one', { can: { psp_token: true, network_token: true, three_ds: ['redirect', 'data'] as const } }],
    ['two', { can: { psp_token: false, network_token: false, three_ds: ['redirect'] as const } }],
  ]),
};

/** Contracts that take some payments and not others, of two providers. */
function accountOf(random: Random): TriedAccount {
  const contracts = CONTRACTS.map(({ id, name }, i) => ({
    id,
    name,
    provider: i % 2 === 0 ? 'one' : 'two',
    methods: random() < 0.3 ? ['visa', 'cb'] : [],
    currencies: random() < 0.3 ? ['EUR', 'USD'] : [],
    channels: random() < 0.3 ? ['e-commerce', 'moto'] : [],
    countries: random() < 0.3 ? ['FR'] : [],
    operations: random() < 0.3 ? ['authorize'] : [],
    token_types: random() < 0.3 ? ['oneshot'] : [],
  }));
  const settings = { named_contract: of(random, ['first', 'only', 'advice'] as const) };
  return { merchant_account_id: '0a'.repeat(12), contracts: some(random, contracts), settings };
}

function attemptOf(random: Random, i: number): StoredAttempt {
  const state = of(random, ['successful', 'declined', 'not_sent', null]);
  return {
    order_id: sha256(`order ${i}`).slice(0, 24),
    at: new Date(Math.floor(random() * 96) * 900_000),
    attempt: of(random, [1, 1, 1, 2]),
    again: random() < 0.2,
    amount_minor: of(random, [1000n, 10_000n, 25_000n, 90_000n]) + of(random, [-1n, 0n, 1n]),
    currency: of(random, ['EUR', 'USD']),
    checkout_id: of(random, [null, '0b'.repeat(12)]),
    body: {
      operation_type: of(random, ['authorize', 'direct_capture']),
      token_type: of(random, ['oneshot', 'recurring']),
      payment_channel: of(random, ['recurring', 'moto', undefined]),
      customer_country: of(random, ['FR', 'DE', undefined]),
      customer_id: of(random, ['c-1', 'c-2', undefined]),
      merchant_contract: of(random, ['acq-a', 'd'.repeat(24), 'none', undefined, undefined, undefined]),
      '3ds_data': of(random, [{}, undefined, undefined]),
    },
    scheme: of(random, ['visa', 'mastercard', 'cb']),
    first6: of(random, ['400000', '520000', null]),
    last4: '4242',
    token_type: of(random, ['oneshot', 'recurring', null]),
    card_digest: of(random, [null, sha256(`card ${i % 5}`), sha256(`card ${i % 5}`)]),
    network_token: random() < 0.2,
    provider: of(random, ['one', 'two']),
    contract_id: of(random, [...CONTRACTS.map(({ id }) => id), null]),
    contract_before: null,
    marked: random() < 0.2,
    refused_by_risk: false,
    route: null,
    authentication: null,
    approved: state === 'successful' ? true : state === 'declined' ? false : null,
    state,
    code: null,
    further: [],
  };
}

/** Most attempts of an account differ from others in one member or two, so that there is much to remember. */
function nearly(random: Random, base: StoredAttempt, other: StoredAttempt): StoredAttempt {
  const rarely = (all: object) => Object.fromEntries(Object.entries(all).filter(() => random() < 0.06));
  const body = { ...base.body, ...rarely(other.body) };
  return { ...base, ...rarely(other), order_id: other.order_id, body };
}

test('every attempt is judged as if it were the only one', () => {
  const random = seeded(1139);
  const seen = { same: 0, tried_again: 0, defect: 0, known: 0 };
  for (let i = 0; i < 40; i++) {
    const [account, before, draft] = [accountOf(random), randomTable(random), randomTable(random)];
    const then = { table: { ...before, version: 2 }, weights: randomWeights(random, before) };
    const [judge, shapes] = [new Judge(tools, account, draft), new NoteShapes()];
    const worlds = [randomWorld(random), randomWorld(random)];
    const base = attemptOf(random, 0);
    for (let j = 0; j < 60; j++) {
      const bare = nearly(random, base, attemptOf(random, j));
      const world = of(random, worlds);
      const { merchant_account_id } = account;
      const { facts, draw } = pastOf(tools, { merchant_account_id, contracts: CONTRACTS }, bare);
      const routed = route(facts, compiled(then.table), { ...world, named: undefined, draw, weights: then.weights });
      const note = noteOf(routed, { ...then, how: undefined, f: undefined, e: undefined });
      // some went where they were sent, as nearly all do
      const contract_id = random() < 0.7 ? (routed.order[0] ?? null) : bare.contract_id;
      const text = JSON.stringify(random() < 0.4 && routed.drawn !== undefined ? { ...note, u: 1 } : note);
      const row = { ...bare, contract_id, route: random() < 0.8 ? shapes.read(text) : null };
      const asked = { then: row.route ? then : undefined, fees: new Map() };
      const judged = judge.judge(row, asked);
      const alone = new Judge(tools, account, draft).judge(row, asked);
      if (!isDeepStrictEqual(judged, alone)) expect(judged).toEqual(alone);
      seen[judged.replayed] += 1;
      if (judged.sums.orders > 0) seen.known += 1;
    }
  }
  // each of them came about
  expect(Object.entries(seen).filter(([, count]) => count < 5)).toEqual([]);
});
