// Builds the rows of an attempt, once everything is known: where it starts, at which provider, with which card. Pure,
// except for ids and the clock.
import { type Refusal, refuseField } from '../../../core/refusals.ts';
import { type ResultName, result } from '../../../core/results.ts';
import { ORDER_STATUSES, type OrderStatus } from '../../../core/states.ts';
import type { RouteRequest } from '../../../kit/http/route.ts';
import { CVC_FIELD } from '../../checkout/methods.ts';
import { customerOf } from '../../customer/of-order.ts';
import type { Account } from '../../merchant/account.ts';
import { guardOf, guardOfOwn } from '../../declines/guard.ts';
import { initiatorOf } from '../../order-rules/initiator.ts';
import type { Assessed } from '../../risk/assess.ts';
import { takingContracts, wantedOf } from '../../routing/choose.ts';
import { type Choosing, chooseRoute } from '../../routing/decide.ts';
import { unauthenticated } from '../../routing/facts.ts';
import type { RouteKept } from '../../routing/note.ts';
import type { Tools } from '../../tools.ts';
import { type CardInfo, isNetworkToken } from '../../vault-link.ts';
import { newAuthentication } from '../authentication/begin.ts';
import type { OrderRequest } from './request.ts';
import type { NewOrder } from './accept-store.ts';
import type { Terms } from './terms.ts';

type Asked = RouteRequest<Account, OrderRequest, unknown>;

const ONE_SHOT = 'is one-shot: payment_channel recurring needs a token made with token_type recurring';

export function unusableToken(): Refusal {
  return refuseField('token', 'token_unusable', 'is unknown, used, expired or bound to another checkout');
}

/** Refusals that need to know the card: recurring use, cvc, contract (contract 6.3, 7.3, 11). */
export function refuseUse({ caller }: Asked, terms: Terms, card: CardInfo): void {
  const { settings, contracts } = caller;
  if (card.kind === 'oneshot' && terms.payment_channel === 'recurring')
    throw refuseField('token', 'token_unusable', ONE_SHOT);
  if (
    card.kind === 'recurring' &&
    terms.payment_channel === 'e-commerce' &&
    settings.require_cvc_for_saved_cards &&
    card.partner === null &&
    !card.has_cvc
  )
    throw refuseField(CVC_FIELD, 'parameter_missing', 'must be entered again for this saved card');
  refuseOtherAmount(terms, card);
  const named = terms.body['merchant_contract'];
  if (
    settings.strict_contract &&
    named !== undefined &&
    !contracts.some((contract) => contract.id === named || contract.name === named)
  )
    throw refuseField('merchant_contract', 'contract_unknown', 'is no contract of this account');
  const other = contracts.find(({ id, name }) => id === named || name === named);
  if (card.partner !== null && other && other.provider !== card.partner)
    throw refuseField('merchant_contract', 'contract_unknown', "is not with the token's partner");
}

/** Refuses an amount that differs from the amount that the payer approved in the wallet. */
function refuseOtherAmount({ amount_minor, currency }: Terms, { wallet }: CardInfo): void {
  if (!wallet || wallet.approved_minor === null) return;
  if (wallet.approved_currency !== currency)
    throw refuseField('currency', 'parameter_invalid', 'is not the one the payer approved in the wallet');
  if (BigInt(wallet.approved_minor) !== amount_minor)
    throw refuseField('amount', 'parameter_invalid', 'is not the one the payer approved in the wallet');
}

type Made = {
  readonly request: Asked;
  /** The scope of its Idempotency-Key. */
  readonly route: string;
  readonly terms: Terms;
  readonly card: CardInfo;
  readonly fingerprint: string;
  readonly token_hash: string;
  readonly risk: Assessed;
  /** Number of the transaction within its order, from 1. */
  readonly attempt: number;
  /** A later try, which no caller asked for; at the contract of the try before, where one is named. */
  readonly later?: { readonly contract_id: string | null };
};

