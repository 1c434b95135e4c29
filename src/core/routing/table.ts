// Routing rules as data: what a rule asks (`when`), where it sends (`then`), and how a draft is read. An account has
// one table of them; the first rule that matches and has a contract left decides (route.ts).
import { bool, int, money, oneOf, text, textOfForm, withoutCard } from '../fields.ts';
import type { JsonValue } from '../json.ts';
import { toMinor } from '../money.ts';
import { MAX_VALUES } from '../risk/rules.ts';
import { type Field, type Read, type Reading, type Shape, readShape, required, someOf } from '../shape.ts';
import { isZone } from '../zone.ts';
import { FLAG_FACTS, WORD_FACTS } from './facts.ts';

const MAX_RULES = 100;
const MAX_TARGETS = 20;
export const BASIS_POINTS = 10_000;
/** Tries at other providers after the first, where a table does not say. */
const DEFAULT_CASCADE = 1;

const values = <T>(field: Field<T>) => someOf(field, MAX_VALUES);
const contracts = someOf(text(100), MAX_TARGETS);
const RANGE = /^\d{6}(?:-\d{6})?$/;
const range = textOfForm(RANGE, 'six digits, or a range such as 400000-499999');
const HOUR = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const hour = textOfForm(HOUR, 'a time of day such as 08:30');

const HOURS = { from: required(hour), to: required(hour), zone: required(text(60)) } as const satisfies Shape;
const TOLD = { key: required(text(50)), values: required(values(withoutCard(text(255)))) } as const satisfies Shape;

/** Members that `not_` turns round. */
const TURNED = {
  ...Object.fromEntries(Object.entries(WORD_FACTS).map(([name, field]) => [name, values(field)])),
  first6: values(range),
  hour: shaped(HOURS),
  merchant_data: shaped(TOLD),
} as const satisfies Shape;

const WHEN: Shape = {
  ...TURNED,
  ...Object.fromEntries(Object.entries(TURNED).map(([name, field]) => [`not_${name}`, field])),
  ...Object.fromEntries(FLAG_FACTS.map((name) => [name, bool])),
  amount_from: money,
  amount_to: money,
  healthy: contracts,
  missing: values(oneOf('first6', 'merchant_data', ...Object.keys(WORD_FACTS))),
};

export type Hours = Read<typeof HOURS>;
export type Told = Read<typeof TOLD>;
/** Members of WHEN by their names; each was read by its field. */
export type When = Readonly<Record<string, unknown>>;

export const REFUSALS = [
  'no_route_payment_method',
  'no_route_currency',
  'no_route_channel',
  'no_route_partner',
] as const;
export type RefusedRoute = (typeof REFUSALS)[number];

const THEN = {
  order: contracts,
  split: shares(),
  best_of: contracts,
  by: oneOf('order', 'customer', 'card', 'approval', 'value'),
  floor: int(50, 1000),
  control: int(0, 5000),
  margin: int(1, BASIS_POINTS),
  also: bool,
  refuse: oneOf(...REFUSALS),
} as const satisfies Shape;

export type Share = readonly [contract: string, basis_points: number];
export type DrawnBy = 'order' | 'customer' | 'card';
/** The contracts in the order that holds while nothing is known of them, and for the control group always. */
export type BestOf = {
  readonly best_of: readonly string[];
  /** The measure of a better contract: more approved payments, or more money left after its fees. */
  readonly by: 'approval' | 'value';
  /**
   * For `value`: the worth of a payment to the merchant before fees, in basis points of its amount; absent: all of it.
   */
  readonly margin?: number;
  /** The least share of each, in basis points. */
  readonly floor: number;
  /** Share of orders that keep the rule's own order, in basis points. */
  readonly control: number;
};
export type Target = { readonly also?: boolean } & (
  | { readonly order: readonly string[] }
  | { readonly split: readonly Share[]; readonly by: DrawnBy }
  | BestOf
  | { readonly refuse: RefusedRoute }
);

export type RouteRule = {
  readonly name: string;
  readonly when: When;
  readonly then: Target;
  /** The version in which `then` last changed: what is drawn depends on it and on no other publish. */
  readonly since: number;
};

/** A contract of the account as the version knew it. */
export type KnownContract = { readonly id: string; readonly name: string };

export type RouteTable = {
  readonly rules: readonly RouteRule[];
  /** What happens if no rule decides: the payment is refused, or the contracts are tried by their priority. */
  readonly otherwise: 'refuse' | 'priority';
  /** Tries at other providers after the first, within one attempt. */
  readonly cascade: number;
  readonly contracts: readonly KnownContract[];
};

/** The rules in force. They are stored with the account, so that an account without rules costs nothing. */
export type RoutingInForce = RouteTable & { readonly version: number };

