// What the back office's server and its web app say to each other, as types only.
//
// Rules for all of it:
// - JSON both ways, snake_case, never a card digit beyond first6 and last4. Amounts are integers in minor units
//   (`…_minor`) beside their currency; what a person types is sent as decimal text in major units (`amount: "12.50"`),
//   as the API takes it. Dates are ISO 8601 UTC with milliseconds. Lists give `next_cursor`: send it as `cursor` for
//   the next page, null on the last.
// - The header `x-now` of an answer is the time for payments: the clock of a sandbox may be ahead of the machine's
//   (`date`).
// - The session is a cookie that scripts cannot read. Whatever is not GET needs the header
//   `x-csrf-token: <Session.csrf>` (but for login, first and invitation, which need no session) and an Origin of the
//   back office itself.
// - The merchant account is the session's own (Session.account): no id of an account is sent, but to switch.
// - Errors are application/problem+json: Problem. 401 `signed-out`: no session (go to login, come back). 401
//   `sign-in-failed`. 403 `not-allowed`: the role does not allow it, or the CSRF token is wrong. 404: unknown, or of
//   another account: the same. 409: the state does not allow it. 400 and 422: `errors[]` beside the fields. 429:
//   `retry-after` says when.
// - Where money moves or a right changes `reason` is required (3 to 300 characters) and lands in the audit.
//
// The routes: wire/routes.ts.
//
// A page that asks by itself (live update) sends `x-background: 1`: it keeps no session awake. A person with a second
// factor who accepts an invitation is answered {next: 'login'}.

/** An answer that says no more than that it is done. */
export type Done = { readonly done: true };

/** RFC 9457. `type` ends with the slug; `errors` are beside their fields. */
export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly result: { readonly code: string; readonly description: string };
  readonly errors?: readonly { readonly field: string; readonly code: string; readonly message: string }[];
  /** Where the refusal is about an order. */
  readonly order_id?: string;
};

/** A sum in minor units: a number, or its digits where a number is not exact. */
export type Sum = number | string;

export type Page = {
  /** Null on the last page. */
  readonly next_cursor: string | null;
};
