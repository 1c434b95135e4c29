// The body of a notification, made of the facts that were written down by the commit of its event (contract 13.1). Pure: the same
// facts give the same bytes, and nothing that happened later is in them.
import { toMajor } from '../../core/money.ts';
import type { CardOrigin, Origins } from '../../core/origin/origins.ts';
import { findResult, result } from '../../core/results.ts';

/** What the commit left of the order and its last transaction. */
export type OrderTold = {
  readonly order_merchant_id: string;
  readonly checkout_id: string | null;
  readonly status: string;
  readonly amount_minor: number;
  readonly currency: string;
  readonly authorized_minor: number;
  readonly released_minor: number;
  readonly capturing_minor: number;
  readonly captured_minor: number;
  readonly refunding_minor: number;
  readonly refunded_minor: number;
  readonly cancel_pending: boolean;
  /** The last transaction is the one that holds the money. */
  readonly holds: boolean;
  readonly transaction_id: string | null;
  readonly provider: string | null;
  readonly contract_id: string | null;
  readonly payment_method_name: string | null;
  readonly first6: string | null;
  readonly last4: string | null;
  readonly exp_month: number | null;
  readonly exp_year: number | null;
  readonly risk_score: number | null;
  /** Code of our own rules' outcome. */
  readonly risk_code: string | null;
  readonly authentication: {
    readonly partner: string;
    readonly state: string;
    readonly trans_status: string | null;
    readonly code: string | null;
    readonly handle: string;
  } | null;
  readonly provider_ref: string | null;
  readonly provider_text: string | null;
  readonly operation: {
    readonly id: string;
    readonly kind: string;
    readonly operation_merchant_id: string | null;
  } | null;
};

export type CheckoutTold = Pick<OrderTold, 'order_merchant_id' | 'amount_minor' | 'currency'> & {
  readonly checkout_id: string;
};

export type Facts = {
  /** YYYY-MM-DDThh:mm:ss, UTC. */
  readonly at: string;
  readonly code: string | null;
  readonly request_id: string | null;
  readonly order_version: number | null;
  readonly told: OrderTold | CheckoutTold | null;
  /** Members that the event brought itself: customer_id, chargeback_…, redirect_url. */
  readonly more: Readonly<Record<string, unknown>> | null;
};

export type Told = {
  readonly event: string;
  readonly merchant_account_id: string;
  readonly order_id: string | null;
  readonly sequence: number;
  readonly previous_sequence: number | null;
  readonly facts: Facts;
};

/** Where people and payers are sent ("" where it is not known), and where cards come from. */
export type Around = {
  readonly addresses: { readonly backoffice_url: string; readonly vault_url: string };
  readonly origins: Pick<Origins, 'cardOf'>;
};

/** JSON of one notification, at most 20 kB: every text in it has a limit. */
export function bodyOf(told: Told, { addresses: { backoffice_url, vault_url }, origins }: Around): string {
  const { event, sequence, previous_sequence, facts, merchant_account_id, order_id } = told;
  const head = { event, sequence, previous_sequence };
  const action_date = `${facts.at}+0000`;
  const said = findResult(facts.code ?? '');
  const tail = {
    ...(said && { result: { code: said.code, description: said.description } }),
    ...facts.more,
  };
  if (order_id !== null && isOrder(facts.told))
    return JSON.stringify({
      ...head,
      order_version: facts.order_version,
      request_id: facts.request_id ?? '',
      order_id,
      ...orderMembers(event, facts.told, origins.cardOf(facts.told)),
      action_date,
      link_interface: backoffice_url === '' ? '' : `${backoffice_url}/orders/${order_id}`,
      merchant_account: merchant_account_id,
      ...redirectOf(event, facts.told, vault_url),
      ...tail,
    });
  return JSON.stringify({
    ...head,
    request_id: facts.request_id ?? '',
    ...(facts.told && checkoutMembers(facts.told)),
    action_date,
    merchant_account: merchant_account_id,
    ...tail,
  });
}

function isOrder(told: Facts['told']): told is OrderTold {
  return told !== null && 'authorized_minor' in told;
}

function checkoutMembers({ checkout_id, order_merchant_id, amount_minor, currency }: OrderTold | CheckoutTold) {
  return {
    checkout_id,
    merchant_order_id: order_merchant_id,
    amount: toMajor(BigInt(amount_minor), currency),
    currency,
  };
}

