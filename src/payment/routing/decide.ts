// Which contract takes an attempt: by the account's rules where it has some, every time a provider is not well, and
// where one stands alone; else the first that fits.
import { AUTHENTICATION_FACTS } from '../../core/routing/facts.ts';
import { type LeftOut, type Routed, compiled, getsAShare, route } from '../../core/routing/route.ts';
import type { RoutingInForce } from '../../core/routing/table.ts';
import type { ResultName } from '../../core/results.ts';
import type { Account, Contract } from '../merchant/account.ts';
import type { Candidate, Tools } from '../tools.ts';
import { type RoutingRequest, chooseContract, fits } from './choose.ts';
import { type Drawn, ORIGIN_FACTS, type RoutedAttempt, drawerOf, factsOf, groupOf } from './facts.ts';
import { type RouteKept, type RouteNote, idsOf, noteOf, skippedIn } from './note.ts';

export type Choosing = {
  readonly account: Pick<Account, 'settings' | 'merchant_account_id'>;
  /**
   * Contracts whose provider takes what is paid with, in the order of priority; with the partner they are limited to.
   */
  readonly may: Pick<Account, 'contracts'> & { readonly partner?: string };
  readonly wanted: RoutingRequest;
  /** Id or name, as the request has it. */
  readonly named: string | undefined;
  readonly attempt: Omit<RoutedAttempt, 'origin'> & { readonly last4: string | null };
  readonly subject: Omit<Drawn, 'merchant_account_id'>;
};

export type Chosen = { readonly route: RouteKept | null } & (
  | { readonly contract: Contract; readonly fallbacks: readonly Contract[] }
  | { readonly refused: ResultName }
);

export function chooseRoute(tools: Pick<Tools, 'secret_key' | 'origins' | 'breaker'>, choosing: Choosing): Chosen {
  const { account, may, wanted, named } = choosing;
  const compared = comparedBy(tools, choosing);
  const routing = compared ? compared.table : rulesOf(account.settings.routing);
  // without rules a provider that is open is found out when it is sent to, and the next one is tried
  const returning = may.contracts.some((contract) => tools.breaker.isPart(candidateOf(choosing, contract)));
  const alone = named !== undefined && account.settings.named_contract === 'only';
  const table = routing ?? (returning || alone ? NO_RULES : undefined);
  if (!table) return { ...chooseContract(may, wanted, named), route: null };
  const routed = decide(tools, choosing, table);
  const { how } = routed;
  const note = noteOf(routed, { table, how: how === 'advice' ? undefined : how, f: routed.f, e: compared?.e });
  // nothing was left out, and what was chosen is what would be chosen again
  const kept =
    table === NO_RULES && how !== 'only' && routed.skipped.length === 0 ? null : { note, of: ofVersion(note, table) };
  const order = inTurn(may.contracts, routed);
  const [contract] = order;
  if (contract) return { contract, fallbacks: fallbacksOf(order, contract.provider, table.cascade), route: kept };
  const { refused } = routed;
  if (refused !== undefined && refused !== 'no_route') return { refused, route: kept };
  const why = chooseContract({ ...may, contracts: refused ? may.contracts : [] }, wanted, named);
  return { refused: 'refused' in why ? why.refused : 'no_route_payment_method', route: kept };
}

type Compared = { readonly table: RoutingInForce; readonly e: NonNullable<RouteNote['e']> };

/** While two versions are compared: the one of its group, which is noted whatever it says. */
function comparedBy(
  { secret_key }: Pick<Tools, 'secret_key'>,
  { account: { settings, merchant_account_id }, subject }: Choosing,
): Compared | undefined {
  const { experiment, routing } = settings;
  if (!experiment || !routing) return undefined;
  const group = groupOf(secret_key, { ...subject, merchant_account_id }, experiment);
  return { table: group === 'a' ? routing : experiment.table, e: [experiment.number, group] };
}

/** A version of no rules, under which the first that fits and is well is taken. */
export const NO_RULES: RoutingInForce = {
  version: 0,
  rules: [],
  otherwise: 'priority',
  cascade: Number.POSITIVE_INFINITY,
  contracts: [],
};

/** A version may have no rule any more: then nothing is asked, and nothing noted. */
function rulesOf(table: RoutingInForce | undefined): RoutingInForce | undefined {
  return table && (table.rules.length > 0 || table.otherwise === 'refuse') ? table : undefined;
}

function candidateOf(
  { account: { merchant_account_id }, attempt: { scheme } }: Choosing,
  { id: contract_id, provider }: Contract,
): Candidate {
  return { merchant_account_id, contract_id, provider, scheme };
}

/**
 * Why a contract should not have this payment; each provider and contract is asked once, and only if it is looked at.
 */
function unwellOf(
  { breaker }: Pick<Tools, 'breaker'>,
  choosing: Choosing,
): (contract: Contract) => LeftOut | undefined {
  const providerIs = once((provider: string) => breaker.leftOut(provider));
  const contracts = new Map(choosing.may.contracts.map((contract) => [contract.id, contract]));
  const contractIs = once((id: string) => {
    const contract = contracts.get(id);
    return contract && breaker.suspects(candidateOf(choosing, contract));
  });
  return ({ id, provider }) => {
    const held = breaker.holdOf(id);
    if (held !== undefined) return held === 'open' ? 'held' : undefined;
    return providerIs(provider) ?? contractIs(id);
  };
}

