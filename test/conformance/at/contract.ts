// A provider as the conformance stories see it: what its simulator can be made to do, and what it believes. One file a
// provider.
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

/** The scenarios that a trouble is a story of. */
export const SCENARIOS_OF: Readonly<Record<Trouble, string>> = {
  closed_before: '39',
  closed_after: '39',
  silent_before: '43',
  silent_after: '42',
  error_before: '45',
  error_after: '45',
  page_before: '47',
  page_after: '47',
  half: '40',
  too_many: '46',
};

/** Answers that differ from what was asked. */
export const TWISTS = ['other_amount', 'other_currency', 'other_reference'] as const;
export type Twist = (typeof TWISTS)[number];

/** Turned away before it is looked at. */
export type Away = 'credentials' | 'rights';

export type Work = 'authorize' | 'sale' | 'capture' | 'refund' | 'cancel';

/** A payment in the provider's books, in our minor units. */
export type Payment = {
  /** Our id of the authorization. */
  readonly ours: string;
  readonly currency: string;
  readonly held: bigint;
  readonly captured: bigint;
  readonly refunded: bigint;
};

export type Heard = {
  readonly scheme?: string | undefined;
  readonly exemption?: string | undefined;
  readonly cavv?: string | undefined;
  readonly eci?: string | undefined;
};

/** The page that a payer's browser shows. */
export type Page = { readonly url: string; readonly html: string; readonly location: string | null };

export type Driver = {
  /** The next call of this step goes wrong so. */
  arm(wrong: Trouble | Twist | Away, step: string): Promise<void>;
  /** Makes the provider's port take connections again, or none. */
  listen(open: boolean): Promise<void>;
  /** Connections that are open and idle are dead from now on. Absent: its simulator cannot. */
  cutIdle?(): Promise<void>;
  /**
   * The values that came with the authorization of an order, under our names. Absent: the simulator does not show them.
   */
  heard?(order_id: string): Promise<Heard>;
  /** Nothing is armed any more. */
  clear(): Promise<void>;
  /** The payments of an order; null: of all orders. */
  books(order_id: string | null): Promise<readonly Payment[]>;
  /** Makes the provider's messages wait from now on, or not any more. */
  hold(held: boolean): Promise<void>;
  /** Sends the waiting messages: each twice, the newest first. */
  tellWaiting(): Promise<void>;
  /** All messages that it ever had, once more, the newest first. */
  retell(): Promise<void>;
};

/**
 * Scenarios that cannot be told of a provider over the public API, why, and the test that holds them instead: its file,
 * and words of it.
 */
export type Untold = {
  readonly numbers: readonly number[];
  readonly why: string;
  readonly held_by: readonly [file: string, words: string];
};

