// What the old rules and a draft make of stored attempts. Few kinds of attempts can be told apart by either, so the
// answer is worked out once for each kind; only the draws are made for each attempt.
import { type Alike, alikeBy } from '../../../core/routing/alike.ts';
import { NO_ORDERS, type SnipsSums, sumsOf } from '../../../core/routing/learn/snips.ts';
import {
  type LeftOut,
  type Lot,
  type Plan,
  compiled,
  isUnwell,
  planFor,
  settled,
} from '../../../core/routing/route.ts';
import type { RoutingInForce } from '../../../core/routing/table.ts';
import type { Account, Contract } from '../../merchant/account.ts';
import { type PaidWith, type Providers, type RoutingRequest, fits, takingContracts, wantedOf } from '../choose.ts';
import { asksHowItEnded, fallbacksOf } from '../decide.ts';
import { idOf } from '../note.ts';
import type { Past } from '../past.ts';
import { type Chosen, type Then, chosenThen, comesOutAgain } from '../past-rules.ts';
import type { StoredAttempt } from './attempts-store.ts';

/** The account, as far as a trial needs it. */
export type TriedAccount = Pick<Account, 'merchant_account_id' | 'contracts'> & {
  readonly settings: Pick<Account['settings'], 'named_contract' | 'weights'>;
};

/** The contracts to which the draft sends the attempt. */
export type Way = { readonly after: string | null; readonly fallbacks: readonly Contract[] };

export type Kind = {
  readonly chosen: Chosen;
  /** The draft's choice, but for what is drawn. */
  readonly plan: Plan;
  /** The attempt's part of the draft's rate, if it was approved, or declined. */
  readonly approved: SnipsSums;
  readonly declined: SnipsSums;
  /** Whether its note comes out again, but for the number that was drawn. */
  comesOut(lot: Lot): boolean;
  wayBy(lot: Lot): Way;
};

/** More than most accounts have of a month; then it begins anew. */
const MOST = 5000;

/** The question about one attempt; `then`: the rules that it was chosen by. */
type Asked = { readonly row: StoredAttempt; readonly past: Past; readonly then: Then | undefined };

/** The attempt as a contract and its provider see it. */
type Seen = { readonly wanted: RoutingRequest; readonly paid: PaidWith };

export class Kinds {
  private readonly providers: Providers;
  private readonly account: TriedAccount;
  private readonly table: RoutingInForce;
  private readonly asks_how_it_ended: boolean;
  private readonly contracts: ReadonlyMap<string, Contract>;
  private readonly known = new Map<string, Kind>();
  private readonly alike = new Map<RoutingInForce, Alike>();

  constructor(providers: Providers, account: TriedAccount, table: RoutingInForce) {
    this.providers = providers;
    this.account = account;
    this.table = table;
    this.asks_how_it_ended = asksHowItEnded(table);
    this.contracts = new Map(account.contracts.map((contract) => [contract.id, contract]));
  }

  of({ row, past, then }: Asked): Kind {
    const { body, currency, scheme, card_digest, provider, network_token } = row;
    const seen: Seen = {
      wanted: wantedOf(body, { currency, payment_method_name: scheme }),
      paid: {
        partner: card_digest === null ? provider : null,
        network_token,
        three_ds_data: body['3ds_data'] !== undefined,
      },
    };
    const now = this.asks_how_it_ended ? past.ended() : past.facts;
    const key = keyOf(row, seen, [
      then ? this.alikeTo(then.table)(past.facts) : '',
      this.alikeTo(this.table)(now),
      // a text of the merchant's: the last, as nothing tells where it ends
      past.named === undefined ? '' : `=${past.named}`,
    ]);
    const known = this.known.get(key);
    if (known) return known;
    if (this.known.size >= MOST) this.known.clear();
    const made = this.make({ row, past, then }, seen, now);
    this.known.set(key, made);
    return made;
  }

  private alikeTo(table: RoutingInForce): Alike {
    const known = this.alike.get(table) ?? alikeBy(table);
    this.alike.set(table, known);
    return known;
  }

