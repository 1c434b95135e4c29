// Wire: the sandbox page; every route is 404 in production.
//
//   GET    /api/sandbox                    SandboxState
//   GET    /api/sandbox/mails              Mailbox
//   POST   /api/sandbox/clock              {advance_s} → SandboxState
//   POST   /api/sandbox/scenarios          ScenarioForm → SandboxState      DELETE /api/sandbox/scenarios →
// SandboxState (all)
//   POST   /api/sandbox/orders             DemoOrdersForm → {orders: number}      makes test orders, so that an account
// has data

export type TestCard = {
  readonly number: string;
  readonly does: string;
  /** The codes in the order in which they are seen. */
  readonly codes: readonly string[];
};
export type Scenario = Readonly<Record<string, unknown>>;
export type SandboxState = {
  readonly clock: { readonly now: string; readonly shift_s: number };
  readonly cards: readonly TestCard[];
  readonly scenarios: readonly Scenario[];
  /** The operations and faults that may be armed, as POST /sandbox/scenario takes them. */
  readonly operations: readonly string[];
  readonly faults: readonly string[];
  readonly providers: readonly string[];
  /** POST /api/sandbox/orders works for this account (the demo account). */
  readonly can_make_orders: boolean;
};
/** The same as POST /sandbox/scenario of the API takes (contract 15.4). */
export type ScenarioForm = {
  readonly operation: string;
  readonly fault: string;
  readonly times?: number;
  readonly provider?: string;
  readonly code?: string;
  readonly delay_ms?: number;
  readonly seconds?: number;
  readonly match?: {
    readonly order_id?: string;
    readonly order_merchant_id?: string;
    readonly amount?: string;
    readonly card_4_digits?: string;
  };
};
/** Mails that are kept instead of being sent. `sent`: a mail server is set, and new ones go there. */
export type Mailbox = { readonly sent: boolean; readonly mails: readonly KeptMail[] };
export type KeptMail = {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  /** The language of the mail: two letters. */
  readonly language: string;
  readonly paragraphs: readonly string[];
  readonly facts: readonly (readonly [name: string, text: string])[];
  /** The mail has a link that is not shown: it is over, or leads to more than one person may give. */
  readonly withheld: boolean;
  readonly link?: { readonly text: string; readonly url: string };
  readonly why: string;
  readonly created_at: string;
};
export type DemoOrdersForm = { readonly count: number };