/** A draft as it was written: nothing is known yet of when its parts changed. */
export type RouteDraft = Pick<RouteTable, 'otherwise' | 'cascade'> & {
  readonly rules: readonly Omit<RouteRule, 'since'>[];
};

const DOCUMENT = { else: oneOf('refuse', 'priority'), cascade: int(0, 3) } as const satisfies Shape;
const RULE = { name: required(withoutCard(text(64))) } as const satisfies Shape;

/** The facts that rules ask for, turned round or not. */
export function factsAsked(rules: RouteTable['rules'] | RouteDraft['rules']): ReadonlySet<string> {
  return new Set(
    rules.flatMap(({ when }) => [
      ...Object.keys(when).map((name) => name.replace(/^not_/, '')),
      ...(isTexts(when['missing']) ? when['missing'] : []),
    ]),
  );
}

/**
 * Reads `{ "rules": […] }` or the list alone; every problem goes to `reading`. What is unknown is refused, not ignored.
 */
export function readTable(value: JsonValue, reading: Reading, known: readonly KnownContract[]): RouteDraft {
  const members = new Map(value instanceof Map ? value : [['rules', value]]);
  const list = members.get('rules');
  members.delete('rules');
  const read = readShape(DOCUMENT, members, { reading });
  const head = { otherwise: read.else ?? 'priority', cascade: read.cascade ?? DEFAULT_CASCADE } as const;
  if (!Array.isArray(list)) return { ...head, rules: reading.refuse('rules', 'must be a list of rules') ?? [] };
  if (list.length > MAX_RULES) reading.refuse('rules', `has more than ${MAX_RULES} rules`);
  const rules = list
    .slice(0, MAX_RULES)
    .flatMap((item: JsonValue, i) => readRule(item, `rules[${i}]`, { reading, known }) ?? []);
  const names = new Set<string>();
  for (const [i, { name }] of rules.entries()) {
    if (names.has(name)) reading.refuse(`rules[${i}].name`, 'is the name of another rule too');
    names.add(name);
  }
  for (const name of reading.ignored) reading.refuse(name, 'is no member that is known here');
  return { ...head, rules };
}

type At = { readonly reading: Reading; readonly known: readonly KnownContract[] };

function readRule(value: JsonValue, path: string, at: At): Omit<RouteRule, 'since'> | undefined {
  const { reading } = at;
  if (!(value instanceof Map)) return reading.refuse(path, 'must be an object');
  const before = reading.problems.length;
  const rest = new Map(value);
  const [said_when, said_then] = [rest.get('when') ?? new Map<string, JsonValue>(), rest.get('then')];
  // since is the publisher's: a version that is shown can be published again
  for (const name of ['when', 'then', 'since']) rest.delete(name);
  const { name } = readShape(RULE, rest, { reading, path: `${path}.` });
  const when = readWhen(said_when, `${path}.when`, at);
  const then = readThen(said_then, `${path}.then`, at);
  return reading.problems.length > before || name === undefined || !then ? undefined : { name, when, then };
}

function readWhen(value: JsonValue, path: string, { reading, known }: At): When {
  if (!(value instanceof Map)) return reading.refuse(path, 'must be an object') ?? {};
  const when: When = readShape(WHEN, value, { reading, path: `${path}.` });
  const { amount_from, amount_to, currency, healthy } = when;
  const amounts = Object.entries({ amount_from, amount_to }).filter(([, one]) => one !== undefined);
  const [only, ...others] = Array.isArray(currency) ? currency : [];
  if (amounts.length > 0 && (typeof only !== 'string' || others.length > 0))
    reading.refuse(`${path}.currency`, 'must be one currency where an amount is asked for');
  else for (const [name, decimal] of amounts) checkMoney(`${path}.${name}`, [decimal, only], reading);
  for (const name of ['hour', 'not_hour']) {
    const hours = when[name];
    if (isHours(hours) && !isZone(hours.zone))
      reading.refuse(`${path}.${name}.zone`, 'must be a time zone such as Europe/Paris');
  }
  checkContracts(isTexts(healthy) ? healthy : [], `${path}.healthy`, { reading, known });
  return when;
}

function checkMoney(path: string, [decimal, currency]: readonly unknown[], reading: Reading): void {
  const read = toMinor(String(decimal), String(currency));
  if ('problem' in read) reading.refuse(path, read.problem);
}

export const isHours = (value: unknown): value is Hours =>
  typeof value === 'object' && value !== null && 'zone' in value && typeof value.zone === 'string';
export const isTold = (value: unknown): value is Told =>
  typeof value === 'object' && value !== null && 'key' in value && 'values' in value;
export const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

