// Every route of `/api`, with what is sent and answered. The server's routes and the app's calls are typed by it: a
// route that one side changes alone does not compile on the other.
import type { RoutesLearnt } from '../../core/routing/learn/shown.ts';
import type { Done } from '../wire.ts';
import type { ExperimentEndForm, ExperimentForm, Experiments } from './rules/experiments.ts';
import type {
  Contract,
  ContractForm,
  FeesForm,
  HoldForm,
  CredentialsForm,
  KeyForm,
  Keys,
  NewContractForm,
  NewKey,
  Providers,
  RollForm,
  Settings,
  SettingsState,
  TestCall,
} from './account.ts';
import type { AuditPage, AuditVerdict } from './audit.ts';
import type { DisputeDetail, DisputePage, DisputesDue, EvidenceFileForm, EvidenceForm } from './disputes.ts';
import type { InDoubtList, ParkedList, ResolutionAnswer, ResolutionForm, SetAsideForm } from './doubt.ts';
import type { LinkChange, LinkForm, LinkOrderPage, LinkPage, PaymentLink } from './links.ts';
import type {
  DeliveryPage,
  EndpointForm,
  Endpoints,
  NewEndpoint,
  Replayed,
  ReplayForm,
  TestSend,
} from './notifications.ts';
import type {
  ActionDone,
  CancelForm,
  CaptureForm,
  CardRemovalForm,
  Currencies,
  CustomerDetail,
  CustomerPage,
  OrderDetail,
  OrderPage,
  RefundForm,
  RelatedOrders,
  SavedViewForm,
  RefundRequests,
  SavedViews,
} from './orders.ts';
import type { NoteForm, Notes } from './notes.ts';
import type { EraseForm, EraseGuestForm, Erasures } from './privacy.ts';
import type { FindingPage, ReportForm, Reports, SettleForm } from './reports.ts';
import type { Needs, Overview } from './overview.ts';
import type { CheckAnswer, RequestPage } from './requests.ts';
import type {
  ListEntries,
  ListEntryForm,
  RiskDraft,
  RiskRules,
  RiskTest,
  RiskVersions,
  RiskPublishForm,
} from './rules/risk.ts';
import type {
  RoutingCells,
  RoutingGoOnForm,
  RoutingPublishForm,
  RoutingRules,
  RoutingTest,
  RoutingTestForm,
  RoutingVersions,
} from './rules/routing.ts';
import type { Retries } from './retries.ts';
import type { RollBackForm } from './rules/versions.ts';
import type { TelephoneDesk, TelephoneForm, TelephonePaid } from './telephone.ts';
import type { DemoOrdersForm, Mailbox, SandboxState, ScenarioForm } from './sandbox.ts';
import type {
  Acceptance,
  CommandSecret,
  InvitationForm,
  Login,
  LoginAnswer,
  Me,
  NewInvitation,
  NewPasskeyForm,
  NewPasskeyQuestion,
  PasskeyAnswer,
  PasskeyAsk,
  PasskeyLogin,
  PasskeyQuestion,
  OwnRoleForm,
  RoleChangeForm,
  PasswordChange,
  Proof,
  ReasonForm,
  RecoveryCodes,
  RoleForm,
  RoleRemovalForm,
  SessionState,
  Team,
  TotpLogin,
  TotpOffer,
  Welcome,
} from './session.ts';

import type { SignOn, SignOnAsk, SignOnForm, SignOnOffer, SignOnReturn, SignOnStart, SignedOut } from './sign-on.ts';

/** The types of the body and of the answer. */
type Row<Sent, Answered> = { readonly sent: Sent; readonly answered: Answered };
type Nothing = undefined;
/** Answered with a file. */
export type File = { readonly is: 'file' };

