// The routes that a caller may have meant by one that does not exist (contract 2.5): the nearest routes of this host
// and of the others. Only texts of the tables are answered, never the caller's own.
import { isId } from '../../../core/ids.ts';

export type Signpost = {
  readonly method: string;
  /** The path as the table has it: `/payment/order/:order_id`. */
  readonly path: string;
  /** For a route of another host: its name and its address. */
  readonly at?: { readonly host: string; readonly url: string };
};

/** Costs of a route against what was asked; what costs more than `MOST` is no likely meaning. */
const COST = {
  method: 0.3,
  elsewhere: 0.2,
  parameter: 0.1,
  missing: 0.6,
  extra: 1,
  begun_later: 0.8,
  misplaced: 0.3,
  letter: 0.4,
  other: 2,
  told: 0.6,
  elsewhere_begun: 1,
};
const MOST = 2.7;
/** Where the path is right and its method is not, a path with another part is of another object. */
const MOST_OF_METHODS = COST.other - 0.1;
const MOST_NAMED = 3;
const LONGEST = 200;
/** So many words has a path whose last one says what is done, as /payment/maintenance/refund. */
const WORDS_THAT_TELL = 3;
const SHORTEST_WORD = 4;

/** The routes nearest to a request, as a text such as `POST /payment/checkout`; undefined: none is near. */
export function nearestRoutes(method: string, url: string, posts: readonly Signpost[]): string | undefined {
  return nearest({ method, url, posts, most: MOST });
}

/** Of a path of the table that does not take this method: the nearest that takes it, of the same object. */
export function nearestOfMethod(method: string, path: string, posts: readonly Signpost[]): string | undefined {
  const taking = posts.filter((post) => post.method === method);
  return nearest({ method, url: path, posts: taking, most: MOST_OF_METHODS });
}

type Near = {
  readonly method: string;
  readonly url: string;
  readonly posts: readonly Signpost[];
  readonly most: number;
};

function nearest({ method, url, posts, most }: Near): string | undefined {
  const whole = segmentsOf((url.split('?')[0] ?? '').slice(0, LONGEST).toLowerCase());
  const begun = new Set(posts.map(({ path }) => segmentsOf(path)[0]));
  // other APIs have their version in front
  const asked = whole.slice(whole.findIndex((part) => begun.has(part) || !/^(?:api|v\d{1,3})$/.test(part)));
  if (asked.length === 0) return undefined;
  const costs = posts
    .map((post) => ({ post, cost: costOf(post, method, asked) }))
    .filter(({ cost }) => cost <= most)
    .toSorted((a, b) => a.cost - b.cost);
  const best = costs.filter(({ cost }) => cost < (costs[0]?.cost ?? 0) + 0.01).slice(0, MOST_NAMED);
  return best.length === 0 ? undefined : best.map(({ post }) => wordsOf(post)).join(', ');
}

function wordsOf({ method, path, at }: Signpost): string {
  const shown = path.replace(/:(\w+)/g, '{$1}');
  return at ? `${method} ${at.url}${shown} (${at.host})` : `${method} ${shown}`;
}

const segmentsOf = (path: string): readonly string[] => path.split('/').filter((part) => part !== '');

function costOf({ method, path, at }: Signpost, asked_method: string, asked: readonly string[]): number {
  const own = segmentsOf(path);
  // the first part of a path is easily left out: /checkout for /payment/checkout
  const later =
    own[1] !== undefined && !own[1].startsWith(':')
      ? COST.begun_later + costOfPath(own.slice(1), asked)
      : Number.POSITIVE_INFINITY;
  const without_ids = asked.filter((part) => !isId(part));
  const misplaced = without_ids.length > 0 ? COST.misplaced + costOfPath(own, without_ids) : Number.POSITIVE_INFINITY;
  const rest = (method === asked_method ? 0 : COST.method) + (at ? COST.elsewhere : 0);
  return Math.min(costOfPath(own, asked), later, misplaced, costOfLast(own, without_ids)) + rest;
}

/** What is done is told by the last word, wherever it hangs: /order/{id}/refund, /refunds. */
function costOfLast(own: readonly string[], asked: readonly string[]): number {
  const words = own.filter((part) => !part.startsWith(':'));
  const [last, told] = [words.at(-1), asked.at(-1)];
  if (words.length < WORDS_THAT_TELL || last === undefined || told === undefined || told.length < SHORTEST_WORD)
    return Number.POSITIVE_INFINITY;
  const begun = asked[0] === own[0] ? 0 : COST.elsewhere_begun;
  return COST.told + costOfPart(last, told) + begun;
}

function costOfPath(own: readonly string[], asked: readonly string[]): number {
  let cost = Math.max(0, asked.length - own.length) * COST.extra;
  for (const [at, part] of own.entries()) {
    const given = asked[at];
    if (given === undefined) cost += COST.missing;
    else cost += part.startsWith(':') || given.startsWith(':') ? COST.parameter : costOfPart(part, given);
    // another beginning is another route
    if (at === 0 && cost >= COST.other) return Number.POSITIVE_INFINITY;
  }
  return cost;
}

function costOfPart(part: string, given: string): number {
  if (part === given) return 0;
  const most = Math.max(1, part.length / 4);
  if (Math.abs(part.length - given.length) > most) return COST.other;
  const letters = distance(part, given);
  return letters <= most ? letters * COST.letter : COST.other;
}

/** Letters to add, leave out or change (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)));
    row = next;
  }
  return row[b.length] ?? 0;
}
