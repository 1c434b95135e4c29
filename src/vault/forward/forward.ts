// Forwards an operation to its provider with the card filled in; an authorization at most once. The order of things:
// the record is committed first, then the connection is opened, and the cvc is taken only when the body is written. A
// request that may have left is never reported as not sent.
import type { Forward, ForwardAnswer, Forwarded } from '../../core/link/verbs.ts';
import { sha256 } from '../../kit/crypto.ts';
import type { Exchange } from '../../kit/egress.ts';
import {
  type Step,
  areAllowed,
  bytesOf,
  goesThroughVault,
  problemOf,
  requestOf,
  stepOf,
} from '../../provider/send/call.ts';
import { type Destination, type Host, isHostOf } from '../../provider/send/destinations.ts';
import type { Credentials } from '../../provider/send/secret.ts';
import { isForPartner } from '../../provider/send/slots.ts';
import { type Transport, isUnreadable } from '../../provider/send/transport.ts';
import { tellSpan } from '../../kit/trace/spans.ts';
import { sawForward } from '../metrics/metrics.ts';
import { credentialsOf } from '../contracts/contracts.ts';
import { hideCryptogram } from './scrub/cryptogram.ts';
import { scrub } from './scrub/scrub.ts';
import { type CardSecrets, openCard } from '../card/sealed-card.ts';
import { RecordUnreadable, answerPlace, keyIdOf, openRecord, sealRecord } from '../keys/record.ts';
import { type BegunRow, type ForwardRow, beginOnce, findForward, updateForward } from './store.ts';
import type { VaultTools } from '../tools.ts';

export async function forward(tools: VaultTools, transport: Transport, asked: Forward): Promise<Forwarded> {
  const { request_id, order_id, operation_id, destination } = asked;
  const from = tools.clock.ticks();
  const done = await forwardOnce(tools, transport, asked);
  const ms = tools.clock.ticks() - from;
  const known = tools.destinations.get(destination) ? destination : 'none';
  sawForward({ destination: known, outcome: done.outcome, ms });
  const attributes = { 'florin.destination': known, 'florin.outcome': done.outcome };
  tellSpan({ name: 'vault forward', kind: 'internal', request_id, ms, attributes, failed: done.outcome === 'unknown' });
  const reason = 'reason' in done ? done.reason : undefined;
  tools.log.debug({ request_id, order_id, operation_id, destination, outcome: done.outcome, reason, ms }, 'forwarded');
  return done;
}

async function forwardOnce(tools: VaultTools, transport: Transport, asked: Forward): Promise<Forwarded> {
  const pinned = find(tools, asked);
  if ('problem' in pinned) return refuse(tools, asked, { problem: pinned.problem, reason: 'refused' });
  const { destination, step } = pinned;
  const credentials = await credentialsOf(tools, asked, step);
  if (!credentials) return { outcome: 'not_sent', reason: 'credentials' };
  if (!areAllowed(destination, step, credentials))
    return refuse(tools, asked, { problem: 'a credential is not one that is allowed', reason: 'credentials' });
  const from = tools.clock.ticks();
  const begun = await beginOnce(tools.db, {
    ...asked,
    environment: tools.environment,
    // a partner's token is good at that partner alone, and is no card (contract 6.4)
    partner: isForPartner(Object.values(step.slots)) ? asked.destination : null,
    digest: sha256(JSON.stringify([asked.destination, asked.step, asked.values, asked.body])).slice(0, 32),
  });
  if (!begun) return { outcome: 'not_sent', reason: 'token' };
  if (!begun.may_send) return sentBefore(tools, asked);
  tools.crash.at('vault_logged');
  // a process that was stopped for too long sends nothing: others may have taken its silence for its end
  const isLate = () => tools.clock.ticks() - from > LATE_MS;
  const card = isLate() ? undefined : await openBegun(tools, asked, begun);
  if (!card) return finish(tools, asked, NOT_SENT);
  return finish(tools, asked, await send(tools, transport, { ...pinned, asked, begun, card, credentials, isLate }));
}

/** `step` carries a card, or a partner's token, in its body. */
type Pinned = { readonly destination: Destination; readonly step: Step; readonly host: Host };

