// The members about a payer's authentication in answers and reads (contract 4.1, 7.2, 7.5).
import { longDate } from '../../../core/dates.ts';
import { toMajor } from '../../../core/money.ts';
import { findResult } from '../../../core/results.ts';
import { type AuthenticationWord, elsewhereWord, madeWord } from '../../order-rules/authentication-word.ts';
import { shiftsLiability } from '../../../provider/three-ds/answers.ts';
import { type AuthenticationFacts, authenticationOf, waitsForPayer } from '../facts/authentication-facts.ts';
import type { OrderFacts, TransactionFacts } from '../facts/order-facts.ts';

export function authenticationMembers(order: OrderFacts, transaction: TransactionFacts) {
  const authentication = authenticationOf(order, transaction.id);
  const settled_at = authentication?.settled_at;
  return {
    authentication_partner: authentication?.partner ?? '',
    authentication_date: settled_at ? longDate(new Date(settled_at)) : null,
    authentication_result: authentication ? madeWord(authentication) : outsideOf(order, transaction),
    is_authenticated: authentication?.liability_shifted ?? shiftedOutside(order, transaction),
  };
}

/** The address that the payer must go to; no member once that is over (contract 7.2). */
export function redirectMember(order: OrderFacts, vault_url: string): { readonly redirect_url?: string } {
  const waiting = order.live ? order.authentications.find(waitsForPayer) : undefined;
  return waiting ? { redirect_url: `${vault_url}/pay/${waiting.handle}` } : {};
}

/** An authentication made elsewhere, or an exemption. */
function outsideOf(order: OrderFacts, transaction: TransactionFacts): AuthenticationWord {
  const exempted = order.body['sca_exemption_reason'] !== undefined && order.winner_id === transaction.id;
  return elsewhereWord({ said: saidOf(order, transaction), exempted });
}

function shiftedOutside(order: OrderFacts, transaction: TransactionFacts): boolean {
  const { pares_status = '', eci = '' } = saidOf(order, transaction) ?? {};
  return shiftsLiability(transaction.payment_method_name, pares_status, eci);
}

/**
 * The order's fields are those of its last attempt: what came with an attempt before is not kept, and not claimed for
 * it.
 */
function saidOf(order: OrderFacts, { id }: TransactionFacts): OrderFacts['body']['3ds_data'] {
  const began = order.transactions.findLastIndex(({ cascade_of }) => cascade_of === null);
  const of_last = order.transactions.slice(began).some((transaction) => transaction.id === id);
  return of_last ? order.body['3ds_data'] : undefined;
}

/** Members of a transaction in a read; null where there is nothing. */
export function authenticationParts(order: OrderFacts, transaction: TransactionFacts) {
  const authentication = authenticationOf(order, transaction.id);
  const { authentication_result, authentication_partner, is_authenticated } = authenticationMembers(order, transaction);
  return {
    authentication_request_date: authentication?.created_at ?? null,
    authentication_request_status: authentication ? progressOf(authentication) : null,
    authentication_date: authentication?.settled_at ?? null,
    authentication_result: authentication_result || null,
    authentication_partner: authentication_partner || null,
    authentication_partner_api_name: authentication_partner || null,
    is_authenticated,
  };
}

function progressOf({ state }: AuthenticationFacts): 'pending' | 'success' | 'failure' {
  if (state === 'successful') return 'success';
  return state === 'declined' ? 'failure' : 'pending';
}

/** The authentication as an operation of its transaction (contract 14.1). */
export function authenticationOperation(order: OrderFacts, authentication: AuthenticationFacts) {
  const word = progressOf(authentication);
  const { id, state, created_at, settled_at, code, ds_transaction_id, trans_status } = authentication;
  const text = findResult(code ?? '')?.description ?? null;
  return {
    _id: id,
    type: 'authentication',
    state: state === 'successful' || state === 'declined' ? state : 'requested',
    amount: toMajor(order.amount_minor, order.currency),
    currency: order.currency,
    request_date: created_at,
    request_status: word,
    request_response: text,
    request_result_date: settled_at,
    result_date: settled_at,
    result_status: word,
    result_response: text,
    partner_operation_id: ds_transaction_id,
    partner_result_code: trans_status,
    partner_result_description: text,
    operation_merchant_id: null,
    transaction: authentication.transaction_id,
    merchant_account: order.merchant_account_id,
    createdAt: created_at,
    createdBy: { name: 'api' },
    updatedAt: settled_at ?? created_at,
    updatedBy: { name: 'api' },
    request_id: authentication.request_id,
  };
}
