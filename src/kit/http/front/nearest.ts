// The routes that a caller may have meant by one that does not exist (contract 2.5): the nearest routes of this host
// and of the others. Only texts of the tables are answered, never the caller's own.
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
};
const MOST = 2.7;
const MOST_NAMED = 3;
const LONGEST = 200;

/** The routes nearest to a request, as a text such as `POST /payment/checkout`; undefined: none is near. */
export function nearestRoutes(method: string, url: string, posts: readonly Signpost[]): string | undefined {
  const asked = segmentsOf((url.split('?')[0] ?? '').slice(0, LONGEST).toLowerCase());
  if (asked.length === 0) return undefined;
  const costs = posts
    .map((post) => ({ post, cost: costOf(post, method, asked) }))
    .filter(({ cost }) => cost <= MOST)
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
  const without_ids = asked.filter((part) => !/^[0-9a-f]{24}$/.test(part));
  const misplaced = without_ids.length > 0 ? COST.misplaced + costOfPath(own, without_ids) : Number.POSITIVE_INFINITY;
  const rest = (method === asked_method ? 0 : COST.method) + (at ? COST.elsewhere : 0);
  return Math.min(costOfPath(own, asked), later, misplaced) + rest;
}

function costOfPath(own: readonly string[], asked: readonly string[]): number {
  let cost = Math.max(0, asked.length - own.length) * COST.extra;
  for (const [at, part] of own.entries()) {
    const given = asked[at];
    if (given === undefined) cost += COST.missing;
    else cost += part.startsWith(':') ? COST.parameter : costOfPart(part, given);
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