function once<T>(ask: (name: string) => T): (name: string) => T {
  const known = new Map<string, { readonly said: T }>();
  return (name) => {
    const before = known.get(name) ?? { said: ask(name) };
    known.set(name, before);
    return before.said;
  };
}

type How = 'first' | 'only' | 'advice';
type Decided = Routed & { readonly f: RouteNote['f']; readonly how: How | undefined };

function decide(
  tools: Pick<Tools, 'secret_key' | 'origins' | 'breaker'>,
  choosing: Choosing,
  table: RoutingInForce,
): Decided {
  const { secret_key, origins } = tools;
  const { account, may, wanted, named, attempt, subject } = choosing;
  const unwell = unwellOf(tools, choosing);
  const { first6, last4 } = attempt;
  const origin = origins.cardOf({ first6, last4 });
  const facts = factsOf({ ...attempt, origin });
  const contracts = new Map(may.contracts.map((contract) => [contract.id, contract]));
  const id = named === undefined ? undefined : may.contracts.find((one) => one.id === named || one.name === named)?.id;
  const { named_contract } = account.settings;
  // without rules what is named goes first in any case, as long as its provider is well
  const how = table === NO_RULES && named_contract !== 'only' ? 'advice' : named_contract;
  const routed = route(facts, compiled(table), {
    contracts: may.contracts,
    leftOut: (one) => {
      const contract = contracts.get(one);
      if (!contract) return 'off';
      if (!fits(contract, wanted)) return 'unfit';
      return unwell(contract);
    },
    weights: account.settings.weights,
    draw: drawerOf(secret_key, { ...subject, merchant_account_id: account.merchant_account_id }),
    named: id === undefined ? undefined : { id, how },
  });
  return { ...routed, how: id === undefined ? undefined : how, f: askedFacts(table, { ...attempt, origin }) };
}

/**
 * The facts that the rules ask for and that would be different later: from the BIN table, which changes each month, and
 * of an authentication, as far as it was known.
 */
function askedFacts(
  table: RoutingInForce,
  { origin, authentication = {} }: Pick<RoutedAttempt, 'origin' | 'authentication'>,
): RouteNote['f'] {
  const { asked } = compiled(table);
  const told = [
    ...Object.entries(ORIGIN_FACTS).map(([fact, member]) => [fact, origin[member]] as const),
    ...AUTHENTICATION_FACTS.map((fact) => [fact, authentication[fact] ?? null] as const),
  ].flatMap(([fact, said]) => (said !== null && asked.has(fact) ? [[fact, said] as const] : []));
  return told.length === 0 ? undefined : Object.fromEntries(told);
}

/** Whether rules are to be asked once more when the payer's authentication has ended. */
export function asksAuthentication({ routing, experiment }: Account['settings']): boolean {
  return [routing, routing && experiment?.table].some((table) => table !== undefined && asksHowItEnded(table));
}

/** A rule of it asks how the payer's authentication ended. */
export function asksHowItEnded(table: RoutingInForce): boolean {
  return AUTHENTICATION_FACTS.some((fact) => compiled(table).asked.has(fact));
}

/**
 * The contracts of a choice. Where no rule decides, those that get only a share of the payments stand behind those that
 * are well: a payment that would end with the trouble of one provider may still be paid at another.
 */
function inTurn(
  contracts: readonly Contract[],
  { order, rule, skipped }: Pick<Routed, 'order' | 'rule' | 'skipped'>,
): readonly Contract[] {
  const first = order.flatMap((id) => contracts.find((contract) => contract.id === id) ?? []);
  const why = new Map(rule === undefined ? skipped : []);
  return [...first, ...contracts.filter((contract) => getsAShare(why.get(contract.id)) && !first.includes(contract))];
}

/** The contracts that are tried after the first one, at other providers. */
export function fallbacksOf(order: readonly Contract[], provider: string, most: number): readonly Contract[] {
  return order.filter((other) => other.provider !== provider).slice(0, most);
}

/**
 * The fallbacks of an attempt that is under way: the contracts that follow the present one in its choice. That one may
 * have been turned off since, and is then not among those that are left.
 */
export function laterFallbacks(
  { note, of }: RouteKept,
  { contracts, attempt }: { readonly contracts: readonly Contract[]; readonly attempt: Attempted },
): readonly Contract[] {
  const version = of ?? NO_RULES;
  const ids = idsOf(note, version);
  const order = inTurn(contracts, { order: ids, rule: note.r, skipped: skippedIn(note, version) });
  const first = ids[0] === attempt.contract_id ? attempt.provider : order[0]?.provider;
  const fallbacks = fallbacksOf(order, first ?? '', version.cascade);
  return fallbacks.slice(fallbacks.findIndex(({ id }) => id === attempt.contract_id) + 1);
}

type Attempted = { readonly provider: string; readonly contract_id: string | null };

/** The part of a version that a reader of the note needs. */
function ofVersion({ v, r }: RouteNote, { rules, contracts, cascade }: RoutingInForce): RouteKept['of'] {
  return v === 0 ? null : { rule: r === undefined ? null : (rules[r]?.name ?? null), contracts, cascade };
}
