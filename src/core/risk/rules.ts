// Risk rules as data: what a rule may ask of a payment, the result code it refuses with, and how a draft is read. An
// account has a list of them; the first that refuses decides. What they do is src/payment/risk.
import { DAY_S } from '../durations.ts';
import { country, currency, int, money, oneOf, text, withoutCard } from '../fields.ts';
import type { JsonValue } from '../json.ts';
import { toMinor } from '../money.ts';
import type { ResultName } from '../results.ts';
import { type Field, type Read, type Reading, type Shape, readShape, required, someOf } from '../shape.ts';

/** The values by which attempts are counted, and the result code of a rule that counts by them. */
export const VELOCITY_RESULTS = {
  all: 'risk_velocity',
  customer: 'risk_velocity',
  card: 'risk_velocity_card',
  email: 'risk_velocity_email',
  ip: 'risk_velocity_ip',
  identification: 'risk_velocity_verified_info',
  phone: 'risk_velocity_verified_info',
  bin: 'risk_velocity_bin',
  billing_address: 'risk_velocity_billing_address',
  shipping_address: 'risk_velocity_shipping_address',
  name: 'risk_velocity_cardholder_name',
  custom: 'risk_velocity_custom_data',
} as const satisfies Record<string, ResultName>;

export type VelocitySubject = keyof typeof VELOCITY_RESULTS;

/** The kinds of entries of a list. */
export const LIST_KINDS = [
  'card',
  'bin',
  'email',
  'email_domain',
  'ip',
  'customer',
  'identification',
  'phone',
  'billing_address',
  'shipping_address',
  'name',
  'custom',
] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/**
 * attempts: let through by the rules. successes: paid, or not decided yet. declines: ended without. amount: of
 * successes.
 */
const MEASURES = ['attempts', 'successes', 'declines', 'amount'] as const;
export type Measure = (typeof MEASURES)[number];

/** Texts of an order that rules compare. */
export const COMPARED = [
  'customer_country',
  'customer_billing_country',
  'shipping_address_country',
  'customer_zip_code',
  'customer_billing_zip_code',
  'shipping_address_zip_code',
  'customer_first_name',
  'customer_last_name',
  'customer_billing_first_name',
  'customer_billing_last_name',
  'shipping_first_name',
  'shipping_last_name',
  'customer_email',
  'shipping_email',
  'payment_channel',
  'device_type',
  'shipping_delivery_method',
  'shipping_delivery_range',
  'authentication_indicator',
  'website_url',
] as const;
const COUNTRIES = ['customer_country', 'customer_billing_country', 'shipping_address_country'] as const;

/** No rule looks further back. */
export const MAX_WINDOW_DAYS = 30;
const MAX_WINDOW_S = MAX_WINDOW_DAYS * DAY_S;
const MAX_LIMIT = 1000;
const MAX_RULES = 100;
/** Values that one member of a rule may name. */
export const MAX_VALUES = 300;

const some = <T>(item: Field<T>) => someOf(item, MAX_VALUES);

// published rules are kept as they were, for good
const VALUE = withoutCard(text(255));
const NAMED = { name: required(withoutCard(text(64))), action: oneOf('refuse', 'mark') } as const satisfies Shape;

/** The members of each kind of rule. */
const SHAPES = {
  velocity: {
    ...NAMED,
    subject: required(oneOf('all', ...subjects())),
    key: text(50),
    measure: oneOf(...MEASURES),
    limit: int(1, MAX_LIMIT),
    amount: money,
    currency,
    window_s: required(int(60, MAX_WINDOW_S)),
  },
  country: { ...NAMED, of: required(oneOf(...COUNTRIES)), refused: some(country), allowed: some(country) },
  mismatch: { ...NAMED, one: required(oneOf(...COMPARED)), other: required(oneOf(...COMPARED)) },
  amount: { ...NAMED, above: required(money), currency: required(currency) },
  field: { ...NAMED, of: required(oneOf(...COMPARED)), values: required(some(VALUE)) },
  // what the merchant's own tools said, told with the order in merchant_data
  tool: { ...NAMED, key: required(text(50)), values: required(some(VALUE)) },
  check: { ...NAMED, key: required(text(50)), values: required(some(VALUE)) },
} as const satisfies Record<string, Shape>;

type Kind = keyof typeof SHAPES;
export type RuleOf<K extends Kind> = K extends Kind
  ? Omit<Read<(typeof SHAPES)[K]>, 'action'> & { readonly kind: K; readonly action: 'refuse' | 'mark' }
  : never;
export type Rule = RuleOf<Kind>;
export type VelocityRule = RuleOf<'velocity'>;

