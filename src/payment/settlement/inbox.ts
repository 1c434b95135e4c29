// POST /provider/{name}/events: what a provider tells on its own (engine.md 8.3). Signature checked on the raw bytes, stored,
// answered; then applied by the same pure decision as an answer. One of each event has an effect, in whatever order they come.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../../core/refusals.ts';
import type { Answer } from '../../kit/http/route.ts';
import type { Dispute, Message, Provider } from '../../provider/contract.ts';
import { takeAuthenticationMessage } from '../order/accept/conclude.ts';
import { isFinal } from '../order/decide/decision.ts';
import { expireAuthorization } from '../order/expiry/expire-authorization.ts';
import { ofCapture, saleOf } from '../order/engine/provider-call.ts';
import type { OperationFacts, OrderFacts } from '../order/facts/order-facts.ts';
import { findOrder } from '../order/facts/order-store.ts';
import { record } from '../order/engine/record.ts';
import type { Tools } from '../tools.ts';
import { isTimely } from './timely.ts';
import { type WaitingEvent, claimWaitingEvents, endEvent, findEventBody, insertEvent } from './store.ts';

export type ProviderMessageRequest = {
  readonly provider: string;
  readonly raw: Uint8Array;
  readonly headers: Readonly<Record<string, string | undefined>>;
};

/** What is done about a dispute; false: it does not fit the order. It is a noun of its own, which this one does not know. */
export type Disputing = (
  tools: Tools,
  order: OrderFacts,
  told: { readonly operation: OperationFacts; readonly provider: string; readonly dispute: Dispute },
) => Promise<boolean>;

export async function takeMessage(tools: Tools, posted: ProviderMessageRequest, disputing: Disputing): Promise<Answer> {
  const provider = tools.providers.get(posted.provider);
  const secret = tools.message_secrets.get(posted.provider);
  if (!provider?.messages || secret === undefined)
    throw new Refusal('route_unknown', { detail: 'no provider of this installation sends messages here' });
  if (!isSigned(provider, posted, secret))
    throw new Refusal('key_invalid', {
      detail: 'the signature of the message does not hold: check the secret that both sides use',
    });
  if (!isTimely(tools, posted.headers[provider.messages.signing.timestamp_header])) {
    tools.log.warn({ provider: provider.name }, 'a message of a provider was refused: its timestamp is not of now');
    throw new Refusal('key_invalid', { detail: 'the timestamp of the message is more than 300 s from now' });
  }
  // only the server that asks speaks for the payer's bank; another provider's signature says nothing of it
  const server = tools.authenticator?.name === provider.name ? tools.authenticator : undefined;
  const authentication = server?.readMessage(posted.raw);
  if (authentication) {
    // a word of the bank that cannot be kept is told again: it is final there, and here nothing hangs on its coming twice
    await takeAuthenticationMessage(tools, authentication);
    return TAKEN;
  }
  const message = provider.messages.read(posted.raw);
  // nothing of ours, or not yet understood: taken, so that it does not come again and again
  if (!message) return TAKEN;
  const { merchant_account_id, event_ref, order_id } = message;
  const db = tools.db.tenant(merchant_account_id);
  const event = { provider: provider.name, event_ref };
  const fresh = await insertEvent(db, { ...event, order_id, body: Buffer.from(posted.raw).toString('utf8') });
  if (fresh)
    void tools.running.start(order_id, event_ref, applyMessage(tools, { provider, message, disputing }), undefined);
  return TAKEN;
}

const TAKEN: Answer = { body: { received: true } };

