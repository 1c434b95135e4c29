// The books of the simulated Adyen, in memory: payments, modifications, messages that wait, idempotency keys. Amounts
// are whole minor units as Adyen counts them.
import { DAY_MS } from '../../core/durations.ts';
import type { Cause } from './cards.ts';

export type Amount = { readonly currency: string; readonly value: number };

/**
 * `waiting`: the payer has to act. `open`: accepted, and decided later. A refused or cancelled payment holds nothing.
 */
export type PaymentState = 'waiting' | 'open' | 'held' | 'refused' | 'cancelled' | 'expired';

export type Payment = {
  readonly psp: string;
  readonly account: string;
  readonly reference: string;
  readonly amount: Amount;
  readonly brand: string;
  /** The last four digits, as Adyen shows them. */
  readonly summary: string;
  readonly expiry: string;
  readonly cause: Cause;
  readonly at_ms: number;
  readonly auth_code: string;
  readonly is_manual: boolean;
  /** `shopperInteraction`, as the request had it. */
  readonly interaction: string;
  /** As the request had them; empty if it had none. */
  readonly exemption: string;
  readonly cavv: string;
  readonly eci: string;
  state: PaymentState;
  held: number;
  captured: number;
  refunded: number;
  is_authenticated: boolean;
  redirect?: Redirect;
};

/** The payer at the bank's page. */
export type Redirect = {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  readonly return_url: string;
  /** The payer brings it back from the page; it is not valid before the page was answered. */
  readonly result: string;
  said?: 'passed' | 'failed' | 'left';
};

export type ModificationKind = 'capture' | 'refund' | 'cancel' | 'technical' | 'reversal';

export type Modification = {
  readonly psp: string;
  readonly kind: ModificationKind;
  readonly account: string;
  /** Undefined if no payment is known: a technical cancel may find none. */
  readonly payment: string | undefined;
  readonly payment_reference: string;
  readonly reference: string;
  readonly amount: Amount | undefined;
  readonly at_ms: number;
  /** `failed`: it was done, and was taken back days later. */
  state: 'received' | 'done' | 'refused' | 'failed';
  reason: string;
};

/** A document is kept as its kind and length, with the end of the dispute that its text asks for. */
type Document = { readonly type: string; readonly size: number; readonly says: 'winning' | 'losing' | null };

export type Dispute = {
  readonly psp: string;
  readonly account: string;
  readonly payment: string;
  readonly value: number;
  state: 'open' | 'defended' | 'won' | 'lost';
  /** By kind of document. */
  documents: Readonly<Record<string, Document>>;
  /** The number of defences; a second one is refused. */
  defences: number;
};

export type Item = Readonly<Record<string, unknown>>;
export type Queued = { readonly account: string; readonly item: Item; readonly at_ms: number };

export type AccountRow = {
  readonly merchant_account: string;
  readonly api_key: string;
  readonly hmac_key: string;
  /** The address for messages; null: the control hands them out. */
  readonly webhook_url: string | null;
};

type Kept = {
  readonly path: string;
  readonly digest: string;
  readonly status: number;
  readonly said: string;
  readonly at_ms: number;
};

const MOST = 50_000;
const KEPT_MS = 7 * DAY_MS;
const HELD_MS = 28 * DAY_MS;

export type Sources = { now(): number; bytes(length: number): Buffer };

export class Books {
  readonly accounts = new Map<string, AccountRow>();
  readonly payments = new Map<string, Payment>();
  readonly modifications = new Map<string, Modification>();
  readonly disputes = new Map<string, Dispute>();
  /** Modifications that fail days later. */
  readonly agenda: { readonly due_ms: number; readonly psp: string }[] = [];
  queue: Queued[] = [];
  /** Messages that the receiver accepted, oldest first; a control can send them once more. */
  readonly told = new Set<Queued>();
  /** True: messages wait until a control asks for them. */
  held = false;
  shift_ms = 0;
  readonly #keys = new Map<string, Kept>();
  readonly #sources: Sources;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  now(): number {
    return this.#sources.now() + this.shift_ms;
  }

  /** 16 letters and digits. */
  pspReference(): string {
    const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
    return [...this.#sources.bytes(16)].map((byte) => letters[byte % letters.length]).join('');
  }

  handle(): string {
    return this.#sources.bytes(16).toString('hex');
  }

  keep(payment: Payment): Payment {
    return keptIn(this.payments, payment);
  }

  keepModification(modification: Modification): Modification {
    return keptIn(this.modifications, modification);
  }

  keepDispute(dispute: Dispute): Dispute {
    return keptIn(this.disputes, dispute);
  }

  byReference(account: string, reference: string): readonly Payment[] {
    return [...this.payments.values()].filter((one) => one.account === account && one.reference === reference);
  }

  byRedirect(id: string): Payment | undefined {
    return [...this.payments.values()].find(({ redirect }) => redirect?.id === id);
  }

  tell(account: string, item: Item): void {
    this.queue.push({ account, item, at_ms: this.now() });
    if (this.queue.length > MOST) this.queue.shift();
  }

  wasTold(group: readonly Queued[]): void {
    for (const one of group) this.told.add(one);
    for (const oldest of this.told) {
      if (this.told.size <= MOST) return;
      this.told.delete(oldest);
    }
  }

  /** The answer that was given under this key; `other` if the key came with another path or body. */
  answered(key: string, path: string, digest: string): Kept | 'other' | undefined {
    const kept = this.#keys.get(key);
    if (kept === undefined || this.now() - kept.at_ms > KEPT_MS) return undefined;
    return kept.path === path && kept.digest === digest ? kept : 'other';
  }

  answer(key: string, given: Omit<Kept, 'at_ms'>): void {
    this.#keys.delete(key);
    this.#keys.set(key, { ...given, at_ms: this.now() });
    dropOldest(this.#keys);
  }

  /** Holds whose time is over and of which nothing was captured. */
  lapsed(): readonly Payment[] {
    return [...this.payments.values()].filter(({ state, captured, at_ms }) => {
      return state === 'held' && captured === 0 && this.now() - at_ms > HELD_MS;
    });
  }
}

function keptIn<T extends { readonly psp: string }>(map: Map<string, T>, one: T): T {
  map.set(one.psp, one);
  dropOldest(map);
  return one;
}

function dropOldest(map: Map<string, unknown>): void {
  if (map.size <= MOST) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