function readThen(value: JsonValue | undefined, path: string, at: At): Target | undefined {
  const { reading } = at;
  if (!(value instanceof Map)) return reading.refuse(path, 'must say where to: order, split, best_of or refuse');
  const read: Then = readShape(THEN, value, { reading, path: `${path}.` });
  const { order, split, best_of, refuse, also } = read;
  const more = also === undefined ? {} : { also };
  if ([order, split, best_of, refuse].filter((one) => one !== undefined).length !== 1)
    return reading.refuse(path, 'must have one of order, split, best_of, refuse');
  for (const [name, kind] of MEMBER_OF) {
    if (read[name] !== undefined && read[kind] === undefined) reading.refuse(`${path}.${name}`, `belongs to ${kind}`);
  }
  if (read.by !== undefined && !split && !best_of) reading.refuse(`${path}.by`, 'belongs to split and best_of');
  if (refuse) return also === undefined ? { refuse } : reading.refuse(`${path}.also`, 'belongs to order and split');
  const names = order ?? best_of ?? split?.map(([name]) => name) ?? [];
  checkContracts(names, `${path}.${order ? 'order' : best_of ? 'best_of' : 'split'}`, at);
  if (order) return { order, ...more };
  if (best_of) return { ...readBest(read, path, at), ...more };
  return { ...readSplit(read, path, at), ...more };
}

type Then = Partial<Read<typeof THEN>>;

/** Members that only one kind of target has; `by` is of two, which read it themselves. */
const MEMBER_OF = [
  ['floor', 'best_of'],
  ['control', 'best_of'],
  ['margin', 'best_of'],
] as const;

function readSplit(
  { split = [], by = 'order' }: Then,
  path: string,
  { reading }: At,
): Extract<Target, { split: unknown }> {
  const sum = split.reduce((all, [, share]) => all + share, 0);
  if (sum !== BASIS_POINTS) reading.refuse(`${path}.split`, `must add up to ${BASIS_POINTS} basis points, not ${sum}`);
  if (by !== 'approval' && by !== 'value') return { split, by };
  reading.refuse(`${path}.by`, 'must be order, customer or card of a split');
  return { split, by: 'order' };
}

const DEFAULT_FLOOR = 200;
const DEFAULT_CONTROL = 1000;

function readBest({ best_of = [], by = 'approval', ...read }: Then, path: string, { reading }: At): BestOf {
  const { floor = DEFAULT_FLOOR, control = DEFAULT_CONTROL, margin } = read;
  if (best_of.length === 1) reading.refuse(`${path}.best_of`, 'must have two contracts or more');
  if (by !== 'approval' && by !== 'value') reading.refuse(`${path}.by`, 'must be approval or value of a best_of');
  if (margin !== undefined && by !== 'value') reading.refuse(`${path}.margin`, 'belongs to by value');
  if (floor * best_of.length > BASIS_POINTS)
    reading.refuse(`${path}.floor`, 'leaves nothing to choose: it is more than all contracts have together');
  const of = { best_of, floor, control };
  return by === 'value' ? { ...of, by, ...(margin !== undefined && { margin }) } : { ...of, by: 'approval' };
}

/** Checks the contracts that a rule names: by name or id, each once. */
function checkContracts(names: readonly string[], path: string, { reading, known }: At): void {
  const found = names.map((name) => known.find((one) => one.name === name || one.id === name)?.id);
  for (const [i, id] of found.entries()) {
    if (id === undefined) reading.refuse(`${path}[${i}]`, 'is no contract of this account');
    else if (found.indexOf(id) !== i) reading.refuse(`${path}[${i}]`, 'is named twice');
  }
}

function shares(): Field<readonly Share[], false> {
  const weight = int(1, BASIS_POINTS);
  const name = text(100);
  const item: Field<Share, false> = {
    schema: { type: 'array', prefixItems: [name.schema, weight.schema], minItems: 2, maxItems: 2 },
    required: false,
    read: (value, path, reading) => {
      if (!Array.isArray(value) || value.length !== 2)
        return reading.refuse(path, 'must be a contract and its basis points');
      const [contract, points] = [
        name.read(value[0] ?? null, `${path}[0]`, reading),
        weight.read(value[1] ?? null, `${path}[1]`, reading),
      ];
      return contract === undefined || points === undefined ? undefined : [contract, points];
    },
  };
  return someOf(item, MAX_TARGETS);
}

/** An object of a shape, whose required members are required. */
function shaped<S extends Shape>(shape: S): Field<Read<S>, false> {
  return {
    schema: { type: 'object' },
    required: false,
    read: (value, name, reading) => {
      if (!(value instanceof Map)) return reading.refuse(name, 'must be an object');
      const before = reading.problems.length;
      const read = readShape(shape, value, { reading, path: `${name}.` });
      return reading.problems.length > before ? undefined : (read as Read<S>);
    },
  };
}
