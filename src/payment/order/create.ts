// POST /payment/order, the story: what is asked, may it be, store the intent, send it, answer what is known by then.
import { Refusal, refuseField } from '../../core/refusals.ts';
import { type ResultName, result } from '../../core/results.ts';
import { ORDER_STATUSES, type OrderStatus } from '../../core/states.ts';
import { sha256 } from '../../kit/crypto.ts';
import { afterCommit, violated } from '../../kit/database.ts';
import type { Answer, Incoming } from '../../kit/http/route.ts';
import { CVC_FIELD } from '../checkout/methods.ts';
import { mismatch } from '../checkout/create.ts';
import type { Account } from '../merchant/account.ts';
import { customerOf, usableCard } from '../customer/of-order.ts';
import { type Assessed, assess } from '../risk/assess.ts';
import { chooseContract, wantedOf, withPartner } from '../routing/choose.ts';
import type { Tools } from '../tools.ts';
import type { CardInfo } from '../vault-link.ts';
import { acceptedFacts } from './accepted.ts';
import { answerOrder, answerStored, getOrder } from './answer.ts';
import { refuseInProcess } from './attempt/in-process.ts';
import { newAuthentication } from './attempt/soft-decline.ts';
import { endWaiting } from './authentication/conclude.ts';
import type { OrderFacts } from './read/facts.ts';
import { type OrderContext, findOrderContext } from './read/store.ts';
import type { OrderRequest } from './request.ts';
import { type NewOrder, acceptAuthenticated, acceptOrder } from './store.ts';
import { type Started, authenticate, submit } from './submit.ts';
import { type Terms, readTerms, refuseSubscription } from './terms.ts';

type OrderIncoming = Incoming<Account, OrderRequest, unknown>;

/** How often an order is looked at again when another request got in between; each time something has changed. */
const MAX_ROUNDS = 5;

export async function createOrder(tools: Tools, request: OrderIncoming): Promise<Answer> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const answer = await tryCreate(tools, request);
    if (answer) return answer;
  }
  throw new Error('an order could neither be accepted nor refused');
}

/** Undefined: another request was quicker; the next round finds what it left. */
async function tryCreate(tools: Tools, request: OrderIncoming): Promise<Answer | undefined> {
  const db = tools.db.tenant(request.caller.merchant_account_id);
  const fingerprint = sha256(request.canonical());
  const token_hash = request.body.token === undefined ? null : sha256(Buffer.from(request.body.token, 'hex'));
  const look = () => findOrderContext(db, questionOf(request, token_hash));
  const context = await look();
  const earlier = earlierOrder(context, fingerprint);
  if (earlier) return answerStored(tools, request, earlier);
  const terms = readTerms(request, context);
  await refuseInProcess(db, context.in_process, request.body.checkout_id ?? null);
  const card = await findCard(tools, request, token_hash ?? '');
  if (!card || context.spent_by !== null) {
    // an equal request may have spent the token since: then its order is the answer. Every unusable token takes this way,
    // so that none can be told from another by content or time (contract 2.5)
    const made = earlierOrder(await look(), fingerprint);
    if (made) return answerStored(tools, request, made);
    throw unusableToken();
  }
  refuseUse(request, terms, card);
  await refuseSubscription(db, request.body, { ...context, card });
  const risk = await assess(tools, { account: request.caller, order_id: tools.chance.id(), terms, card });
  const route = routeOf(request);
  const order = newOrder(tools, { request, route, terms, card, fingerprint, token_hash: token_hash ?? '', risk });
  if (context.waiting) await endWaiting(tools, request.caller.merchant_account_id, context.waiting);
  tools.crash.at('t1_before');
  const accepting = () =>
    order.authentication
      ? acceptAuthenticated(tools.db, request.caller.merchant_account_id, order)
      : acceptOrder(db, order);
  if (!(await accepted(accepting))) return undefined;
  tools.crash.at('t1_committed');
  const { merchant_account_id } = request.caller;
  return afterCommit(async () => {
    const facts = order.authentication
      ? await getOrder(tools, merchant_account_id, order.order_id)
      : acceptedFacts(order, terms, merchant_account_id);
    return answerOrder(tools, request, { facts, ...startOrder(tools, facts, { order, account: request.caller }) });
  });
}

/** What an attempt that was accepted begins with: directory and bank, or the provider, or nothing. */
export function startOrder(
  tools: Tools,
  facts: OrderFacts,
  {
    order,
    account,
  }: {
    readonly order: Pick<NewOrder, 'authentication' | 'operation_id' | 'token_hash' | 'fallbacks'>;
    readonly account: Account;
  },
): Started {
  const { token_hash, fallbacks, operation_id } = order;
  const submitted = { account, token_hash, fallbacks };
  if (order.authentication) return authenticate(tools, facts, submitted);
  const asked = Promise.resolve(facts);
  return { asked, settled: operation_id === null ? asked : submit(tools, facts, { ...submitted, operation_id }) };
}

/** An Idempotency-Key belongs to the account, the method and the full path (contract 2.9). */
const routeOf = ({ path }: OrderIncoming): string => `POST ${path}`;

function questionOf(request: OrderIncoming, token_hash: string | null): Parameters<typeof findOrderContext>[1] {
  const { body, caller, idempotency_key } = request;
  return {
    checkout_id: body.checkout_id ?? null,
    token_hash,
    order_merchant_id: body.order_merchant_id ?? null,
    route: routeOf(request),
    key: idempotency_key ?? null,
    unique: caller.settings.unique_order_merchant_id,
  };
}

