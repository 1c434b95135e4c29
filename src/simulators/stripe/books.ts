// The books of the simulated Stripe, in memory, with only the newest entries of each kind. Of a card they keep four
// digits and how the card behaves.
import type { Due } from '../agenda.ts';
import { createHash } from 'node:crypto';
import type { Behaviour } from './cards.ts';
import { type ErrorBody, missing } from './errors.ts';

/** The account of an entry. Each secret key belongs to one account, and no account sees the entries of another. */
type Owned = { readonly id: string; readonly account: string; readonly created: number };

export type Method = Owned & {
  readonly behaviour: Behaviour;
  readonly last4: string;
  readonly exp_month: number;
  readonly exp_year: number;
  readonly fingerprint: string;
  readonly holder: string | null;
  customer: string | null;
  readonly metadata: Record<string, string>;
};

export type Intent = Owned & {
  readonly amount: number;
  readonly currency: string;
  readonly capture_method: 'automatic' | 'manual';
  readonly metadata: Record<string, string>;
  status:
    | 'requires_payment_method'
    | 'requires_confirmation'
    | 'requires_action'
    | 'processing'
    | 'requires_capture'
    | 'succeeded'
    | 'canceled';
  method: Method | null;
  customer: string | null;
  charge: Charge | null;
  last_payment_error: ErrorBody | null;
  return_url: string | null;
  setup_future_usage: string | null;
  wanted: { three_ds: string | null; network: string | null; moto: boolean };
  canceled_at: number | null;
  cancellation_reason: string | null;
};

export type Charge = Owned & {
  readonly intent: Intent;
  readonly method: Method;
  readonly amount: number;
  readonly network: string;
  readonly failure: ErrorBody | null;
  readonly authenticated: 'authenticated' | 'attempt_acknowledged' | null;
  captured: boolean;
  amount_captured: number;
  amount_refunded: number;
  disputed: boolean;
};

export type Refund = Owned & {
  readonly charge: Charge;
  readonly amount: number;
  readonly reason: string | null;
  readonly metadata: Record<string, string>;
  /** It gives back what was held and not captured: no money moves. */
  readonly of_hold: boolean;
  status: 'pending' | 'succeeded' | 'failed' | 'canceled';
};

export type Dispute = Owned & {
  readonly charge: Charge;
  readonly reason: string;
  status: string;
  /** Seconds since 1970. */
  readonly due_by: number;
  evidence: Record<string, string>;
  submissions: number;
};

/** A file without its bytes: only their number is kept. */
export type File = Owned & { readonly purpose: string; readonly size: number; readonly type: string };

export type Customer = Owned & {
  readonly email: string | null;
  readonly name: string | null;
  readonly metadata: Record<string, string>;
};

export type Event = Owned & { readonly type: string; readonly text: string; told: boolean };

export type Books = {
  readonly intents: Map<string, Intent>;
  readonly methods: Map<string, Method>;
  readonly charges: Map<string, Charge>;
  readonly refunds: Map<string, Refund>;
  readonly disputes: Map<string, Dispute>;
  readonly files: Map<string, File>;
  readonly customers: Map<string, Customer>;
  readonly events: Map<string, Event>;
  agenda: Due[];
};

export function openBooks(): Books {
  return {
    intents: new Map(),
    methods: new Map(),
    charges: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    files: new Map(),
    customers: new Map(),
    events: new Map(),
    agenda: [],
  };
}

const MOST = 20_000;

export function keep<T extends { readonly id: string }>(shelf: Map<string, T>, item: T): T {
  shelf.set(item.id, item);
  const oldest = shelf.keys().next().value;
  if (shelf.size > MOST && oldest !== undefined) shelf.delete(oldest);
  return item;
}

/** The account, and how an error names the object and the parameter. */
export type Named = { readonly account: string; readonly what: string; readonly param: string };

export function find<T extends Owned>(shelf: ReadonlyMap<string, T>, id: string, named: Named): T {
  const item = shelf.get(id);
  if (item?.account !== named.account) throw missing(named.what, id, named.param);
  return item;
}

export const newestFirst = <T extends Owned>(shelf: ReadonlyMap<string, T>, account: string): T[] =>
  [...shelf.values()].filter((item) => item.account === account).toReversed();

/** The same card always has the same fingerprint, which does not lead back to the number. */
export const fingerprintOf = (number: string): string =>
  createHash('sha256').update(`simulated:${number}`).digest('base64url').slice(0, 16);
