// R1: no try is begun above a limit, in random histories of random cards, against an oracle that keeps every decline
// and knows the limits by heart. The guard is the text that the accepting statements hold, asked for thousands of cards
// at once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_S } from '../../src/core/durations.ts';
import { CAPS, limitsOn } from '../../src/core/retries/caps.ts';
import { heldWhy } from '../../src/payment/declines/parts-store.ts';
import { sizeOf } from '../sizes.ts';
import { type World, world } from '../world.ts';
import { seeded } from '../seeded.ts';

/** FLORIN_DECLINE_HISTORIES=1000000 is for a night: half an hour. */
const CARDS = sizeOf('FLORIN_DECLINE_HISTORIES', { usual: 1_500, full: 50_000 });
const AT_ONCE = 2_000;
const STEPS = 14;
const SCHEMES = ['visa', 'mastercard', 'amex'] as const;
/** Days of both editions of Visa's rules, and gaps that cross a day and a month. */
const BEGINNINGS = ['2025-04-20', '2026-10-25', '2026-12-01'];
const GAPS_S = [60, 3600, 20 * 3600, 26 * 3600, 5 * 86_400, 16 * 86_400];
const ACCOUNT = '0123456789abcdef01234567';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

type Row = { at: number; initiator: 'p' | 'm'; minor: number; not_before: number; stopped: boolean; open: boolean };
type Card = { readonly n: number; readonly scheme: (typeof SCHEMES)[number]; now: number; rows: Row[] };
type Try = { readonly card: Card; readonly initiator: 'p' | 'm'; readonly minor: number };

/** By heart, from the page that the tables were made of: seconds, most, of one amount, of one initiator. */
function limitsByHeart(scheme: string, day: string): readonly (readonly [number, number, boolean, boolean])[] {
  if (scheme === 'visa') return day < '2025-05-25' ? [[30 * DAY_S, 13, false, false]] : [[30 * DAY_S, 18, false, true]];
  if (scheme === 'mastercard')
    return [
      [DAY_S, 8, false, false],
      [30 * DAY_S, 33, true, false],
    ];
  // our own choice, from the day that it was made
  if (day < '2026-11-23') return [];
  return [
    [30 * DAY_S, 10, false, false],
    [DAY_S, 5, false, false],
  ];
}
const dayOf = (at: number) => new Date(at * 1000).toISOString().slice(0, 10);

/** May the merchant, or a payer who is held back too, try now? */
function oracle({ card, initiator, minor }: Try): boolean {
  const { rows, now } = card;
  if (rows.some(({ stopped, at }) => stopped && (initiator === 'm' || at > now - 30 * DAY_S))) return false;
  if (initiator === 'm' && rows.some(({ not_before }) => not_before > now)) return false;
  return limitsByHeart(card.scheme, dayOf(now)).every(
    ([seconds, most, by_amount, by_initiator]) =>
      rows.filter(
        (row) =>
          row.at > now - seconds &&
          (!by_amount || row.minor === minor) &&
          (!by_initiator || row.initiator === initiator),
      ).length < most,
  );
}

const SQL = `SELECT asked.n, (${heldWhy({
  account: `decode('${ACCOUNT}', 'hex')`,
  card: 'asked.card',
  acceptor: `'a'`,
  initiator: 'asked.initiator',
  amount_minor: 'asked.minor',
  currency: `'EUR'`,
  expires: 'NULL',
  now: 'asked.at',
  limits: {
    rules: 'asked.rules',
    windows: 'asked.windows',
    most: 'asked.most',
    by_amount: 'asked.by_amount',
    by_initiator: 'asked.by_initiator',
  },
})}) IS NULL AS free
FROM (
  SELECT n, sha256(n::text::bytea) AS card, initiator, minor, to_timestamp(at) AS at,
    l.rules, l.windows, l.most, l.by_amount, l.by_initiator
  FROM unnest($1::int[], $2::text[], $3::bigint[], $4::float8[], $5::int[]) AS t (n, initiator, minor, at, l)
  JOIN jsonb_to_recordset($6) AS l (id int, rules text[], windows int[], most int[], by_amount boolean[], by_initiator boolean[]) ON l.id = t.l
) asked`;

/** The last days before rows change, and one after. */
const DAYS = ['2025-05-24', '2026-11-22', '2026-11-23'] as const;
const KINDS = SCHEMES.flatMap((scheme) => DAYS.map((day) => ({ scheme, day })));
const kindOf = ({ scheme, now }: Card) =>
  KINDS.findIndex(
    ({ scheme: of, day }) => of === scheme && day === (DAYS.find((last) => dayOf(now) <= last) ?? DAYS[2]),
  );