/** The order an Idempotency-Key or a spent one-shot token already made, when the request is the same one. */
function earlierOrder(context: OrderContext, fingerprint: string): string | undefined {
  if (context.used_key) {
    if (context.used_key.fingerprint !== fingerprint) throw mismatch();
    return context.used_key.object_id;
  }
  const same = context.spent_by !== null && context.spent_fingerprint === fingerprint.slice(0, 32);
  return same ? (context.spent_by ?? undefined) : undefined;
}

export function findCard(tools: Tools, request: OrderIncoming, token_hash: string): Promise<CardInfo | undefined> {
  return usableCard(tools, {
    token_hash,
    merchant_account_id: request.caller.merchant_account_id,
    checkout_id: request.body.checkout_id ?? null,
  });
}

export function unusableToken(): Refusal {
  return refuseField('token', 'token_unusable', 'is unknown, used, expired or bound to another checkout');
}

/** Refusals that need to know the card: recurring use, cvc, contract (contract 6.3, 7.3, 11). */
export function refuseUse({ caller }: OrderIncoming, terms: Terms, card: CardInfo): void {
  const { settings, contracts } = caller;
  if (card.kind === 'oneshot' && terms.payment_channel === 'recurring') throw unusableToken();
  if (
    card.kind === 'recurring' &&
    terms.payment_channel === 'e-commerce' &&
    settings.require_cvc_for_saved_cards &&
    card.partner === null &&
    !card.has_cvc
  )
    throw refuseField(CVC_FIELD, 'parameter_missing', 'must be entered again for this saved card');
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

type Made = {
  readonly request: OrderIncoming;
  /** What its Idempotency-Key belongs to. */
  readonly route: string;
  readonly terms: Terms;
  readonly card: CardInfo;
  readonly fingerprint: string;
  readonly token_hash: string;
  readonly risk: Assessed;
};

export function newOrder(tools: Tools, { request, route, terms, card, fingerprint, token_hash, risk }: Made): NewOrder {
  const scheme = card.schemes.find((brand) => brand === terms.body['payment_method_name']) ?? card.scheme;
  const { caller: account } = request;
  const fate = risk.refused
    ? refusedByRisk(risk.refused)
    : fateOf(tools, { account, terms, scheme, partner: card.partner });
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
    body: JSON.stringify(bodyOf(terms)),
    fingerprint: fingerprint.slice(0, 32),
    now: tools.clock.now(),
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
    customer: customerOf(tools, {
      merchant_account_id: request.caller.merchant_account_id,
      body: terms.body,
      own: terms.own,
      token: terms.token,
      card,
    }),
    payment_method_name: scheme,
    card,
    with_capture: terms.operation_type === 'direct_capture',
    lease_s: (provider?.can.answer_deadline_s ?? 0) + 5,
    code: result(fate.result).code,
    risk: risk.note,
    request_id: request.request_id,
    key: request.idempotency_key === undefined ? undefined : { route, key: request.idempotency_key, fingerprint },
  };
}

/** The order's own fields as they are stored; with the indicator that holds, where a reader would take another one. */
function bodyOf({ own, body, authentication_indicator }: Terms): Readonly<Record<string, unknown>> {
  const said = body['authentication_indicator'] ?? 'no_3ds';
  return said === authentication_indicator ? own : { ...own, authentication_indicator };
}

type Fate = {
  readonly status: OrderStatus;
  readonly result: ResultName;
  readonly contract: Account['contracts'][number] | undefined;
  readonly fallbacks: Account['contracts'];
  /** The payer is authenticated first. */
  readonly demand?: 'ask_3ds' | 'force_3ds';
};

function refusedByRisk(refused: ResultName): Fate {
  return { status: 'risk_assessment_declined', result: refused, contract: undefined, fallbacks: [] };
}

/** Where the order starts: at a provider, or ended because none fits or because it may not go on without authentication. */
function fateOf(
  tools: Pick<Tools, 'providers'>,
  {
    account,
    terms,
    scheme,
    partner,
  }: Pick<Made, 'terms'> & { account: Account; scheme: string; partner: string | null },
): Fate {
  const wanted = wantedOf(terms.body, { currency: terms.currency, payment_method_name: scheme });
  const named = terms.body['merchant_contract'];
  const takes = partner === null || tools.providers.get(partner)?.can.foreign_token === true;
  const may = partner === null ? account : withPartner(account, takes ? partner : '');
  const chosen = chooseContract(may, wanted, typeof named === 'string' ? named : undefined);
  if ('refused' in chosen)
    return { status: 'authorization_declined', result: chosen.refused, contract: undefined, fallbacks: [] };
  const { authentication_indicator: demand } = terms;
  // directory and bank are asked with a card's number, which a partner's token has not
  if (partner !== null && demand === 'force_3ds')
    return { status: 'authentication_declined', result: 'card_not_enrolled', ...chosen };
  // an authentication made elsewhere replaces our own (contract 7.1)
  if (partner === null && terms.body['3ds_data'] === undefined && (demand === 'ask_3ds' || demand === 'force_3ds'))
    return { status: 'created', result: 'authorization_pending', demand, ...chosen };
  return { status: 'authorization_requested', result: 'authorization_pending', ...chosen };
}

const RACES = new Set(['one_shot_once', 'one_live_order', 'one_at_provider']);

/** False: a natural key refused it (contract 2.9), so another request was quicker. */
export async function accepted(store: () => Promise<boolean>): Promise<boolean> {
  try {
    return await store();
  } catch (error) {
    if (RACES.has(violated(error) ?? '')) return false;
    throw error;
  }
}