/**
 * The rules that an account has switched on. They are stored with the account, so that an account without rules costs
 * nothing.
 */
export type RiskInForce = {
  /** 0: none was published. */
  readonly version: number;
  readonly rules: readonly Rule[];
  /** Kinds that its block and allow lists hold. */
  readonly lists: readonly ListKind[];
};

export function resultOfRule(rule: Rule): ResultName {
  switch (rule.kind) {
    case 'velocity':
      return VELOCITY_RESULTS[rule.subject];
    case 'country':
      return 'risk_country_refused';
    case 'mismatch':
      return 'risk_data_mismatch';
    case 'tool':
      return 'risk_tool_blocked';
    case 'check':
      return 'risk_outside_check';
    case 'amount':
    case 'field':
      return 'risk_refused';
  }
}

/**
 * Reads a draft; every problem goes to `reading`, with the number of its rule. What is unknown is refused, not ignored.
 */
export function readDraft(value: JsonValue, reading: Reading): readonly Rule[] {
  if (!Array.isArray(value)) return reading.refuse('rules', 'must be a list of rules') ?? [];
  if (value.length > MAX_RULES) return reading.refuse('rules', `has more than ${MAX_RULES} rules`) ?? [];
  const rules = value.flatMap((item: JsonValue, i) => readRule(item, `rules[${i}]`, reading) ?? []);
  const names = new Set<string>();
  for (const [i, { name }] of rules.entries()) {
    if (names.has(name)) reading.refuse(`rules[${i}].name`, 'is the name of another rule too');
    names.add(name);
  }
  for (const name of reading.ignored) reading.refuse(name, 'is no member of this kind of rule');
  return rules;
}

function readRule(value: JsonValue, path: string, reading: Reading): Rule | undefined {
  if (!(value instanceof Map)) return reading.refuse(path, 'must be an object');
  const { kind: said, ...rest }: Record<string, JsonValue> = Object.fromEntries(value);
  const kind = kindOf(said);
  if (!kind) return reading.refuse(`${path}.kind`, `must be one of ${Object.keys(SHAPES).join(', ')}`);
  const before = reading.problems.length;
  const members = new Map(Object.entries(rest));
  const read = readShape(SHAPES[kind], members, { reading, path: `${path}.` });
  if (reading.problems.length > before) return undefined;
  const rule = { action: 'refuse', ...(kind === 'velocity' && { measure: 'attempts' }), ...read, kind } as Rule;
  const problem = problemOf(rule);
  return problem ? reading.refuse(`${path}.${problem.member}`, problem.says) : rule;
}

function kindOf(said: JsonValue | undefined): Kind | undefined {
  const kinds: Record<string, Kind> = {
    velocity: 'velocity',
    country: 'country',
    mismatch: 'mismatch',
    amount: 'amount',
    field: 'field',
    tool: 'tool',
    check: 'check',
  };
  return typeof said === 'string' && Object.hasOwn(kinds, said) ? kinds[said] : undefined;
}

type Problem = { readonly member: string; readonly says: string };

/** Checks how the members of a rule fit together. */
function problemOf(rule: Rule): Problem | undefined {
  if (rule.kind === 'country' && (rule.refused === undefined) === (rule.allowed === undefined))
    return { member: 'refused', says: 'or allowed must be given, and not both' };
  if (rule.kind === 'mismatch' && rule.one === rule.other)
    return { member: 'other', says: 'must be another field than one' };
  if (rule.kind === 'amount') return moneyProblem('above', rule.above, rule.currency);
  return rule.kind === 'velocity' ? velocityProblem(rule) : undefined;
}

function velocityProblem({ subject, key, measure, limit, amount, currency: code }: VelocityRule): Problem | undefined {
  if ((subject === 'custom') !== (key !== undefined))
    return { member: 'key', says: 'names the merchant_data of the subject custom, and of no other' };
  if (measure !== 'amount') {
    if (amount !== undefined || code !== undefined)
      return { member: 'amount', says: 'and currency belong to the measure amount' };
    return limit === undefined ? { member: 'limit', says: 'is required' } : undefined;
  }
  if (limit !== undefined || amount === undefined || code === undefined)
    return { member: 'amount', says: 'and currency are required, and limit is none of this measure' };
  return moneyProblem('amount', amount, code);
}

function moneyProblem(member: string, decimal: string, code: string): Problem | undefined {
  const read = toMinor(decimal, code);
  return 'problem' in read ? { member, says: read.problem } : undefined;
}

function subjects(): readonly VelocitySubject[] {
  return Object.keys(VELOCITY_RESULTS).filter(
    (name): name is VelocitySubject => name !== 'all' && Object.hasOwn(VELOCITY_RESULTS, name),
  );
}
