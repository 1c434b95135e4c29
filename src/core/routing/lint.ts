// Warnings about a table before it is published: rules that nothing reaches, contracts that cannot take the payments
// that they are sent, facts that are never known. A warning refuses nothing; a table that must not be published is
// refused when it is read (table.ts).
import { UNKNOWN_FACTS, plain } from './facts.ts';
import { type RouteDraft, type RouteRule, type Target, type When, isTexts } from './table.ts';

/** A contract as far as it says what it takes; an empty list: anything. */
export type LintedContract = {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly currencies: readonly string[];
  readonly methods: readonly string[];
  readonly channels: readonly string[];
  readonly operations: readonly string[];
  readonly token_types: readonly string[];
};

/** A currency and scheme of orders of the last days. */
export type Cell = { readonly currency: string; readonly scheme: string };

export type Warning = { readonly rule: string | null; readonly says: string };

type Known = { readonly contracts: readonly LintedContract[]; readonly cells: readonly Cell[] };
type Rule = Omit<RouteRule, 'since'>;

export function lint(draft: RouteDraft, { contracts, cells }: Known): readonly Warning[] {
  const find = (name: string) => contracts.find((one) => one.id === name || one.name === name);
  return [
    ...draft.rules.flatMap((rule, i) => {
      const before = draft.rules.slice(0, i);
      const says = [...covered(rule, before, find), ...unknown(rule), ...oneArm(rule), ...unable(rule, find)];
      return says.map((text) => ({ rule: rule.name, says: text }));
    }),
    ...cells.flatMap((cell) => without(cell, draft, { contracts, find })),
  ];
}

type Find = (name: string) => LintedContract | undefined;

function targetsOf(then: Target): readonly string[] {
  if ('order' in then) return then.order;
  if ('best_of' in then) return then.best_of;
  return 'split' in then ? then.split.map(([name]) => name) : [];
}

/**
 * Nothing reaches a rule if an earlier one matches whatever it matches, and refuses it, or has all of its contracts:
 * where none of those is left for a payment, none is left of the later rule's either.
 */
function covered(rule: Rule, before: readonly Rule[], find: Find): readonly string[] {
  const by = before.find(({ when }) => matchesAllOf(when, rule.when));
  if (!by) return [];
  const id = (name: string) => find(name)?.id ?? name;
  const earlier = new Set(targetsOf(by.then).map(id));
  const all =
    'refuse' in by.then || (!('refuse' in rule.then) && targetsOf(rule.then).every((one) => earlier.has(id(one))));
  return [
    all
      ? `is never reached: ${by.name}, above it, takes everything that it asks for`
      : `is reached only when no contract of ${by.name}, above it, is left`,
  ];
}

/**
 * True if every payment that matches `narrow` also matches `wide`: each member of `wide` follows from a member of
 * `narrow`.
 */
function matchesAllOf(wide: When, narrow: When): boolean {
  return Object.entries(wide).every(([name, value]) => follows(name, value, narrow));
}

function follows(name: string, value: unknown, narrow: When): boolean {
  const other = narrow[name];
  if (name === 'amount_from' || name === 'amount_to') return amountFollows(name, value, other);
  if (name.startsWith('not_') && isTexts(value) && name !== 'not_first6') {
    const positive = narrow[name.slice(4)];
    if (isTexts(positive) && !positive.some((one) => holds(value, one))) return true;
    return isTexts(other) && value.every((one) => holds(other, one));
  }
  if (other === undefined) return false;
  if (isTexts(value) && isTexts(other))
    // more contracts that must be ready, more facts that must be missing: narrower
    return name === 'healthy' || name === 'missing'
      ? value.every((one) => other.includes(one))
      : name === 'not_first6'
        ? value.every((one) => holds(other, one))
        : other.every((one) => holds(value, one));
  return same(value, other);
}

const holds = (list: readonly string[], one: string) => list.some((text) => plain(text) === plain(one));

function amountFollows(name: string, value: unknown, other: unknown): boolean {
  if (other === undefined) return false;
  return name === 'amount_from' ? Number(other) >= Number(value) : Number(other) <= Number(value);
}

/** Members that are objects or flags are compared as they are written. */
function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function unknown({ when }: Rule): readonly string[] {
  return Object.keys(when).flatMap((name) => {
    const fact = name.replace(/^not_/, '');
    return Object.hasOwn(UNKNOWN_FACTS, fact)
      ? [`never matches: ${fact} is not told here (${UNKNOWN_FACTS[fact]})`]
      : [];
  });
}

function oneArm({ then }: Rule): readonly string[] {
  return 'split' in then && then.split.length === 1 ? ['splits between one contract'] : [];
}

const TAKES = { currency: 'currencies', scheme: 'methods', channel: 'channels' } as const;
const TAKES_TOO = { operation_type: 'operations', token_type: 'token_types' } as const;

function unable({ when, then }: Rule, find: Find): readonly string[] {
  return targetsOf(then).flatMap((name) => {
    const contract = find(name);
    if (!contract) return [];
    if (!contract.enabled) return [`sends to ${name}, which is switched off`];
    return Object.entries({ ...TAKES, ...TAKES_TOO }).flatMap(([fact, list]) => {
      const [asked, takes] = [when[fact], contract[list]];
      const none = isTexts(asked) && takes.length > 0 && !asked.some((one) => takes.includes(one));
      return none ? [`sends to ${name}, which takes no ${fact} of these`] : [];
    });
  });
}

type Around = { readonly contracts: readonly LintedContract[]; readonly find: Find };

/** A currency and scheme that orders come with, and that no rule and no contract takes. */
function without({ currency, scheme }: Cell, draft: RouteDraft, { contracts, find }: Around): readonly Warning[] {
  const takes = (contract: LintedContract | undefined) =>
    contract?.enabled === true &&
    (contract.currencies.length === 0 || contract.currencies.includes(currency)) &&
    (contract.methods.length === 0 || contract.methods.includes(scheme));
  const allows = ({ when }: Rule) =>
    (!isTexts(when['currency']) || when['currency'].includes(currency)) &&
    (!isTexts(when['scheme']) || when['scheme'].includes(scheme));
  const by_rule = draft.rules.some((rule) => allows(rule) && targetsOf(rule.then).some((name) => takes(find(name))));
  const by_priority = draft.otherwise === 'priority' && contracts.some((one) => takes(one));
  const said = `orders of the last 30 days came in ${currency} with ${scheme}, and nothing here takes them`;
  return by_rule || by_priority ? [] : [{ rule: null, says: said }];
}
