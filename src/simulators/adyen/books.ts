// What the simulated Adyen knows, in memory: payments, modifications, messages that wait, keys of requests. Amounts are
// whole minor units as Adyen counts them.
import type { Cause } from './cards.ts';

export type Amount = { readonly currency: string; readonly value: number };

/** `waiting`: for the payer. `open`: taken, and decided later. Of one that is refused or cancelled nothing is held. */
export type PaymentState = 'waiting' | 'open' | 'held' | 'refused' | 'cancelled' | 'expired';

export type Payment = {
  readonly psp: string;
  readonly account: string;
  readonly reference: string;
  readonly amount: Amount;
  readonly brand: string;
  /** The last four, as Adyen shows them. */
  readonly summary: string;
  readonly expiry: string;
  readonly cause: Cause;
  readonly at_ms: number;
  readonly auth_code: string;
  readonly is_manual: boolean;
  /** How the payer took part, as it came. */
  readonly interaction: string;
  /** As they came; empty where none did. */
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
  /** Comes back with the payer; worth nothing before the page was answered. */
  readonly result: string;
  said?: 'passed' | 'failed' | 'left';
};

export type ModificationKind = 'capture' | 'refund' | 'cancel' | 'technical' | 'reversal';

export type Modification = {
  readonly psp: string;
  readonly kind: ModificationKind;
  readonly account: string;
  /** Undefined: none is known, as a technical cancel may find. */
  readonly payment: string | undefined;
  readonly payment_reference: string;
  readonly reference: string;
  readonly amount: Amount | undefined;
  readonly at_ms: number;
  /** `failed`: done, and taken back days later. */
  state: 'received' | 'done' | 'refused' | 'failed';
  reason: string;
};

/** Of a document its kind and length are kept, and what it says of the end. */
type Document = { readonly type: string; readonly size: number; readonly says: 'winning' | 'losing' | null };

export type Dispute = {
  readonly psp: string;
  readonly account: string;
  readonly payment: string;
  readonly value: number;
  state: 'open' | 'defended' | 'won' | 'lost';
  /** By the place they stand in. */
  documents: Readonly<Record<string, Document>>;
  /** How often it was defended: more than once is not taken. */
  defences: number;
};

export type Item = Readonly<Record<string, unknown>>;
export type Queued = { readonly account: string; readonly item: Item; readonly at_ms: number };

export type AccountRow = {
  readonly merchant_account: string;
  readonly api_key: string;
  readonly hmac_key: string;
  /** Where messages go; null: they are handed out by the control. */
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
const KEPT_MS = 7 * 86_400_000;
const HELD_MS = 28 * 86_400_000;

export type Sources = { now(): number; bytes(length: number): Buffer };

export class Books {
  readonly accounts = new Map<string, AccountRow>();
  readonly payments = new Map<string, Payment>();
  readonly modifications = new Map<string, Modification>();
  readonly disputes = new Map<string, Dispute>();
  /** What becomes of something days later. */
  readonly agenda: { readonly due_ms: number; readonly psp: string }[] = [];
  queue: Queued[] = [];
  /** What was taken at the other end, oldest first: it can be sent once more. */
  readonly told = new Set<Queued>();
  /** What there is to tell waits until it is asked for. */
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

  /** The answer that was given under this key; `other`: the same key with another path or body. */
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

  /** Holds whose time is over. */
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