const LIMITS = JSON.stringify(
  KINDS.map(({ scheme, day }, id) => {
    const limits = limitsOn(CAPS, day, scheme);
    return {
      id,
      rules: limits.map(({ rule }) => rule),
      windows: limits.map(({ window_s }) => window_s),
      most: limits.map(({ most }) => most),
      by_amount: limits.map(({ by_amount }) => by_amount),
      by_initiator: limits.map(({ by_initiator }) => by_initiator),
    };
  }),
);

async function answers(tries: readonly Try[]): Promise<ReadonlyMap<number, boolean>> {
  const rows = await w.sql<{ n: number; free: boolean }>(SQL, [
    tries.map(({ card }) => card.n),
    tries.map(({ initiator }) => initiator),
    tries.map(({ minor }) => minor),
    tries.map(({ card }) => card.now),
    tries.map(({ card }) => kindOf(card)),
    LIMITS,
  ]);
  return new Map(rows.map(({ n, free }) => [n, free]));
}

async function store(made: readonly (readonly [Card, Row])[]): Promise<void> {
  await w.sql(
    `INSERT INTO payment.declines (merchant_account_id, card, at, transaction_id, acceptor, initiator, scheme, amount_minor, currency, open, not_before, stopped)
     SELECT decode($1, 'hex'), sha256(n::text::bytea), to_timestamp(at), substr(sha256((n || ' ' || i)::text::bytea), 1, 12), 'a', initiator, 'any', minor, 'EUR', open, to_timestamp(nullif(not_before, 0)), stopped
     FROM unnest($2::int[], $3::float8[], $4::text[], $5::bigint[], $6::boolean[], $7::float8[], $8::boolean[]) WITH ORDINALITY
       AS t (n, at, initiator, minor, open, not_before, stopped, i)`,
    [
      ACCOUNT,
      made.map(([card]) => card.n),
      made.map(([, row]) => row.at),
      made.map(([, row]) => row.initiator),
      made.map(([, row]) => row.minor),
      made.map(([, row]) => row.open),
      made.map(([, row]) => row.not_before),
      made.map(([, row]) => row.stopped),
    ],
  );
}

test(`${CARDS} histories: the guard lets begin what the oracle lets begin, and nothing else`, async () => {
  let [begun, held] = [0, 0];
  for (let from = 0; from < CARDS; from += AT_ONCE) {
    const chance = seeded(from + 1);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;
    const cards = Array.from({ length: AT_ONCE }, (_, i): Card => {
      const now = Date.parse(pick(BEGINNINGS)) / 1000;
      return { n: from + i, scheme: pick(SCHEMES), now, rows: [] };
    });
    // most of a history is behind it when it is first looked at: as many as bring it near a limit
    for (const card of cards) {
      const most =
        card.scheme === 'mastercard' ? pick([7, 32]) : card.scheme === 'visa' ? pick([12, 17]) : pick([4, 9]);
      const minor = pick([100, 200]);
      const apart = most > 10 ? 20 * 3600 : 600;
      for (let i = 0; i < most - Math.floor(chance() * 3); i++)
        card.rows.push({
          at: card.now + i * apart,
          initiator: chance() < 0.9 ? 'm' : 'p',
          minor: chance() < 0.95 ? minor : 300,
          not_before: 0,
          stopped: false,
          open: chance() < 0.1,
        });
      card.now += most * apart;
    }
    await store(cards.flatMap((card) => card.rows.map((row) => [card, row] as const)));
    for (let step = 0; step < STEPS; step++) {
      const tries = cards.map((card): Try => {
        card.now += pick(GAPS_S) + chance();
        return { card, initiator: chance() < 0.8 ? 'm' : 'p', minor: pick([100, 200]) };
      });
      const said = await answers(tries);
      const wrong = tries.filter((one) => said.get(one.card.n) !== oracle(one));
      expect(wrong.slice(0, 1), `seed ${from + 1}, step ${step}: ${wrong.length} of ${tries.length}`).toEqual([]);
      const made = tries.flatMap(({ card, initiator, minor }): (readonly [Card, Row])[] => {
        if (said.get(card.n) !== true) {
          held += 1;
          return [];
        }
        begun += 1;
        if (chance() < 0.15) return [];
        const not_before = chance() < 0.1 ? card.now + pick([3600, DAY_S, 3 * DAY_S]) : 0;
        const row = { at: card.now, initiator, minor, not_before, stopped: chance() < 0.02, open: chance() < 0.2 };
        card.rows.push(row);
        return [[card, row]];
      });
      await store(made);
    }
    await w.sql('DELETE FROM payment.declines');
  }
  // neither a guard that holds everything nor one that holds nothing
  expect([begun > CARDS, held > CARDS]).toEqual([true, true]);
}, 3_600_000);
