// The books of the simulated PayPal, in memory, with only the newest entries of each kind. Of a card they keep four
// digits and how the card behaves.
import type { Due } from '../agenda.ts';
import type { Behaviour } from './cards.ts';
import { refusal } from './errors.ts';
import type { Amount } from './money.ts';

/** The account of an entry. Each REST app belongs to one account, and no account sees the entries of another. */
type Owned = { readonly id: string; readonly account: string; readonly created_ms: number; updated_ms: number };

export type Card = {
  readonly behaviour: Behaviour;
  readonly last4: string;
  readonly brand: string | undefined;
  readonly expiry: string;
  readonly holder: string | undefined;
};

/** How the payer was authenticated. */
export type Authentication = { readonly status: 'Y' | 'N'; readonly shift: 'POSSIBLE' | 'NO' };

export type Order = Owned & {
  readonly intent: 'AUTHORIZE' | 'CAPTURE';
  readonly amount: Amount;
  readonly reference_id: string;
  readonly custom_id: string | undefined;
  readonly description: string | undefined;
  status: 'CREATED' | 'APPROVED' | 'PAYER_ACTION_REQUIRED' | 'COMPLETED';
  card: Card | null;
  authentication: Authentication | null;
  return_url: string | null;
  cancel_url: string | null;
};

type Response = { readonly response_code: string; readonly payment_advice_code?: string };

export type Authorization = Owned & {
  readonly order: Order;
  readonly amount: Amount;
  readonly response: Response;
  readonly network_reference: string;
  readonly expires_ms: number;
  state: 'held' | 'denied' | 'pending' | 'voided' | 'lapsed';
  /** True once the final capture was made. */
  is_used_up: boolean;
};

export type Capture = Owned & {
  readonly order: Order;
  readonly authorization: Authorization | null;
  readonly amount: Amount;
  readonly invoice_id: string | undefined;
  readonly final_capture: boolean;
  readonly response: Response | null;
  readonly network_reference: string;
  state: 'completed' | 'declined' | 'pending';
};

export type Refund = Owned & {
  readonly capture: Capture;
  readonly amount: Amount;
  readonly custom_id: string | undefined;
  state: 'COMPLETED' | 'PENDING' | 'FAILED';
};

export type Dispute = Owned & {
  readonly capture: Capture;
  readonly reason: string;
  status: 'WAITING_FOR_SELLER_RESPONSE' | 'UNDER_REVIEW' | 'RESOLVED';
  /** How the dispute ended; undefined while it has not. */
  outcome: string | undefined;
  /** The evidence that the merchant submitted: its kind, its words and the names of its files. */
  evidences: readonly Evidence[];
};

export type Evidence = {
  readonly evidence_type: string;
  readonly notes: string | undefined;
  readonly tracking_number: string | undefined;
  readonly documents: readonly string[];
};

export type Event = {
  readonly id: string;
  readonly account: string;
  readonly type: string;
  readonly text: string;
  told: boolean;
};

export class Books {
  readonly orders = new Map<string, Order>();
  readonly authorizations = new Map<string, Authorization>();
  readonly captures = new Map<string, Capture>();
  readonly refunds = new Map<string, Refund>();
  readonly disputes = new Map<string, Dispute>();
  readonly events = new Map<string, Event>();
  agenda: Due[] = [];

  capturesOf(order: Order): Capture[] {
    return [...this.captures.values()].filter((one) => one.order === order);
  }

  authorizationsOf(order: Order): Authorization[] {
    return [...this.authorizations.values()].filter((one) => one.order === order);
  }

  refundsOf(order: Order): Refund[] {
    return [...this.refunds.values()].filter(({ capture }) => capture.order === order);
  }

  /** The amount captured of a hold so far. */
  capturedOf(authorization: Authorization): number {
    const taken = [...this.captures.values()].filter((one) => one.authorization === authorization);
    return sum(taken.filter(({ state }) => state !== 'declined'));
  }

  refundedOf(capture: Capture): number {
    return sum([...this.refunds.values()].filter((one) => one.capture === capture && one.state !== 'FAILED'));
  }
}

const sum = (all: readonly { readonly amount: Amount }[]): number =>
  all.reduce((so_far, { amount }) => so_far + amount.minor, 0);

const MOST = 20_000;

export function keep<T extends { readonly id: string }>(shelf: Map<string, T>, item: T): T {
  shelf.set(item.id, item);
  const oldest = shelf.keys().next().value;
  if (shelf.size > MOST && oldest !== undefined) shelf.delete(oldest);
  return item;
}

export function find<T extends Owned>(shelf: ReadonlyMap<string, T>, id: string, account: string): T {
  const found = shelf.get(id);
  if (found?.account !== account) throw refusal(404, 'INVALID_RESOURCE_ID');
  return found;
}