export function newOrder(tools: Tools, made: Made): NewOrder {
  const { request, route, terms, card, fingerprint, token_hash, risk, later } = made;
  const scheme = card.schemes.find((brand) => brand === terms.body['payment_method_name']) ?? card.scheme;
  const { caller: account } = request;
  const now = tools.clock.now();
  const fate = risk.refused
    ? refusedByRisk(risk.refused)
    : initialState(tools, { account, terms: withAuthentication(terms, card), scheme, card, attempt: { ...made, now } });
  const provider = fate.contract ? tools.providers.get(fate.contract.provider) : undefined;
  const { demand } = fate;
  const { order_id, transaction_id } = risk;
  return {
    order_id,
    transaction_id,
    // an attempt has one authorization, and it carries the attempt's id
    operation_id: fate.status === 'authorization_requested' ? transaction_id : null,
    checkout_id: request.body.checkout_id ?? null,
    order_merchant_id: terms.order_merchant_id,
    amount_minor: terms.amount_minor,
    currency: terms.currency,
    body: JSON.stringify(bodyOf(terms, card)),
    fingerprint: fingerprint.slice(0, 32),
    now,
    status: fate.status,
    live: ORDER_STATUSES[fate.status].live,
    max_attempts: terms.max_attempts,
    provider: fate.contract?.provider ?? '',
    contract_id: fate.contract?.id ?? null,
    fallbacks: fate.fallbacks,
    token_hash,
    authentication: demand && {
      ...newAuthentication(tools, demand),
      lease_s: (tools.authenticator?.answer_deadline_s ?? 0) + 5,
    },
    // of a later try everything is known by the attempt before
    customer: later
      ? undefined
      : customerOf(tools, { ...terms, merchant_account_id: account.merchant_account_id, card }),
    payment_method_name: scheme,
    card,
    with_capture: terms.operation_type === 'direct_capture',
    lease_s: (provider?.can.answer_deadline_s ?? 0) + 5,
    code: result(fate.result).code,
    risk: risk.note,
    // a later try asks by itself which other orders are in its way
    unique: account.settings.unique_order_merchant_id && later === undefined,
    guard: fate.contract && ORDER_STATUSES[fate.status].live ? guardFor(tools, made, scheme) : undefined,
    held: null,
    chosen: fate.route,
    request_id: later ? null : request.request_id,
    key: request.idempotency_key === undefined ? undefined : { route, key: request.idempotency_key, fingerprint },
  };
}

function guardFor(
  { caps }: Pick<Tools, 'caps'>,
  { request: { caller, body }, terms, card, later }: Made,
  scheme: string,
) {
  const trying = {
    card: card.card_digest,
    scheme,
    initiator: initiatorOf({ body: terms.body, checkout_id: body.checkout_id ?? null }),
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    amount_minor: terms.amount_minor,
    currency: terms.currency,
    limitsOn: caps.limitsOn,
  };
  return later ? guardOfOwn(trying) : guardOf(caller.settings, trying);
}

/**
 * A network token was authenticated by its wallet: neither directory nor bank know its number. The card's own number
 * from a wallet was not, and goes through 3-D Secure whatever the order says.
 */
function withAuthentication(terms: Terms, card: CardInfo): Terms {
  if (isNetworkToken(card)) return { ...terms, authentication_indicator: 'no_3ds' };
  if (!isCardOfWallet(card)) return terms;
  return terms.authentication_indicator === 'no_3ds' ? { ...terms, authentication_indicator: 'ask_3ds' } : terms;
}

const isCardOfWallet = (card: CardInfo): boolean => Boolean(card.wallet) && !isNetworkToken(card);

/**
 * The order's own fields as they are stored; with the account's indicator, where nothing was said, and with what is
 * known of this attempt's card.
 */
function bodyOf({ own, body, authentication_indicator }: Terms, card: CardInfo): Readonly<Record<string, unknown>> {
  const { wallet_card: _, ...fields } = own;
  const is_said = body['authentication_indicator'] !== undefined || authentication_indicator === 'no_3ds';
  return {
    ...fields,
    ...(!is_said && { authentication_indicator }),
    ...(isCardOfWallet(card) && { wallet_card: true }),
  };
}