function find(tools: VaultTools, asked: Forward): Pinned | { readonly problem: string } {
  const destination = tools.destinations.get(asked.destination);
  const step = destination && stepOf(destination, asked.step);
  const host = step && destination.hosts[step.host];
  if (!host) return { problem: 'no such destination or step' };
  if (!goesThroughVault(step)) return { problem: 'the step carries no card' };
  if (!isHostOf(host, step)) return { problem: 'the host is not of the kind that the step wants' };
  const problem = problemOf(asked, destination, step);
  if (problem !== undefined) return { problem };
  return hasBody(step) ? { destination, step, host } : { problem: 'the step has no body' };
}

const hasBody = (step: Step): boolean => 'line' in step || step.content_type !== null;

function refuse(
  tools: VaultTools,
  { request_id, operation_id, merchant_account_id, destination }: Forward,
  { problem, reason }: { readonly problem: string; readonly reason: 'refused' | 'credentials' },
): Forwarded {
  tools.log.error(
    { request_id, operation_id, merchant_account_id, destination, problem },
    'a forward was refused: not as its destination is pinned',
  );
  return { outcome: 'not_sent', reason };
}

const NOT_SENT: Exchange = { kind: 'not_sent' };
/**
 * Nothing is sent. Either a network token has no cryptogram (the provider takes none, or an earlier try used it), or a
 * value is longer than its field.
 */
const REFUSED: Exchange = { kind: 'not_sent' };
/** The longest time between the record that the step is sent and the sending. */
const LATE_MS = 3000;

/**
 * Opens the token's card. Undefined: the record was changed, moved or sealed elsewhere; it is refused, not repaired.
 */
async function openBegun(tools: VaultTools, asked: Forward, begun: BegunRow): Promise<CardSecrets | undefined> {
  try {
    const key = await tools.keys.cardById(begun.data_key_id, asked.merchant_account_id);
    return openCard(Buffer.from(begun.sealed, 'hex'), { ...begun, ...asked, environment: tools.environment }, key);
  } catch (error) {
    if (error instanceof RecordUnreadable) await auditUnreadable(tools, asked.operation_id, asked.merchant_account_id);
    tools.log.error(
      { request_id: asked.request_id, operation_id: asked.operation_id, error: String(error) },
      'a stored card cannot be opened',
    );
    return undefined;
  }
}

async function auditUnreadable(tools: VaultTools, operation_id: string, merchant_account_id: string): Promise<void> {
  const detail = { merchant_account_id };
  await tools.audit.note(tools.db, {
    action: 'record failed to open',
    object: operation_id,
    result: 'refused',
    detail,
  });
}

type Sending = Pinned & {
  readonly asked: Forward;
  readonly begun: BegunRow;
  readonly card: CardSecrets;
  readonly credentials: Credentials;
  readonly isLate: () => boolean;
};

async function send(
  tools: VaultTools,
  transport: Transport,
  { asked, destination, step, host, begun, card, credentials, isLate }: Sending,
): Promise<Exchange> {
  const { network_token } = card;
  // the cvc is taken out, because the provider may know the authorization from here on; if nothing leaves, it is given
  // back
  const slots = Object.values(step.slots);
  const wanted = slots.includes(network_token ? 'card.cryptogram?' : 'card.cvc?');
  const taken = wanted ? await tools.cvcs.take(asked.token_hash, asked.checkout_id) : undefined;
  const digits = taken?.digits;
  if (network_token && !digits) {
    card.number.fill(0);
    card.holder.fill(0);
    return REFUSED;
  }
  let sent = false;
  let body: Buffer | null | undefined;
  const { holder, psp_customer } = isForPartner(slots) ? pspTokenParts(card) : { ...card, psp_customer: NONE };
  const values = {
    number: card.number,
    holder,
    psp_customer,
    cvc: network_token ? undefined : digits,
    cryptogram: network_token && digits,
    eci: network_token?.eci ?? '',
    exp_month: begun.exp_month,
    exp_year: begun.exp_year,
    credentials,
  };
  try {
    body = bytesOf(asked.step, { step, body: asked.body, values });
    if (!body) return unfit(tools, asked);
    // last, with nothing to wait for before the sending
    if (isLate()) return NOT_SENT;
    sent = true;
    const exchange = await transport.send(asked.destination, {
      ...requestOf(step, host, { values: asked.values, key: asked.key, credentials }),
      body,
      started: () => {
        tools.crash.at('vault_connected');
        tools.crash.during('vault_mid_write');
      },
      deadline_ms: Math.min(asked.deadline_ms, destination.deadline_ms),
    });
    tools.crash.at('vault_answered');
    sent = exchange.kind !== 'not_sent';
    if (exchange.kind === 'answered' && network_token && digits) hideCryptogram(exchange.body, digits);
    return exchange.kind === 'answered' ? checked(tools, { asked, step, card }, exchange) : exchange;
  } finally {
    body?.fill(0);
    if (taken && !sent) await tools.cvcs.giveBack(asked.token_hash, taken);
    else digits?.fill(0);
    card.number.fill(0);
    card.holder.fill(0);
  }
}

