// Sends an operation with the card filled in, at most once for an authorization (vault.md 6): the record first, committed;
// then the connection; the cvc only when the body is asked for; and what may have left is never called not sent.
import { open, seal, sha256 } from '../../kit/crypto.ts';
import type { Egress, Exchange } from '../../kit/egress.ts';
import { type Destination, MAX_ANSWER_BYTES, MAX_BODY_BYTES } from './destinations.ts';
import { type CardSecrets, openCard } from '../card/sealed-card.ts';
import { type BegunRow, type ForwardRow, beginOnce, findForward, insertTombstone, updateForward } from '../store.ts';
import { type Part, slotsOf, writeBody } from './template.ts';
import type { VaultTools } from '../tools.ts';

export type Forward = {
  readonly operation_id: string;
  readonly order_id: string;
  readonly merchant_account_id: string;
  readonly token_hash: string;
  readonly checkout_id: string | null;
  readonly destination: string;
  readonly route: string;
  readonly body: readonly Part[];
  readonly key: string;
  readonly deadline_ms: number;
};

export type ForwardAnswer = { readonly status: number; readonly body: Uint8Array };
export type Forwarded =
  | ({ readonly outcome: 'answered' } & ForwardAnswer)
  | { readonly outcome: 'not_sent'; readonly reason: 'token' | 'refused' | 'tombstone' | 'connect' }
  | { readonly outcome: 'already_sent'; readonly answer?: ForwardAnswer }
  | { readonly outcome: 'unknown'; readonly reason: 'timeout' | 'closed' | 'unreadable' };

export async function forward(tools: VaultTools, egress: Egress, asked: Forward): Promise<Forwarded> {
  const destination = tools.destinations.get(asked.destination);
  const route =
    destination && Object.hasOwn(destination.routes, asked.route) ? destination.routes[asked.route] : undefined;
  if (!destination || !route || !isAllowed(asked.body, route.slots)) {
    tools.log.error(
      { operation_id: asked.operation_id, destination: asked.destination },
      'a forward was refused: not as its destination is pinned',
    );
    return { outcome: 'not_sent', reason: 'refused' };
  }
  const begun = await beginOnce(tools.db, {
    ...asked,
    environment: tools.environment,
    digest: sha256(JSON.stringify([asked.destination, asked.route, asked.body])).slice(0, 32),
  });
  if (!begun) return { outcome: 'not_sent', reason: 'token' };
  if (!begun.may_send) return sentBefore(tools, asked);
  const card = await openBegun(tools, asked, begun);
  const exchange = card ? await send(tools, egress, { asked, destination, path: route.path, begun, card }) : NOT_SENT;
  return finish(tools, asked, exchange);
}

const NOT_SENT: Exchange = { kind: 'not_sent' };

/** Undefined: the record does not open, so it was changed, moved or sealed elsewhere. It is refused, not repaired. */
async function openBegun(tools: VaultTools, asked: Forward, begun: BegunRow): Promise<CardSecrets | undefined> {
  const key = await tools.keys.card(asked.merchant_account_id);
  try {
    return openCard(Buffer.from(begun.sealed, 'hex'), { ...begun, ...asked, environment: tools.environment }, key);
  } catch (error) {
    tools.log.error(
      { operation_id: asked.operation_id, error: String(error) },
      'a stored card does not open: it was changed',
    );
    return undefined;
  }
}

type Sending = {
  readonly asked: Forward;
  readonly destination: Destination;
  readonly path: string;
  readonly begun: BegunRow;
  readonly card: CardSecrets;
};