  private make({ row, past: { facts, named }, then }: Asked, seen: Seen, now: Past['facts']): Kind {
    const chosen = chosenThen(row, then, { facts, named, contracts: this.account.contracts });
    const plan = this.planOf({ row, named, then, facts: now }, seen);
    const { again } = chosen;
    return {
      chosen,
      plan,
      approved: outcomeOf(row, 1, { chosen, plan }),
      declined: outcomeOf(row, 0, { chosen, plan }),
      comesOut: once((lot) => !again || comesOutAgain(again, lot)),
      wayBy: once((lot) => this.wayOf(plan, lot)),
    };
  }

  /** With the contracts of today, and the health of then and what was learnt by then. */
  private planOf(
    { row, named, then, facts }: Omit<Asked, 'past'> & Pick<Past, 'facts' | 'named'>,
    { wanted, paid }: Seen,
  ): Plan {
    const { account, table } = this;
    const { contracts } = takingContracts(this.providers, account, paid);
    const unwell = unwellOf(row, then?.table, account.contracts);
    const id = named === undefined ? undefined : contracts.find((one) => one.id === named || one.name === named)?.id;
    return planFor(facts, compiled(table), {
      contracts,
      leftOut: (one) => {
        const contract = contracts.find((other) => other.id === one);
        if (!contract) return 'off';
        return fits(contract, wanted) ? (unwell.get(contract.provider) ?? unwell.get(contract.id)) : 'unfit';
      },
      weights: then?.weights ?? account.settings.weights,
      named: id === undefined ? undefined : { id, how: account.settings.named_contract },
    });
  }

  private wayOf(plan: Plan, lot: Lot): Way {
    const { order } = settled(plan, lot);
    const contracts = order.flatMap((id) => this.contracts.get(id) ?? []);
    const first = this.contracts.get(order[0] ?? '');
    return {
      after: first?.id ?? null,
      fallbacks: first ? fallbacksOf(contracts, first.provider, this.table.cascade) : [],
    };
  }
}

/** All that a kind is made of. */
function keyOf(
  { route, contract_id }: Pick<StoredAttempt, 'route' | 'contract_id'>,
  { wanted, paid }: Seen,
  more: readonly string[],
): string {
  const { operation_type, token_type, payment_channel, currency, country = '', payment_method_name } = wanted;
  const { partner, network_token, three_ds_data } = paid;
  return [
    route?.shape.number,
    contract_id,
    operation_type,
    token_type,
    payment_channel,
    currency,
    country,
    payment_method_name,
    partner,
    network_token,
    three_ds_data,
    ...more,
  ].join('\0');
}

/** Once for each place that can be drawn. */
function once<T>(work: (lot: Lot) => T): (lot: Lot) => T {
  const known = new Map<number | undefined, T>();
  return (lot) => {
    const before = known.get(lot.place);
    if (before !== undefined) return before;
    const made = work(lot);
    known.set(lot.place, made);
    return made;
  };
}

/** `y`: what would have come of it by the draft, had it gone to the same contract; absent: the same. */
type Compared = Pick<Kind, 'chosen' | 'plan'> & { readonly y?: number | undefined };

/**
 * The result of a first attempt, as far as it tells something about the draft: nothing, if its contract was not drawn.
 */
export function outcomeOf(
  { contract_id }: Pick<StoredAttempt, 'contract_id'>,
  y: number,
  { chosen: { chances, first }, plan, ...would }: Compared,
): SnipsSums {
  if (!chances) return NO_ORDERS;
  // a contract that the request names goes there whatever the rules say
  if (plan.because === 'named' || first === null || first !== contract_id) return NO_ORDERS;
  return sumsOf(first, y, { then: chances, now: plan.chances, ...would });
}

/** Providers that were passed over then, and contracts that were for what they declined. */
function unwellOf(
  { route }: Pick<StoredAttempt, 'route'>,
  then: RoutingInForce | undefined,
  contracts: readonly Contract[],
): ReadonlyMap<string, LeftOut> {
  const left = (route?.shape.note.x ?? []).flatMap(([one, why]) => {
    const id = idOf(one, then?.contracts ?? []);
    const provider = contracts.find((contract) => contract.id === id)?.provider;
    if (provider === undefined || !isUnwell(why)) return [];
    return [[why === 'suspected' ? id : provider, why] as const];
  });
  return new Map(left);
}