export type Routes = {
  /** The person who is signed in; works signed out, too. */
  'GET /session': Row<Nothing, SessionState>;
  'POST /session': Row<Login, LoginAnswer>;
  'DELETE /session': Row<Nothing, SignedOut>;
  /** The second step; a recovery code works too. */
  'POST /session/totp': Row<TotpLogin, LoginAnswer>;
  'POST /session/passkey/options': Row<PasskeyAsk, PasskeyQuestion>;
  'POST /session/passkey': Row<PasskeyLogin, LoginAnswer>;
  'POST /session/sign-on/find': Row<SignOnAsk, SignOnOffer>;
  'POST /session/sign-on': Row<SignOnAsk, SignOnStart>;
  'POST /session/sign-on/finish': Row<SignOnReturn, LoginAnswer>;
  /** Switches the account. */
  'POST /session/account': Row<{ readonly account_id: string }, SessionState>;
  /** Own sessions, second factor. */
  'GET /me': Row<Nothing, Me>;
  'POST /me/prove': Row<Proof, Done>;
  /** A passkey in place of password and code. */
  'POST /me/prove/options': Row<Nothing, PasskeyQuestion>;
  'POST /me/prove/passkey': Row<PasskeyAnswer, Done>;
  /** Asks for a recent proof. */
  'POST /me/passkeys/options': Row<Nothing, NewPasskeyQuestion>;
  'POST /me/passkeys': Row<NewPasskeyForm, Me>;
  'DELETE /me/passkeys/:id': Row<Nothing, Me>;
  'POST /me/command-secret': Row<Nothing, CommandSecret>;
  /** Other sessions end. */
  'POST /me/password': Row<PasswordChange, Done>;
  'POST /me/alarms': Row<{ readonly alarm_mails: boolean }, Done>;
  'POST /me/totp': Row<{ readonly password: string; readonly code?: string }, TotpOffer>;
  'POST /me/totp/confirm': Row<{ readonly code: string }, RecoveryCodes>;
  'DELETE /me/totp': Row<{ readonly password: string; readonly code: string }, Done>;
  'DELETE /me/sessions/:id': Row<Nothing, Done>;
  /** First link and invitations alike. */
  'GET /welcome/:token': Row<Nothing, Welcome>;
  'POST /welcome/:token': Row<Acceptance, LoginAnswer | { readonly next: 'login' }>;
  'GET /overview': Row<Nothing, Overview>;
  'GET /needs': Row<Nothing, Needs>;
  'GET /orders': Row<Nothing, OrderPage>;
  'GET /orders/export': Row<Nothing, File>;
  /** The currencies of the account's orders, most used first. */
  'GET /currencies': Row<Nothing, Currencies>;
  'GET /orders/:id': Row<Nothing, OrderDetail>;
  'GET /orders/:id/related': Row<Nothing, RelatedOrders>;
  'POST /orders/:order_id/capture': Row<CaptureForm, ActionDone>;
  'POST /orders/:order_id/refund': Row<RefundForm, ActionDone>;
  'POST /orders/:order_id/cancel': Row<CancelForm, ActionDone>;
  'GET /orders/:order_id/notes': Row<Nothing, Notes>;
  'POST /orders/:order_id/notes': Row<NoteForm, Notes>;
  /** Removes a note of one's own. */
  'DELETE /orders/:order_id/notes/:id': Row<Nothing, Notes>;
  'GET /refund-requests': Row<Nothing, RefundRequests>;
  'POST /refund-requests/:id/approve': Row<ReasonForm, RefundRequests>;
  'POST /refund-requests/:id/decline': Row<ReasonForm, RefundRequests>;
  'GET /links': Row<Nothing, LinkPage>;
  'POST /links': Row<LinkForm, PaymentLink>;
  'GET /links/:link_id': Row<Nothing, PaymentLink>;
  'POST /links/:link_id': Row<LinkChange, PaymentLink>;
  'GET /links/:link_id/orders': Row<Nothing, LinkOrderPage>;
  'GET /telephone': Row<Nothing, TelephoneDesk>;
  'POST /telephone': Row<TelephoneForm, TelephonePaid>;
  'GET /views': Row<Nothing, SavedViews>;
  'PUT /views': Row<SavedViewForm, SavedViews>;
  'DELETE /views/:id': Row<Nothing, SavedViews>;
  'GET /in-doubt': Row<Nothing, InDoubtList>;
  /** Asks the provider again, now. */
  'POST /in-doubt/:id/look': Row<Nothing, Done>;
  'POST /in-doubt/:id/rule': Row<ResolutionForm, ResolutionAnswer>;
  /** Differences between our books and a provider's. */
  'GET /findings': Row<Nothing, FindingPage>;
  'POST /findings/:id/settle': Row<SettleForm, Done>;
  'GET /retries': Row<Nothing, Retries>;
  'POST /orders/:id/stop-retries': Row<ReasonForm, Retries>;
  /** Messages of providers that were kept and moved nothing. */
  'GET /parked-messages': Row<Nothing, ParkedList>;
  'POST /parked-messages/:contract_id/set-aside': Row<SetAsideForm, ParkedList>;
  'GET /disputes': Row<Nothing, DisputePage>;
  /** The disputes that wait for an answer, by currency. */
  'GET /disputes/due': Row<Nothing, DisputesDue>;
  'GET /disputes/:id': Row<Nothing, DisputeDetail>;
  /** All of it with what is known of the payment, for who answers at the provider's own site. */
  'GET /disputes/:id/evidence': Row<Nothing, File>;
  'PUT /disputes/:id/evidence': Row<EvidenceForm, DisputeDetail>;
  /** The file replaces the one that is in the field. */
  'PUT /disputes/:id/files': Row<EvidenceFileForm, DisputeDetail>;
  'GET /disputes/:id/files/:field': Row<Nothing, File>;
  'DELETE /disputes/:id/files/:field': Row<Nothing, DisputeDetail>;
  /** Through the provider: evidence as it stands, or giving in. */
  'POST /disputes/:id/submit': Row<ReasonForm, DisputeDetail>;
  'POST /disputes/:id/accept': Row<ReasonForm, DisputeDetail>;
  /** A person answered the dispute at the provider's own site. */
  'POST /disputes/:id/answered': Row<ReasonForm, DisputeDetail>;
  'GET /reports': Row<Nothing, Reports>;
  /** Made once, or by a schedule. */
  'POST /reports': Row<ReportForm, Reports>;
  /** The schedule; what it made stays. */
  'DELETE /reports/:id': Row<Nothing, Reports>;
  /** Deletes the file of a finished report. */
  'DELETE /reports/:id/file': Row<Nothing, Reports>;
  'GET /reports/:id/file': Row<Nothing, File>;
  'GET /customers': Row<Nothing, CustomerPage>;
  'GET /customers/one': Row<Nothing, CustomerDetail>;
  /** All that is stored of one, as JSON; likewise of a guest. */
  'GET /customers/data': Row<Nothing, File>;
  'GET /customers/erasures': Row<Nothing, Erasures>;
  'POST /customers/erase': Row<EraseForm, Erasures>;
  'GET /guests/data': Row<Nothing, File>;
  'POST /guests/erase': Row<EraseGuestForm, Erasures>;
  'DELETE /customers/card': Row<CardRemovalForm, CustomerDetail>;
  'GET /providers': Row<Nothing, Providers>;
  'POST /providers': Row<NewContractForm, Contract>;
  'PUT /providers/:id': Row<ContractForm, Contract>;
  /** Write-only. */
  'POST /providers/:id/credentials': Row<CredentialsForm, Contract>;
  'POST /providers/:id/hold': Row<HoldForm, Contract>;
  'POST /providers/:id/fees': Row<FeesForm, Contract>;
  'POST /providers/:id/test': Row<Nothing, TestCall>;
  'GET /keys': Row<Nothing, Keys>;
  /** The text of the key is shown only once. */
  'POST /keys': Row<KeyForm, NewKey>;
  'POST /keys/:id/roll': Row<RollForm, NewKey>;
  'POST /keys/:id/revoke': Row<ReasonForm, Keys>;
  'GET /settings': Row<Nothing, SettingsState>;
  'PUT /settings': Row<Partial<Settings>, SettingsState>;
  'GET /team': Row<Nothing, Team>;
  'POST /team/invitations': Row<InvitationForm, NewInvitation>;
  'DELETE /team/invitations/:id': Row<Nothing, Team>;
  'POST /team/roles': Row<OwnRoleForm, Team>;
  'PUT /team/roles/:id': Row<RoleChangeForm, Team>;
  'POST /team/roles/:id/remove': Row<RoleRemovalForm, Team>;
  'PUT /team/:id': Row<RoleForm, Team>;
  'POST /team/:id/remove': Row<ReasonForm, Team>;
  /** Ends all of a person's sessions. */
  'DELETE /team/:id/sessions': Row<Nothing, Team>;
  'POST /team/:id/unlock': Row<Nothing, Team>;
  'GET /sign-on': Row<Nothing, SignOn>;
  /** Owners alone. */
  'PUT /sign-on': Row<SignOnForm, SignOn>;
  'POST /sign-on/remove': Row<ReasonForm, SignOn>;
  'GET /audit': Row<Nothing, AuditPage>;
  'GET /audit/verify': Row<Nothing, AuditVerdict>;
  'GET /audit/export': Row<Nothing, File>;
  'GET /notifications': Row<Nothing, Endpoints>;
  'POST /notifications/endpoints': Row<EndpointForm, NewEndpoint>;
  'DELETE /notifications/endpoints/:endpoint_id': Row<Nothing, Endpoints>;
  'POST /notifications/endpoints/:endpoint_id/activate': Row<Nothing, Endpoints>;
  'POST /notifications/endpoints/:endpoint_id/secret': Row<{ readonly overlap_hours: number }, NewEndpoint>;
  'POST /notifications/endpoints/:endpoint_id/test': Row<Nothing, TestSend>;
  'GET /notifications/deliveries': Row<Nothing, DeliveryPage>;
  'POST /notifications/deliveries/:notification_id/replay': Row<Nothing, Done>;
  'POST /notifications/replay': Row<ReplayForm, Replayed>;
  'GET /requests': Row<Nothing, RequestPage>;
  /** 404 in production. */
  'GET /requests/check': Row<Nothing, CheckAnswer>;
  'GET /risk': Row<Nothing, RiskRules>;
  'GET /risk/versions': Row<Nothing, RiskVersions>;
  'POST /risk/test': Row<RiskDraft, RiskTest>;
  'POST /risk/publish': Row<RiskPublishForm, RiskRules>;
  'POST /risk/roll-back': Row<RollBackForm, RiskRules>;
  'GET /routing': Row<Nothing, RoutingRules>;
  'GET /routing/versions': Row<Nothing, RoutingVersions>;
  'GET /routing/cells': Row<Nothing, RoutingCells>;
  'GET /routing/learnt': Row<Nothing, RoutesLearnt>;
  'POST /routing/go-on': Row<RoutingGoOnForm, RoutesLearnt>;
  'GET /experiments': Row<Nothing, Experiments>;
  'POST /experiments': Row<ExperimentForm, Experiments>;
  'POST /experiments/:number/end': Row<ExperimentEndForm, Experiments>;
  'POST /routing/test': Row<RoutingTestForm, RoutingTest>;
  'POST /routing/publish': Row<RoutingPublishForm, RoutingRules>;
  'POST /routing/roll-back': Row<RollBackForm, RoutingRules>;
  'GET /risk/lists': Row<Nothing, ListEntries>;
  'POST /risk/lists': Row<ListEntryForm, ListEntries>;
  'DELETE /risk/lists/:id': Row<ReasonForm, ListEntries>;
  /** 404 in production, as the next. */
  'GET /sandbox': Row<Nothing, SandboxState>;
  'GET /sandbox/mails': Row<Nothing, Mailbox>;
  'POST /sandbox/clock': Row<{ readonly advance_s: number }, SandboxState>;
  'POST /sandbox/scenarios': Row<ScenarioForm, SandboxState>;
  'DELETE /sandbox/scenarios': Row<Nothing, SandboxState>;
  'POST /sandbox/orders': Row<DemoOrdersForm, { readonly orders: number }>;
};

export type RouteName = keyof Routes;
export type SentTo<R extends RouteName> = Routes[R]['sent'];
export type AnswerOf<R extends RouteName> = Routes[R]['answered'];
