// One stored attempt judged: the choice of then made again, the draft's beside it, and what came of the one as far as
// it says something of the other.
import { toCount } from '../../../core/money.ts';
import { type LeftOut, type Routed, compiled, isUnwell, route } from '../../../core/routing/route.ts';
import { NO_ORDERS, type SnipsSums, sumsOf } from '../../../core/routing/learn/snips.ts';
import type { RoutingInForce } from '../../../core/routing/table.ts';
import type { Account, Contract } from '../../merchant/account.ts';
import type { Tools } from '../../tools.ts';
import type { StoredAttempt } from './attempts-store.ts';
import { chooseContract, fits, takingContracts, wantedOf } from '../choose.ts';
import { type FeesOfDays, costThen, furtherUnder } from './cost.ts';
import { asksHowItEnded, fallbacksOf } from '../decide.ts';
import { type RouteNote, idOf, idsOf } from '../note.ts';
import { type Past, type Then, pastOf } from '../past.ts';
import type { Judged } from './tally.ts';
import { type Chosen, chosenThen } from '../then.ts';

export type JudgeTools = Pick<Tools, 'secret_key' | 'origins' | 'providers'>;

/** What an attempt was chosen by, and what was paid then. */
type World = { readonly then: Then | undefined; readonly fees: FeesOfDays };

/** Judges attempts of one account by one draft. */
export class Judge {
  private readonly tools: JudgeTools;
  private readonly account: Account;
  private readonly table: RoutingInForce;
  private readonly asks_how_it_ended: boolean;
  private readonly contracts: ReadonlyMap<string, Contract>;
  /** Contracts that take what is paid with: alike for nearly all attempts. */
  private readonly taking = new Map<string, readonly Contract[]>();

  constructor(tools: JudgeTools, account: Account, table: RoutingInForce) {
    this.tools = tools;
    this.account = account;
    this.table = table;
    this.asks_how_it_ended = asksHowItEnded(table);
    this.contracts = new Map(account.contracts.map((contract) => [contract.id, contract]));
  }

  judge(row: StoredAttempt, { then, fees }: World): Judged {
    const { tools, account, table } = this;
    const { merchant_account_id, contracts } = account;
    const past = pastOf(tools, { merchant_account_id, contracts: then?.table.contracts ?? [] }, row);
    const chosen = chosenThen(row, past, then && { ...then, contracts });
    const routed = this.again(row, past, then);
    const first = this.contracts.get(routed.order[0] ?? '');
    const fallbacks = first ? fallbacksOf(this.inOrder(routed.order), first.provider, table.cascade) : [];
    const compared = { chosen, routed };
    return {
      row,
      before: chosen.first,
      after: first?.id ?? null,
      rule: routed.rule === undefined ? null : (table.rules[routed.rule]?.name ?? null),
      because: routed.because,
      replayed: chosen.replayed,
      fallbacks,
      sums: row.approved === null ? NO_ORDERS : outcomeOf(row, row.approved ? 1 : 0, compared),
      ...this.costOf(row, { ...compared, fees, fallbacks, then }),
    };
  }

  private costOf(row: StoredAttempt, { fees, fallbacks, then, ...compared }: Costing): Cost {
    const known = { fees, origins: this.tools.origins };
    const cost = costThen(row, row.further, known);
    if (typeof cost !== 'bigint') return { cost, costs_same: false, cost_sums: NO_ORDERS };
    const further = furtherUnder(row, { then: () => this.fallbacksThen(row, then), now: fallbacks });
    const costs_same = further?.length === row.further.length;
    const would = costs_same ? cost : further && costThen(row, further, known);
    const y = typeof would === 'bigint' ? toCount(would) : undefined;
    return { cost, costs_same, cost_sums: outcomeOf(row, toCount(cost), { ...compared, y }) };
  }

  private inOrder(ids: readonly string[]): readonly Contract[] {
    return ids.flatMap((id) => this.contracts.get(id) ?? []);
  }