function isSigned({ messages }: Provider, { raw, headers }: ProviderMessageRequest, secret: string): boolean {
  if (!messages) return false;
  const { timestamp_header, signature_header } = messages.signing;
  const given = Buffer.from(headers[signature_header] ?? '', 'hex');
  const wanted = createHmac('sha256', secret)
    .update(`${headers[timestamp_header] ?? ''}.`)
    .update(raw)
    .digest();
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/**
 * Takes up messages that were stored and not applied: their process died, or failed. Answers how many there were: one that fails again
 * holds up no other, and is looked at again behind them.
 */
export async function applyWaiting(tools: Tools, room: number, disputing: Disputing): Promise<number> {
  const waiting = await claimWaitingEvents(tools.db, room);
  for (const event of waiting) {
    const { provider, event_ref } = event;
    await applyStored(tools, event, disputing).catch((error: unknown) =>
      tools.log.error({ provider, event_ref, error: String(error) }, 'a message of a provider is left for later'),
    );
  }
  return waiting.length;
}

async function applyStored(tools: Tools, stored: WaitingEvent, disputing: Disputing): Promise<void> {
  const { provider: name, event_ref, merchant_account_id } = stored;
  const provider = tools.providers.get(name);
  const db = tools.db.tenant(merchant_account_id);
  const body = await findEventBody(db, { provider: name, event_ref });
  if (!provider?.messages || body === undefined) return;
  const message = provider.messages.read(Buffer.from(body));
  if (message) await applyMessage(tools, { provider, message, disputing });
  else await endEvent(db, { provider: name, event_ref, state: 'parked', reason: 'not understood any more' });
}

type Applying = { readonly provider: Provider; readonly message: Message; readonly disputing: Disputing };

async function applyMessage(tools: Tools, { provider, message, disputing }: Applying): Promise<void> {
  const db = tools.db.tenant(message.merchant_account_id);
  const event = { provider: provider.name, event_ref: message.event_ref };
  const order = await findOrder(db, message.order_id);
  const operation = order && operationOf(order, { ...message, provider: provider.name });
  if (!order || !operation) {
    tools.log.error(
      { ...event, order_id: message.order_id },
      'a provider tells of an operation that is not known here',
    );
    await endEvent(db, { ...event, state: 'parked', reason: 'no such operation' });
    return;
  }
  const reason = misfit(order, operation, { ...message, can: provider.can });
  if (reason !== undefined) {
    tools.log.error({ ...event, order_id: order.id, operation_id: operation.id }, `a provider tells of ${reason}`);
    await endEvent(db, { ...event, state: 'parked', reason });
    return;
  }
  if (message.news.kind === 'dispute') {
    const fits = await disputing(tools, order, { operation, provider: provider.name, dispute: message.news });
    const why = fits ? null : 'a dispute that does not fit the order';
    await endEvent(db, { ...event, state: fits ? 'applied' : 'parked', reason: why });
    return;
  }
  if (message.news.kind === 'lapsed') {
    const { merchant_account_id, order_id } = message;
    const done = await expireAuthorization(tools, { merchant_account_id, order_id, told: true });
    if (done) await endEvent(db, { ...event, state: 'applied', reason: null });
    return;
  }
  const sale_id = saleOf(order, operation, provider.can);
  const outcome = sale_id === undefined ? message.news : ofCapture(asSale(message), operation, sale_id);
  await record(tools, order, { operation, observation: { source: 'webhook', outcome } });
  await endEvent(db, { ...event, state: 'applied', reason: null });
}

/** What is told of the right operation and still is not its to move: a person must look. */
function misfit(
  order: OrderFacts,
  operation: OperationFacts,
  { news, can }: Message & Pick<Provider, 'can'>,
): string | undefined {
  // the end of an attempt that is over already says nothing of the one that holds the money now
  if (news.kind === 'lapsed' && isFinal(operation) && operation.id !== order.winner_id)
    return 'a lapse of an authorization that does not hold';
  if (news.kind !== 'corrected' || operation.state !== 'successful') return undefined;
  // a sale's capture is known by the reference of the sale
  const sale = order.operations.find(({ id }) => id === saleOf(order, operation, can));
  const done_by = operation.provider_ref ?? sale?.provider_ref;
  return news.reference === done_by ? undefined : 'a correction of what it did not do under that reference';
}

/** A message on a sale's capture speaks of the sale. */
function asSale({
  about,
  news,
}: Message): Message['news'] & { kind: Exclude<Message['news']['kind'], 'lapsed' | 'dispute'> } {
  if (news.kind === 'lapsed' || news.kind === 'dispute') throw new Error(`a ${news.kind} is no news of a capture`);
  return about === 'capture' && news.kind === 'approved' ? { ...news, captured: true } : news;
}

/** Of the provider that tells, and of the kind that it tells about: what another one was asked is not its to say. */
function operationOf(
  { operations, transactions }: OrderFacts,
  { about, our_reference, provider }: Message & { readonly provider: string },
): OperationFacts | undefined {
  const own = new Set(transactions.filter((one) => one.provider === provider).map(({ id }) => id));
  const named = operations.find(({ id, transaction_id }) => id === our_reference && own.has(transaction_id));
  if (about !== 'capture' || named?.kind !== 'authorize') return named?.kind === about ? named : undefined;
  return operations.find((o) => o.kind === 'capture' && o.target_id === our_reference);
}
