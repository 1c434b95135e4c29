// Routing that is broken on purpose, a line at a time, and the test that must see it (docs/design/routing.md).
import type { Patch } from '../chaos/patch.ts';

export type RoutingMutant = {
  readonly says: string;
  readonly patch: Patch;
  /** What its title holds. */
  readonly seen_by: { readonly file: string; readonly title: string };
};

const ROUTING = 'src/core/routing';
const RETRIES = 'src/core/retries';
const HISTORIES = { file: 'test/declines/histories.test.ts', title: 'histories: the guard lets begin' };

export const ROUTING_MUTANTS: readonly RoutingMutant[] = [
  {
    says: 'R1: the margin before a limit of a scheme is lost',
    patch: { in: { function: 'limitOf', below: RETRIES }, find: `limit - MARGIN`, put: `limit` },
    seen_by: HISTORIES,
  },
  {
    says: "R1: one counter for the payer's tries and the merchant's",
    patch: {
      in: { function: 'heldWhy', below: 'src/payment/declines' },
      find: '(NOT a_limit.by_initiator OR counted.initiator = ${its.initiator})',
      put: 'true',
    },
    seen_by: HISTORIES,
  },
  {
    says: "R1: the rows of yesterday's date are used",
    patch: {
      in: { function: 'limitsOn', below: RETRIES },
      find: `capsOn(rows, day, scheme)`,
      put: `capsOn(rows, new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10), scheme)`,
    },
    seen_by: { file: 'test/core/retries.test.ts', title: 'limits are those of the day, with the margin' },
  },
  {
    says: 'R1: a try that is under way is not counted',
    patch: {
      in: { function: 'heldWhy', below: 'src/payment/declines' },
      find: 'AND c.acceptor = ${its.acceptor}',
      put: 'AND c.acceptor = ${its.acceptor} AND NOT c.open',
    },
    seen_by: { file: 'test/declines/caps.test.ts', title: 'of eight at once on the last place one is sent' },
  },
  {
    says: 'R3: the draw is chance',
    patch: {
      in: { function: 'drawOf', below: 'src/payment/routing' },
      find: `return Number.parseInt(hashedBy(secret_key)(words.join('\\0')).slice(0, BITS / 4), 16) / 2 ** BITS;`,
      put: `return [secret_key, words, hashedBy, BITS].length * 0 + Math.random();`,
    },
    seen_by: { file: 'test/routing/route.test.ts', title: 'R3: the draw is a pure function' },
  },
  {
    says: 'R3: every publish draws all orders anew',
    patch: {
      in: { function: 'sinceOf', below: 'src/payment/routing' },
      find: `was && isSame(was.then, rule.then) ? was.since : version`,
      put: `was && isSame(was.then, rule.then) ? version : version`,
    },
    seen_by: { file: 'test/routing/since.test.ts', title: 'a publish that leaves the target of a rule alone' },
  },
  {
    says: 'R5: an alarm on declines acts where there is no other contract',
    patch: {
      in: { function: 'compared', below: `${ROUTING}/decline-watch.ts` },
      find: `if (own.seen < OWN_LEAST || others.seen < OTHERS_LEAST) {`,
      put: `if (own.seen >= OWN_LEAST && others.seen < OTHERS_LEAST)
        return { ...now, ...halfFrom(now, now_ms), alarm: WORST, sum: 0 };
      if (own.seen < OWN_LEAST || others.seen < OTHERS_LEAST) {`,
    },
    seen_by: { file: 'test/routing/decline-watch.test.ts', title: 'R5: with no other contract' },
  },
  {
    says: 'R5: a provider that comes back by halves gets everything',
    patch: { in: { constant: 'HALF_SHARE', below: ROUTING }, find: `1 / 20`, put: `1` },
    seen_by: { file: 'test/routing/health.test.ts', title: 'a provider that was down comes back step by step' },
  },
  {
    says: 'R6: a lack of funds is counted for approval',
    patch: {
      in: { function: 'saysSomething', below: 'src/payment/routing/learn' },
      find: `classOf(found.name).counts_for_approval === 'yes'`,
      put: `classOf(found.name).counts_for_approval.length > 0`,
    },
    seen_by: { file: 'test/routing/best-of.test.ts', title: 'before anything is learnt its own order holds' },
  },
  {
    says: 'R7: the propensity of a share that was not scaled is kept',
    patch: {
      in: { function: 'drawnFrom', below: ROUTING },
      find: `[id, share / all]`,
      put: `[id, share / BASIS_POINTS]`,
    },
    seen_by: { file: 'test/routing/learn.test.ts', title: 'propensities of all contracts add up to one' },
  },
  {
    says: 'R7: the variance is of the weights, not of their squares',
    patch: {
      in: { function: 'judge', below: ROUTING },
      find: `w2yy - 2 * rate * w2y + rate ** 2 * w2`,
      put: `wy - 2 * rate * wy + rate ** 2 * w`,
    },
    seen_by: { file: 'test/routing/figures.test.ts', title: 'R7: where a number is shown for other rules' },
  },
  {
    says: 'R7: what an order loses by value has no bound',
    patch: {
      in: { constant: 'countedLeft', below: ROUTING },
      find: `Math.max(-MOST_LOST, left)`,
      put: `Math.max(left - MOST_LOST, left)`,
    },
    seen_by: { file: 'test/routing/group-counts.test.ts', title: 'an order counts as a loss of a tenth at most' },
  },
  {
    says: 'R7: losses are compared as they are, not put between 0 and 1',
    patch: {
      in: { function: 'seenBy', below: ROUTING },
      find: `sum - from * tried`,
      put: `sum - 0 * from * tried`,
    },
    seen_by: { file: 'test/routing/figures.test.ts', title: 'R7: by value, groups that lose on the mean' },
  },
  {
    says: 'R7: a trial counts the cost of first tries alone',
    patch: {
      in: { function: 'costThen', below: 'src/payment/routing' },
      find: `[row, ...further].filter`,
      put: `[row, ...further].slice(0, 1).filter`,
    },
    seen_by: { file: 'test/routing/by-value.test.ts', title: 'an attempt that went on costs both tries' },
  },
  {
    says: 'R9: advice 24 is read as minutes',
    patch: {
      in: { constant: 'TABLE', below: `${RETRIES}/advice.ts` },
      find: `'24', 'wait 1 h', 'wait', 3600,`,
      put: `'24', 'wait 1 h', 'wait', 1440,`,
    },
    seen_by: { file: 'test/core/retries.test.ts', title: 'advice 24 waits an hour' },
  },
];