  /** Where it could have gone on. */
  private fallbacksThen(row: StoredAttempt, then: Then | undefined): readonly Contract[] {
    const { route: note, provider, body, currency, scheme } = row;
    if (note && then) return fallbacksOf(this.inOrder(idsOf(note, then.table)), provider, then.table.cascade);
    const chosen = chooseContract(this.account, wantedOf(body, { currency, payment_method_name: scheme }), undefined);
    const order = 'refused' in chosen ? [] : [chosen.contract, ...chosen.fallbacks];
    return fallbacksOf(order, provider, Number.POSITIVE_INFINITY);
  }

  /** The draft's choice, with the contracts of today, and the health of then and what was learnt by then. */
  private again(row: StoredAttempt, past: Past, then: Then | undefined): Routed {
    const { account, table } = this;
    const contracts = this.takingOf(row);
    const wanted = wantedOf(row.body, { currency: row.currency, payment_method_name: row.scheme });
    const unwell = unwellOf(row.route, then?.table, account.contracts);
    const { named } = past;
    const id = named === undefined ? undefined : contracts.find((one) => one.id === named || one.name === named)?.id;
    return route(this.asks_how_it_ended ? past.ended() : past.facts, compiled(table), {
      contracts,
      leftOut: (one) => {
        const contract = contracts.find((other) => other.id === one);
        if (!contract) return 'off';
        return fits(contract, wanted) ? (unwell.get(contract.provider) ?? unwell.get(contract.id)) : 'unfit';
      },
      draw: past.draw,
      weights: then?.weights ?? account.settings.weights,
      named: id === undefined ? undefined : { id, how: account.settings.named_contract },
    });
  }

  private takingOf({ card_digest, provider, network_token, body }: StoredAttempt): readonly Contract[] {
    const paid = {
      partner: card_digest === null ? provider : null,
      network_token,
      three_ds_data: body['3ds_data'] !== undefined,
    };
    const key = `${paid.partner} ${network_token} ${paid.three_ds_data}`;
    const known = this.taking.get(key) ?? takingContracts(this.tools.providers, this.account, paid).contracts;
    this.taking.set(key, known);
    return known;
  }
}

type Cost = Pick<Judged, 'cost' | 'costs_same' | 'cost_sums'>;
type Costing = Compared & World & Pick<Judged, 'fallbacks'>;

/** `y`: what would have come of it by the draft, had it gone to the same contract; absent: the same. */
type Compared = { readonly chosen: Chosen; readonly routed: Routed; readonly y?: number | undefined };

/** What came of it says of the draft: nothing where it was not drawn, or not tried again as it was. */
function outcomeOf(
  { attempt, contract_id }: StoredAttempt,
  y: number,
  { chosen, routed, ...would }: Compared,
): SnipsSums {
  const { chances, replayed, first } = chosen;
  if (attempt !== 1 || !chances || replayed !== 'same') return NO_ORDERS;
  // a contract that the request names goes there whatever the rules say
  if (routed.because === 'named' || first === null || first !== contract_id) return NO_ORDERS;
  return sumsOf(first, y, { then: chances, now: routed.chances, ...would });
}

/** Providers that were passed over then, and contracts that were for what they declined. */
function unwellOf(
  note: RouteNote | null,
  then: RoutingInForce | undefined,
  contracts: readonly Contract[],
): ReadonlyMap<string, LeftOut> {
  if (!note?.x) return NOBODY;
  const left = note.x.flatMap(([one, why]) => {
    const id = idOf(one, then?.contracts ?? []);
    const provider = contracts.find((contract) => contract.id === id)?.provider;
    if (provider === undefined || !isUnwell(why)) return [];
    return [[why === 'suspected' ? id : provider, why] as const];
  });
  return new Map(left);
}

const NOBODY: ReadonlyMap<string, LeftOut> = new Map();
