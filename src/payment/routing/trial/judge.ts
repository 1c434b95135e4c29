// Judges one stored attempt: makes its choice again, makes the draft's choice beside it, and uses the result of the
// attempt as far as it tells something about the draft.
import { toCount } from '../../../core/money.ts';
import { type Drawing, type World as Choosing, drawFor } from '../../../core/routing/route.ts';
import { NO_ORDERS } from '../../../core/routing/learn/snips.ts';
import type { RoutingInForce } from '../../../core/routing/table.ts';
import type { Contract } from '../../merchant/account.ts';
import type { Tools } from '../../tools.ts';
import type { StoredAttempt } from './attempts-store.ts';
import { type Providers, chooseContract, wantedOf } from '../choose.ts';
import { type FeesOfDays, costThen, furtherUnder } from './cost.ts';
import { fallbacksOf } from '../decide.ts';
import { type Kind, Kinds, type TriedAccount, outcomeOf } from './kinds.ts';
import { drawnInNote, idsOf } from '../note.ts';
import { pastOf } from '../past.ts';
import type { Judged } from './tally.ts';
import type { Then } from '../past-rules.ts';

export type JudgeTools = Pick<Tools, 'secret_key' | 'origins'> & { readonly providers: Providers };

/** The rules that an attempt was chosen by, and the fees of its day. */
type World = { readonly then: Then | undefined; readonly fees: FeesOfDays };

/** Judges attempts of one account by one draft. */
export class Judge {
  private readonly tools: JudgeTools;
  private readonly account: TriedAccount;
  private readonly table: RoutingInForce;
  private readonly kinds: Kinds;
  private readonly contracts: ReadonlyMap<string, Contract>;

  constructor(tools: JudgeTools, account: TriedAccount, table: RoutingInForce) {
    this.tools = tools;
    this.account = account;
    this.table = table;
    this.kinds = new Kinds(tools.providers, account, table);
    this.contracts = new Map(account.contracts.map((contract) => [contract.id, contract]));
  }

  judge(row: StoredAttempt, { then, fees }: World): Judged {
    const { merchant_account_id } = this.account;
    const past = pastOf(this.tools, { merchant_account_id, contracts: then?.table.contracts ?? [] }, row);
    const kind = this.kinds.of({ row, past, then });
    const { chosen, plan } = kind;
    const draw = chosen.again?.plan.lots && plan.lots ? drawnOnce(past.draw) : past.draw;
    const replayed = replayedOf(row, kind, draw);
    const { after, fallbacks } = kind.wayBy(drawFor(plan, draw));
    // of an order that was tried again nothing is known of what was drawn then
    const is_sample = row.attempt === 1 && replayed === 'same';
    const outcome = row.approved === null ? NO_ORDERS : row.approved ? kind.approved : kind.declined;
    return {
      row,
      before: chosen.first,
      after,
      rule: plan.rule === undefined ? null : (this.table.rules[plan.rule]?.name ?? null),
      because: plan.because,
      replayed,
      fallbacks,
      sums: is_sample ? outcome : NO_ORDERS,
      ...this.costOf(row, { kind, is_sample, fees, fallbacks, then }),
    };
  }

  private costOf(row: StoredAttempt, { kind, is_sample, fees, fallbacks, then }: Costing): Cost {
    const known = { fees, origins: this.tools.origins };
    const cost = costThen(row, row.further, known);
    if (typeof cost !== 'bigint') return { cost, costs_same: false, cost_sums: NO_ORDERS };
    const further = furtherUnder(row, { then: () => this.fallbacksThen(row, then), now: fallbacks });
    const costs_same = further?.length === row.further.length;
    const would = costs_same ? cost : further && costThen(row, further, known);
    const y = typeof would === 'bigint' ? toCount(would) : undefined;
    const { chosen, plan } = kind;
    return { cost, costs_same, cost_sums: is_sample ? outcomeOf(row, toCount(cost), { chosen, plan, y }) : NO_ORDERS };
  }

  /** The fallbacks that the attempt could have had. */
  private fallbacksThen(row: StoredAttempt, then: Then | undefined): readonly Contract[] {
    const { route: noted, provider, body, currency, scheme } = row;
    if (noted && then) {
      const order = idsOf(noted.shape.note, then.table).flatMap((id) => this.contracts.get(id) ?? []);
      return fallbacksOf(order, provider, then.table.cascade);
    }
    const chosen = chooseContract(this.account, wantedOf(body, { currency, payment_method_name: scheme }), undefined);
    const order = 'refused' in chosen ? [] : [chosen.contract, ...chosen.fallbacks];
    return fallbacksOf(order, provider, Number.POSITIVE_INFINITY);
  }
}

type Cost = Pick<Judged, 'cost' | 'costs_same' | 'cost_sums'>;
type Costing = World & Pick<Judged, 'fallbacks'> & { readonly kind: Kind; readonly is_sample: boolean };

/** The fields that an order had when it was tried are gone if it was tried again. */
function replayedOf(row: StoredAttempt, { chosen: { again }, comesOut }: Kind, draw: Draw): Judged['replayed'] {
  if (!again) return 'same';
  const lot = drawFor(again.plan, draw);
  const same = comesOut(lot) && drawnInNote(again.plan, lot) === row.route?.drawn;
  return same ? 'same' : row.again ? 'tried_again' : 'defect';
}

type Draw = Choosing['draw'];

/** If a draft leaves a rule as it was, it draws the same number again. */
function drawnOnce(draw: Draw): Draw {
  const known = new Map<string, number>();
  return (asked: Drawing) => {
    const { rule, since, by, what = '' } = asked;
    const key = `${since} ${by} ${what} ${rule}`;
    const drawn = known.get(key) ?? draw(asked);
    known.set(key, drawn);
    return drawn;
  };
}