async function send(
  tools: VaultTools,
  egress: Egress,
  { asked, destination, path, begun, card }: Sending,
): Promise<Exchange> {
  const cvc = tools.cvcs.copy(asked.token_hash, asked.checkout_id);
  const body = writeBody(asked.body, { ...card, cvc, exp_month: begun.exp_month, exp_year: begun.exp_year });
  try {
    const exchange = await egress.exchange({
      method: 'POST',
      origin: destination.base_url,
      path,
      headers: { 'content-type': 'application/json', accept: 'application/json', 'idempotency-key': asked.key },
      body,
      // from here on the authorization may be known: its cvc is gone. Before, another provider may still be tried with it
      started: () => tools.cvcs.destroy(asked.token_hash, asked.checkout_id),
      deadline_ms: asked.deadline_ms,
      max_answer_bytes: MAX_ANSWER_BYTES,
    });
    return exchange.kind === 'answered' ? { ...exchange, body: scrubbed(exchange.body, card) } : exchange;
  } finally {
    body.fill(0);
    cvc?.fill(0);
    card.number.fill(0);
    card.holder.fill(0);
  }
}

async function finish(tools: VaultTools, asked: Forward, exchange: Exchange): Promise<Forwarded> {
  const { operation_id } = asked;
  if (exchange.kind === 'unknown') return { outcome: 'unknown', reason: exchange.why };
  if (exchange.kind === 'not_sent') {
    await updateForward(tools.db, { operation_id, state: 'not_sent', http_status: null, answer_sealed: null });
    return { outcome: 'not_sent', reason: 'connect' };
  }
  const { status, body } = exchange;
  tools.answers.keep(operation_id, async () => {
    const { key } = await tools.keys.card(asked.merchant_account_id);
    const answer_sealed = seal(body, tools.chance.bytes(12), { key, aad: answerAad(operation_id) });
    await updateForward(tools.relaxed_db, { operation_id, state: 'answered', http_status: status, answer_sealed });
  });
  return { outcome: 'answered', status, body };
}

async function sentBefore(tools: VaultTools, asked: Forward): Promise<Forwarded> {
  const row = await findForward(tools.db, asked.operation_id);
  if (row?.state === 'tombstone' || row?.state === 'not_sent') return { outcome: 'not_sent', reason: 'tombstone' };
  const answer = row && (await storedAnswer(tools, asked.operation_id, row));
  return answer ? { outcome: 'already_sent', answer } : { outcome: 'already_sent' };
}

/** After this the operation can never be sent. One insert races the forward on the primary key: exactly one wins. */
export async function tombstone(
  tools: VaultTools,
  operation_id: string,
): Promise<{ readonly sent: false } | { readonly sent: true; readonly answer?: ForwardAnswer }> {
  await tools.answers.flush(operation_id);
  if (await insertTombstone(tools.db, operation_id)) return { sent: false };
  const row = await findForward(tools.db, operation_id);
  if (row?.state === 'tombstone' || row?.state === 'not_sent') return { sent: false };
  const answer = row && (await storedAnswer(tools, operation_id, row));
  return answer ? { sent: true, answer } : { sent: true };
}

async function storedAnswer(
  tools: VaultTools,
  operation_id: string,
  row: ForwardRow,
): Promise<ForwardAnswer | undefined> {
  if (
    row.state !== 'answered' ||
    row.answer_sealed === null ||
    row.http_status === null ||
    row.merchant_account_id === null
  )
    return undefined;
  const { key } = await tools.keys.card(row.merchant_account_id);
  return {
    status: row.http_status,
    body: open(Buffer.from(row.answer_sealed, 'hex'), { key, aad: answerAad(operation_id) }),
  };
}

function answerAad(operation_id: string): string {
  return `answer|${operation_id}`;
}

/** Slots stand only where the destination's table names them, each at most once, and the body is not too large. */
function isAllowed(body: readonly Part[], allowed: readonly string[]): boolean {
  const slots = slotsOf(body);
  const size = body.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 64), 0);
  return (
    size <= MAX_BODY_BYTES && new Set(slots).size === slots.length && slots.every((slot) => allowed.includes(slot))
  );
}

/** The number, wherever a provider repeats it in its answer, becomes `#`. */
function scrubbed(body: Buffer, { number }: CardSecrets): Buffer {
  for (let at = body.indexOf(number); at >= 0; at = body.indexOf(number, at)) body.fill(0x23, at, at + number.length);
  return body;
}