function unfit(tools: VaultTools, { request_id, operation_id, destination }: Forward): Exchange {
  tools.log.error({ request_id, operation_id, destination }, 'a value is longer than its field: nothing was sent');
  return REFUSED;
}

const NONE = Buffer.alloc(0);

/** The partner's customer (its length in front) and the name, both beside a partner's token (saved/psp-token.ts). */
function pspTokenParts({ holder: rest }: CardSecrets): { readonly psp_customer: Buffer; readonly holder: Buffer } {
  const length = rest.readUInt16BE(0);
  return { psp_customer: rest.subarray(2, 2 + length), holder: rest.subarray(2 + length) };
}

function checked(
  tools: VaultTools,
  { asked, step, card }: Pick<Sending, 'asked' | 'step' | 'card'>,
  exchange: Extract<Exchange, { kind: 'answered' }>,
): Exchange {
  const { request_id, operation_id, destination } = asked;
  if (isUnreadable(exchange)) {
    tools.log.error(
      { request_id, operation_id, destination, status: exchange.status },
      'an answer was redirected or compressed',
    );
    return { kind: 'unknown', why: 'unreadable' };
  }
  const cvc_place = Object.entries(step.slots).find(([, slot]) => slot === 'card.cvc?')?.[0];
  const { number } = card;
  const cvc_names = cvc_place === undefined ? [] : [cvc_place.slice(cvc_place.lastIndexOf('/') + 1)];
  const others = scrub(exchange.body, { number, references: step.references, cvc_names });
  if (others > 0)
    tools.log.error(
      { request_id, operation_id, destination, others },
      'an answer held card numbers that were not of its request',
    );
  return exchange;
}

async function finish(tools: VaultTools, asked: Forward, exchange: Exchange): Promise<Forwarded> {
  const { operation_id } = asked;
  if (exchange.kind === 'unknown') return { outcome: 'unknown', reason: exchange.why };
  if (exchange.kind === 'not_sent') {
    await updateForward(tools.db, { operation_id, state: 'not_sent', http_status: null, answer_sealed: null });
    return { outcome: 'not_sent', reason: exchange === REFUSED ? 'refused' : 'connect' };
  }
  const { status, body } = exchange;
  tools.answers.keep(operation_id, async () => {
    const key = await tools.keys.card(asked.merchant_account_id);
    const place = answerPlace(operation_id, asked.merchant_account_id);
    const answer_sealed = sealRecord(body, tools.chance.bytes(12), { key, place });
    await updateForward(tools.relaxed_db, { operation_id, state: 'answered', http_status: status, answer_sealed });
  });
  return { outcome: 'answered', status, body };
}

async function sentBefore(tools: VaultTools, asked: Forward): Promise<Forwarded> {
  const row = await findForward(tools.db, asked.operation_id);
  if (row?.state === 'tombstone' || row?.state === 'not_sent') return { outcome: 'not_sent', reason: 'tombstone' };
  const own = row?.merchant_account_id === asked.merchant_account_id;
  const answer = row && own ? await storedAnswer(tools, asked.operation_id, row) : undefined;
  return answer ? { outcome: 'already_sent', answer } : { outcome: 'already_sent' };
}

/** Undefined: none is stored, or it cannot be opened. */
export async function storedAnswer(
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
  try {
    const record = Buffer.from(row.answer_sealed, 'hex');
    const key = await tools.keys.cardById(keyIdOf(record), row.merchant_account_id);
    const place = answerPlace(operation_id, row.merchant_account_id);
    return { status: row.http_status, body: openRecord(record, { key, place }) };
  } catch (error) {
    if (!(error instanceof RecordUnreadable)) throw error;
    // an answer that cannot be opened counts as lost: the provider is asked again
    await auditUnreadable(tools, operation_id, row.merchant_account_id);
    return undefined;
  }
}
