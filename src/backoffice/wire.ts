// What the back office's server and its web app say to each other: every request and answer of `/api/…`, as types only.
//
// Rules for all of it:
// - JSON both ways, snake_case, never a card digit beyond first6 and last4. Amounts are integers in minor units (`…_minor`) beside
//   their currency; what a person types is sent as decimal text in major units (`amount: "12.50"`), as the API takes it.
//   Dates are ISO 8601 UTC with milliseconds. Lists give `next_cursor`: send it as `cursor` for the next page, null on the last.
// - The header `x-now` of an answer is the time for payments: the clock of a sandbox may be ahead of the machine's (`date`).
// - The session is a cookie that scripts cannot read. Whatever is not GET needs the header `x-csrf-token: <Session.csrf>` (but for
//   login, first and invitation, which need no session) and an Origin of the back office itself.
// - The merchant account is the session's own (Session.account): no id of an account is sent, but to switch.
// - Errors are application/problem+json: Problem. 401 `signed-out`: no session (go to login, come back). 401 `sign-in-failed`.
//   403 `not-allowed`: the role does not allow it, or the CSRF token is wrong. 404: unknown, or of another account: the same.
//   409: the state does not allow it. 400 and 422: `errors[]` beside the fields. 429: `retry-after` says when.
// - Where money moves or a right changes `reason` is required (3 to 300 characters) and lands in the audit.
//
//   GET    /api/session                       SessionState            who is signed in; works signed out too
//   POST   /api/session                       Login → LoginAnswer     DELETE /api/session → Done (sign out)
//   POST   /api/session/totp                  TotpLogin → LoginAnswer the second step; a recovery code works too
//   POST   /api/session/account               {account_id} → SessionState     switch
//   GET    /api/me                            Me                      own sessions, second factor
//   POST   /api/me/password                   PasswordChange → Done   (other sessions end)
//   POST   /api/me/totp                       {password} → TotpOffer  POST /api/me/totp/confirm {code} → RecoveryCodes
//   DELETE /api/me/totp                       {password, code} → Done DELETE /api/me/sessions/{id} → Done
//   GET    /api/welcome/{token}               Welcome                 first link and invitations alike
//   POST   /api/welcome/{token}               Acceptance → SessionState
//   GET    /api/overview?from=                Overview                from: where the viewer's day begins (ISO)
//   GET    /api/orders?…OrderFilters          OrderPage               GET /api/orders/export?format=csv|jsonl&…OrderFilters (file)
//   GET    /api/currencies                    Currencies              of the account's orders, most used first
//   GET    /api/orders/{id}                   OrderDetail
//   POST   /api/orders/{id}/capture           CaptureForm → ActionDone
//   POST   /api/orders/{id}/refund            RefundForm → ActionDone
//   POST   /api/orders/{id}/cancel            CancelForm → ActionDone
//   GET    /api/views  SavedViews             PUT /api/views SavedViewForm → SavedViews      DELETE /api/views/{id} → SavedViews
//   GET    /api/in-doubt                      InDoubtList
//   POST   /api/in-doubt/{operation_id}/look  Done                    asks the provider again, now
//   POST   /api/in-doubt/{operation_id}/rule  RulingForm → RulingAnswer
//   GET    /api/customers?search=&cursor=     CustomerPage            GET /api/customers/one?customer_id= → CustomerDetail
//   DELETE /api/customers/card                CardRemovalForm → CustomerDetail
//   GET    /api/providers                     Providers               PUT /api/providers/{id} ContractForm → Contract
//   POST   /api/providers                     NewContractForm → Contract
//   POST   /api/providers/{id}/credentials    CredentialsForm → Contract (write-only)   POST /api/providers/{id}/test → TestCall
//   GET    /api/keys  Keys                    POST /api/keys KeyForm → NewKey (text shown once)
//   POST   /api/keys/{id}/roll                RollForm → NewKey       POST /api/keys/{id}/revoke {reason} → Keys
//   GET    /api/settings  SettingsState       PUT /api/settings Partial<Settings> → SettingsState
//   GET    /api/team  Team                    POST /api/team/invitations InvitationForm → NewInvitation
//   DELETE /api/team/invitations/{id} → Team  PUT /api/team/{person_id} RoleForm → Team      POST /api/team/{person_id}/remove {reason} → Team
//   DELETE /api/team/{person_id}/sessions     Team                    ends all of a person's sessions
//   GET    /api/audit?…AuditFilters           AuditPage               GET /api/audit/verify → AuditVerdict
//   GET    /api/audit/export?format=csv|jsonl (file)
//   GET    /api/notifications                 Endpoints               and more: see wire/notifications.ts
//   GET    /api/risk                          RiskRules               and more: see wire/risk.ts
//   GET    /api/sandbox                       SandboxState            and more: see wire/sandbox.ts (404 in production)
//
// A page that asks by itself (live update) sends `x-background: 1`: it keeps no
// session awake. Whoever accepts an invitation and has a second factor is answered {next: 'login'}.

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
};

export type Page = {
  /** Null on the last page. */
  readonly next_cursor: string | null;
};