export type At = {
  /** The name of the provider, and of the contract with it. */
  readonly name: string;
  /** The name for FLORIN_WITH that starts the simulator; absent: each sandbox has it. */
  readonly with?: string;
  /** The steps that a work takes when all goes well, as its table names them or its simulator does. */
  readonly steps: Readonly<Record<Work, readonly string[]>>;
  /** The steps that undo an unknown authorization. */
  readonly undoes: readonly string[];
  /**
   * Asks what became of a refund that it has named no reference of. Absent: it cannot be asked, or answers no repeat
   * under its key as the first.
   */
  readonly asks?: string;
  readonly troubles: readonly Trouble[];
  readonly twists: readonly Twist[];
  readonly turned_away: readonly Away[];
  /**
   * The payer at the provider: who goes on behind the page, the step that asks then, and what a payer without a script
   * does there.
   */
  readonly payer?: {
    readonly finishes: 'there' | 'by_resume';
    readonly resumes: string;
    /** Says yes or no; answers our address that it leads back to. */
    acts(page: Page, outcome: 'complete' | 'fail'): Promise<string>;
  };
  /** Fields of an order, or its card, by which the provider is made to say this of its authorization. */
  readonly says: {
    /** A refusal that nobody listed: its own word. */
    readonly unlisted?: {
      readonly word: string;
      /** The code of a decline that has one of its own; else it is the plain decline. */
      readonly code?: string;
      readonly card?: object;
      arm?(w: World): Promise<void>;
    };
    readonly partial?: { readonly card?: object; readonly fields?: object };
    readonly soft?: { readonly card?: object; readonly fields?: object };
    /** Trouble of the acquirer, and the scheme's advice never to try this card again. */
    readonly advice?: { readonly card: object };
    /** Is done only after it was undone; `comes` where its simulator's clock has to be moved for that. */
    readonly late?: { readonly card?: object; arm?(w: World): Promise<void>; comes?(w: World): Promise<void> };
    /** A capture of it that is done fails days later. */
    readonly failing_capture?: { readonly card?: object; tell?(w: World, order_id: string): Promise<void> };
  };
  /** Can the connections of its simulator be cut, and does it show what came with an authorization? */
  readonly cuts: boolean;
  readonly shows: boolean;
  /** Can its simulator refuse connections? */
  readonly refuses: boolean;
  readonly cards: {
    readonly good: string;
    /** Card to code. */
    readonly declined: Readonly<Record<string, string>>;
    /** The payer's bank wants to see the payer, at a page of the provider. */
    readonly challenge?: string;
    /** The bank of this one asks for nobody; absent: of the good one. */
    readonly unasked?: string;
    /** Cannot be authenticated, and is approved all the same. Absent: where that is forced, the provider refuses it. */
    readonly unable?: { readonly card_number: string; readonly cvc?: string };
  };
  /** Currencies that it does not take: another provider is paid at, and this one is told nothing. */
  readonly refuses_currencies?: readonly string[];
  /** The names of the credentials that are no secret. */
  readonly names: readonly string[];
  readonly untold: readonly Untold[];
  drive(w: World): Driver;
  /** The provider's disputes, if they are answered from here. */
  disputes?(w: World): Disputes;
  /** The provider's messages, if these stories get any. */
  tells?(w: World): Tells;
};

export type Disputes = {
  /** The payer disputes the payment of this order, and its message is sent. */
  open(order_id: string): Promise<void>;
  /** How the dispute of this order stands there, and how often it was answered. */
  of(order_id: string): Promise<{ readonly state: 'open' | 'answered' | 'won' | 'lost'; readonly answers: number }>;
  /** The step that gives all evidence, and the one that accepts. */
  readonly steps: { readonly submit: string; readonly accept: string };
  /** Answers the dispute at the provider's own site. */
  elsewhere(order_id: string): Promise<void>;
};

export type Signing = {
  readonly secret?: string;
  /** A second key that signs too. */
  readonly beside?: string;
  /** Seconds from now. */
  readonly at_s?: number;
};

/** A message as it is sent: the text, with its proof inside or beside it in headers. */
type Signed = { readonly text: string; readonly headers: Readonly<Record<string, string>> };

export type Tells = {
  /** The address to which the messages go. */
  address(): Promise<string>;
  /** The text of one about the payment of this order. */
  eventOf(order_id: string): Promise<string>;
  sign(text: string, how: Signing): Signed | Promise<Signed>;
  /** A secret of the right form that is nobody's. */
  readonly another: string;
  /** A message of a kind that nobody knows. */
  unknown(): string;
  /** About a payment that is not ours. */
  foreign(): string;
  /** A capture of this order, which had succeeded, fails. Absent: none does. */
  failCapture?(order_id: string): Promise<void>;
  /** The refund of this order, which had succeeded, fails. Absent: it tells nothing of that. */
  failRefund?(order_id: string): Promise<void>;
  dispute(order_id: string): Promise<void>;
  /** A message with two items about this order, one of which proves nothing. Absent: a message has one item. */
  batch?(order_id: string): Promise<string>;
};
