// A provider as the conformance stories see it: what its simulator can be made to do, and what it believes. One file a provider.
import type { World } from '../../world.ts';

/** How one call goes wrong. `before`: nothing happened there; `after`: it did, and the answer is lost. */
export const TROUBLES = [
  'closed_before',
  'closed_after',
  'silent_before',
  'silent_after',
  'error_before',
  'error_after',
  'page_before',
  'page_after',
  'half',
  'too_many',
] as const;
export type Trouble = (typeof TROUBLES)[number];

/** What is answered is not what was asked for. */
export const TWISTS = ['other_amount', 'other_currency', 'other_reference'] as const;
export type Twist = (typeof TWISTS)[number];

/** Turned away before it is looked at. */
export type Away = 'credentials' | 'rights';

export type Work = 'authorize' | 'sale' | 'capture' | 'refund' | 'cancel';

/** One payment in the provider's books, in minor units of ours. */
export type Payment = {
  /** Our id of the authorization. */
  readonly ours: string;
  readonly currency: string;
  readonly held: bigint;
  readonly captured: bigint;
  readonly refunded: bigint;
};

export type Driver = {
  /** The next call of this step goes wrong so. */
  arm(wrong: Trouble | Twist | Away, step: string): Promise<void>;
  /** Its port takes connections again, or none. */
  listen(open: boolean): Promise<void>;
  /** Nothing is armed any more. */
  clear(): Promise<void>;
  books(order_id: string): Promise<readonly Payment[]>;
  /** Its messages wait from now on, or not any more. */
  hold(held: boolean): Promise<void>;
  /** All messages that it ever had, once more, the newest first. */
  retell(): Promise<void>;
};

export type At = {
  /** Of the provider, and of the contract with it. */
  readonly name: string;
  /** What FLORIN_WITH names to have its simulator; absent: each sandbox has it. */
  readonly with?: string;
  /** The steps that a work takes when all goes well, as its table names them or its simulator does. */
  readonly steps: Readonly<Record<Work, readonly string[]>>;
  /** Those by which what is unknown is undone. */
  readonly undoes: readonly string[];
  readonly troubles: readonly Trouble[];
  readonly twists: readonly Twist[];
  readonly turned_away: readonly Away[];
  /** Can its simulator refuse connections? */
  readonly refuses: boolean;
  readonly cards: {
    readonly good: string;
    /** Card to code. */
    readonly declined: Readonly<Record<string, string>>;
    /** The payer's bank wants to see the payer, at a page of the provider. */
    readonly challenge?: string;
  };
  /** Of its credentials, those that are no secret. */
  readonly names: readonly string[];
  drive(w: World): Driver;
  /** Its messages, where these stories are told of them. */
  tells?(w: World): Tells;
};

export type Signing = {
  readonly secret?: string;
  /** A second key that signs too. */
  readonly beside?: string;
  /** From now. */
  readonly at_s?: number;
};

export type Tells = {
  /** Where they go. */
  address(): Promise<string>;
  /** The text of one about the payment of this order. */
  eventOf(order_id: string): Promise<string>;
  sign(text: string, how: Signing): Readonly<Record<string, string>>;
  /** Of a kind that nobody knows. */
  unknown(): string;
  /** About a payment that is not ours. */
  foreign(): string;
  /** The refund of this order, which had succeeded, fails. */
  failRefund(order_id: string): Promise<void>;
  dispute(order_id: string): Promise<void>;
};