/**
 * The account's contracts whose provider accepts this kind of card or token and, if the request has one, a 3-D Secure
 * proof from elsewhere.
 */
function contractsFor({ providers }: Pick<Tools, 'providers'>, account: Account, { terms, card }: Paying) {
  return takingContracts(providers, account, {
    partner: card.partner,
    network_token: isNetworkToken(card),
    three_ds_data: terms.body['3ds_data'] !== undefined,
  });
}

type Paying = Pick<Made, 'terms' | 'card'>;

type InitialState = {
  readonly status: OrderStatus;
  readonly result: ResultName;
  readonly contract: Account['contracts'][number] | undefined;
  readonly fallbacks: Account['contracts'];
  readonly route: RouteKept | null;
  /** The payer is authenticated first. */
  readonly demand?: 'ask_3ds' | 'force_3ds';
};

function refusedByRisk(refused: ResultName): InitialState {
  return { status: 'risk_assessment_declined', result: refused, contract: undefined, fallbacks: [], route: null };
}

type Starting = Paying & {
  readonly account: Account;
  readonly scheme: string;
  readonly attempt: Pick<Made, 'request' | 'risk' | 'attempt' | 'later'> & { readonly now: Date };
};

/**
 * The initial state of the order: at a provider, or ended, because no contract fits or because it may not go on without
 * authentication.
 */
function initialState(tools: Tools, starting: Starting): InitialState {
  const { account, terms, card } = starting;
  const { partner } = card;
  const chosen = chooseRoute(tools, choosingOf(starting, contractsFor(tools, account, { terms, card })));
  if ('refused' in chosen) {
    const { refused, route } = chosen;
    return { status: 'authorization_declined', result: refused, contract: undefined, fallbacks: [], route };
  }
  // directory and bank are asked with a card's number, which a partner's token has not
  if (partner !== null && terms.authentication_indicator === 'force_3ds')
    return { status: 'authentication_declined', result: 'card_not_enrolled', ...chosen };
  const provider = tools.providers.get(chosen.contract.provider);
  // a provider that runs 3-D Secure itself sends the payer where it wants them
  const by_provider = provider?.can.three_ds.includes('redirect') === true;
  const demand = demandOf(terms, card);
  if (!by_provider && demand) return { status: 'created', result: 'authorization_pending', demand, ...chosen };
  return { status: 'authorization_requested', result: 'authorization_pending', ...chosen };
}

/**
 * Directory and bank are asked with a card's number; an authentication made elsewhere replaces our own (contract 7.1).
 */
function demandOf({ body, authentication_indicator: demand }: Terms, { partner }: CardInfo): InitialState['demand'] {
  if (partner !== null || body['3ds_data'] !== undefined) return undefined;
  return demand === 'ask_3ds' || demand === 'force_3ds' ? demand : undefined;
}

/** The question about the attempt for the routing. */
function choosingOf({ account, terms, scheme, card, attempt }: Starting, may: Choosing['may']): Choosing {
  const { amount_minor, currency, body } = terms;
  const { merchant_contract: named, customer_id } = body;
  const { first6, last4, kind, card_digest, partner } = card;
  const { note, order_id } = attempt.risk;
  return {
    account,
    may,
    wanted: wantedOf(body, { currency, payment_method_name: scheme }),
    named: attempt.later?.contract_id ?? (typeof named === 'string' ? named : undefined),
    attempt: {
      body,
      checkout_id: attempt.request.body.checkout_id ?? null,
      amount_minor,
      currency,
      scheme,
      first6,
      last4,
      at: attempt.now,
      token_type: kind,
      foreign: partner !== null,
      marked: note?.marked !== undefined,
      authentication: demandOf(terms, card) || body['3ds_data'] !== undefined ? undefined : unauthenticated(body),
      attempt: attempt.attempt,
    },
    subject: {
      order_id,
      attempt: attempt.attempt,
      customer_id: typeof customer_id === 'string' ? customer_id : null,
      card_digest,
    },
  };
}