function orderMembers(event: string, told: OrderTold, { issuer, country }: CardOrigin) {
  const money = (minor: number) => toMajor(BigInt(minor), told.currency);
  return {
    transaction_id: told.transaction_id ?? '',
    merchant_order_id: told.order_merchant_id,
    merchant_contract_id: told.contract_id ?? '',
    ...(told.checkout_id !== null && { checkout_id: told.checkout_id }),
    // of several events of one commit each names its own; a dispute leaves the status as it is
    status: event.includes('.') ? told.status : event,
    amount: money(told.amount_minor),
    currency: told.currency,
    payin_partner: told.provider ?? '',
    payin_transaction_id: told.provider_ref ?? '',
    payin_transaction_description: told.provider_text ?? '',
    authentication_partner: told.authentication?.partner ?? '',
    authentication_result: authenticationWord(told.authentication),
    ...riskWords(told),
    payment_method: (told.payment_method_name ?? '').toUpperCase(),
    capture_total_amount: money(told.captured_minor),
    refund_total_amount: money(told.refunded_minor),
    ...possible(told),
    card_6_digits: told.first6 ?? '',
    card_4_digits: told.last4 ?? '',
    card_validity_month: twoDigits(told.exp_month),
    card_validity_year: twoDigits(told.exp_year),
    card_issuer: issuer ?? '',
    card_country: country ?? '',
    // a token that can pay again is kept sealed, and a body is stored: it stands in payment_methods_saved of its customer alone
    token: '',
    is_order_last_transaction: true,
    ...operationMembers(told),
  };
}

/** Where the payer must go (contract 13.1). */
function redirectOf(event: string, { authentication }: OrderTold, vault_url: string) {
  const waits = event === 'authentication_requested' && authentication !== null;
  return waits ? { redirect_url: `${vault_url}/pay/${authentication.handle}` } : {};
}

const FAILED: ReadonlySet<string> = new Set(
  (
    [
      'authentication_incorrect',
      'authentication_declined',
      'payer_left_authentication',
      'authentication_timed_out',
    ] as const
  ).map((name) => result(name).code),
);

/** As an order's answer says it (contract 4.1). */
function authenticationWord(authentication: OrderTold['authentication']): string {
  if (authentication?.state === 'successful') return authentication.trans_status === 'A' ? 'attempted' : 'success';
  if (authentication?.state !== 'declined') return '';
  return FAILED.has(authentication.code ?? '') ? 'failed' : 'not_available';
}

function riskWords({ risk_score, risk_code, provider }: OrderTold) {
  const accepted = risk_code === null || risk_code === result('risk_accepted').code;
  const partner = risk_score !== null && accepted ? (provider ?? '') : risk_code === null ? '' : 'risk_rules';
  return {
    risk_assessment_partner: partner,
    risk_assessment_result: partner === '' ? '' : accepted ? 'accepted' : 'refused',
  };
}

/** Nothing is held yet, and a cancel is taken (contract 8.3). */
const UNDECIDED = new Set(['authentication_requested', 'authentication_successful', 'authorization_requested']);

/** What the merchant may ask for next, by the rules of the order read (contract 7.5). */
function possible(told: OrderTold) {
  const { holds, authorized_minor, released_minor, captured_minor, capturing_minor, refunded_minor } = told;
  const held = holds ? authorized_minor > released_minor : UNDECIDED.has(told.status);
  return {
    is_capturable:
      holds && authorized_minor - released_minor - captured_minor - capturing_minor > 0 && !told.cancel_pending,
    is_refundable: holds && captured_minor - refunded_minor - told.refunding_minor > 0,
    is_cancellable: held && captured_minor + capturing_minor === 0 && !told.cancel_pending,
  };
}

function operationMembers({ operation }: OrderTold) {
  if (!operation) return {};
  const { id, kind, operation_merchant_id } = operation;
  return {
    ...(kind === 'capture' && { capture_id: id }),
    ...(kind === 'refund' && { refund_id: id }),
    ...(operation_merchant_id !== null && { operation_merchant_id }),
  };
}

function twoDigits(value: number | null): string {
  return value === null ? '' : String(value % 100).padStart(2, '0');
}
