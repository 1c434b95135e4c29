// Wire: the sandbox page; every route is 404 in production.
//
//   GET    /api/sandbox                    SandboxState
//   POST   /api/sandbox/clock              {advance_s} → SandboxState
//   POST   /api/sandbox/scenarios          ScenarioForm → SandboxState      DELETE /api/sandbox/scenarios → SandboxState (all)
//   POST   /api/sandbox/orders             DemoOrdersForm → {orders: number}      makes test orders, so that an account has data

export type TestCard = {
  readonly number: string;
  readonly scheme: string;
  readonly does: string;
  readonly code: string | null;
};
export type Scenario = Readonly<Record<string, unknown>>;
export type SandboxState = {
  /** Null: the clock cannot be moved yet. */
  readonly clock: { readonly now: string; readonly shift_s: number } | null;
  readonly cards: readonly TestCard[];
  readonly scenarios: readonly Scenario[];
  /** What may be armed: operations and faults, as POST /sandbox/scenario takes them. */
  readonly operations: readonly string[];
  readonly faults: readonly string[];
};
export type ScenarioForm = {
  readonly operation: string;
  readonly fault: string;
  readonly times?: number;
  readonly card_number?: string;
};
export type DemoOrdersForm = { readonly count: number };
