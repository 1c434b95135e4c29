// The body of a notification, made of the facts that were written down by the commit of its event (contract 13.1).
// Pure: the same facts give the same bytes, and nothing that happened later is in them.
import { twoDigits } from '../../core/dates.ts';
import { toMajor } from '../../core/money.ts';
import type { Origins } from '../../core/origin/origins.ts';
import { findResult, result } from '../../core/results.ts';
import { ORDER_STATUSES, type OrderStatus } from '../../core/states.ts';
import type { Provider } from '../../provider/contract.ts';
import { type AuthenticationWord, elsewhereWord, madeWord } from '../order-rules/authentication-word.ts';
import { isAllowed, mayCancel, mayCapture, mayRefund } from '../order-rules/allowed.ts';
import {
  type Standing,
  type StandingContradiction,
  type StandingDispute,
  type StandingOperation,
  isUndecidedStatus,
} from '../order-rules/standing.ts';

/** The order and its last transaction as the commit left them. */
export type OrderTold = {
  readonly order_merchant_id: string;
  readonly checkout_id: string | null;
  /** The payment link that its checkout was opened from; null: none. Absent in what an earlier version wrote. */
  readonly link?: LinkTold | null;
  readonly status: OrderStatus;
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
  /** What the merchant said of an authentication made elsewhere. Absent in what an earlier version wrote. */
  readonly elsewhere?: { readonly pares_status?: string } | null;
  /** An exemption was asked for. Absent in what an earlier version wrote. */
  readonly exempted?: boolean;
  readonly provider_ref: string | null;
  readonly provider_text: string | null;
  readonly operation: {
    readonly id: string;
    readonly kind: string;
    readonly operation_merchant_id: string | null;
  } | null;
  /** Limits on further operations that the counters do not show; null: there are none, as for nearly every order. */
  readonly beyond?: {
    readonly operations: readonly Stored<StandingOperation>[];
    readonly disputes: readonly Stored<StandingDispute>[];
    readonly contradictions: readonly StandingContradiction[];
  } | null;
};

/** An amount in JSON is a number. */
type Stored<T> = Omit<T, 'amount_minor'> & { readonly amount_minor: number };

type LinkTold = { readonly link_id: string; readonly merchant_data: readonly unknown[] };

export type CheckoutTold = Pick<OrderTold, 'order_merchant_id' | 'amount_minor' | 'currency' | 'link'> & {
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

/** The addresses for people and payers ("" if not known), the origin of cards, and the capabilities of providers. */
export type Around = {
  readonly addresses: { readonly backoffice_url: string; readonly vault_url: string };
  readonly origins: Pick<Origins, 'cardOf'>;
  readonly providers: Pick<ReadonlyMap<string, Provider>, 'get'>;
};

/** JSON of one notification, at most 20 kB: every text in it has a limit. */
export function bodyOf(told: Told, around: Around): string {
  const { backoffice_url, vault_url } = around.addresses;
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
      ...orderMembers(event, facts.told, around),
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

function checkoutMembers({ checkout_id, link, order_merchant_id, amount_minor, currency }: OrderTold | CheckoutTold) {
  return {
    checkout_id,
    ...link,
    merchant_order_id: order_merchant_id,
    amount: toMajor(BigInt(amount_minor), currency),
    currency,
  };
}

function orderMembers(event: string, told: OrderTold, { origins, providers }: Around) {
  const { issuer, country } = origins.cardOf(told);
  const money = (minor: number) => toMajor(BigInt(minor), told.currency);
  return {
    transaction_id: told.transaction_id ?? '',
    merchant_order_id: told.order_merchant_id,
    merchant_contract_id: told.contract_id ?? '',
    ...(told.checkout_id !== null && { checkout_id: told.checkout_id }),
    ...told.link,
    // of several events of one commit each names its own; a dispute leaves the status as it is
    status: event.includes('.') ? told.status : event,
    amount: money(told.amount_minor),
    currency: told.currency,
    payin_partner: told.provider ?? '',
    payin_transaction_id: told.provider_ref ?? '',
    payin_transaction_description: told.provider_text ?? '',
    authentication_partner: told.authentication?.partner ?? '',
    authentication_result: authenticationWord(told),
    ...riskWords(told),
    payment_method: (told.payment_method_name ?? '').toUpperCase(),
    capture_total_amount: money(told.captured_minor),
    refund_total_amount: money(told.refunded_minor),
    ...possible(told, providers),
    card_6_digits: told.first6 ?? '',
    card_4_digits: told.last4 ?? '',
    card_validity_month: expiryPart(told.exp_month),
    card_validity_year: expiryPart(told.exp_year),
    card_issuer: issuer ?? '',
    card_country: country ?? '',
    // a token that can pay again is kept sealed, and a body is stored: it stands in payment_methods_saved of its
    // customer alone
    token: '',
    is_order_last_transaction: true,
    ...operationMembers(told),
  };
}

/** The address that the payer must go to (contract 13.1). */
function redirectOf(event: string, { authentication }: OrderTold, vault_url: string) {
  const waits = event === 'authentication_requested' && authentication !== null;
  return waits ? { redirect_url: `${vault_url}/pay/${authentication.handle}` } : {};
}

/** The word for an authentication, the same as in an order's answer (contract 4.1). */
function authenticationWord({ authentication, elsewhere, exempted = false, holds }: OrderTold): AuthenticationWord {
  if (authentication) return madeWord(authentication);
  return elsewhereWord({ said: elsewhere ?? undefined, exempted: exempted && holds });
}

function riskWords({ risk_score, risk_code, provider }: OrderTold) {
  const accepted = risk_code === null || risk_code === result('risk_accepted').code;
  const partner = risk_score !== null && accepted ? (provider ?? '') : risk_code === null ? '' : 'risk_rules';
  return {
    risk_assessment_partner: partner,
    risk_assessment_result: partner === '' ? '' : accepted ? 'accepted' : 'refused',
  };
}

/**
 * The operations that the merchant may ask for next, by the rules of requests, as far as the rules were known when the
 * event was made.
 */
function possible(told: OrderTold, providers: Around['providers']) {
  const standing = standingOf(told);
  const can = providers.get(told.provider ?? '')?.can;
  return {
    is_capturable: told.holds && isAllowed(mayCapture(standing, can)),
    is_refundable: told.holds && isAllowed(mayRefund(standing)),
    is_cancellable: isAllowed(mayCancel(standing)),
  };
}

function standingOf({ status, cancel_pending, beyond, ...told }: OrderTold): Standing {
  return {
    status,
    live: ORDER_STATUSES[status].live,
    cancel_pending,
    undecided: isUndecidedStatus(status),
    // a body says why an order ended; this would only choose between two refusals
    ended_by_payer: false,
    amount_minor: BigInt(told.amount_minor),
    authorized_minor: BigInt(told.authorized_minor),
    released_minor: BigInt(told.released_minor),
    capturing_minor: BigInt(told.capturing_minor),
    captured_minor: BigInt(told.captured_minor),
    refunding_minor: BigInt(told.refunding_minor),
    refunded_minor: BigInt(told.refunded_minor),
    operations: (beyond?.operations ?? []).map(withMinor),
    disputes: (beyond?.disputes ?? []).map(withMinor),
    contradictions: beyond?.contradictions ?? [],
  };
}

function withMinor<T extends { readonly amount_minor: number }>(row: T) {
  return { ...row, amount_minor: BigInt(row.amount_minor) };
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

function expiryPart(value: number | null): string {
  return value === null ? '' : twoDigits(value);
}
