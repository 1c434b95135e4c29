// The vault on a host of its own: the same interface as in-process, over HTTPS with mutual TLS. The difference between
// answered, not sent and unknown is kept exactly: without a connection nothing was sent; once a byte of the request may
// have left, only the vault's own word counts, and a lost one is `unknown` (vault.md 2).
import { SCHEME_NAMES, type Scheme } from '../../core/card.ts';
import { Refusal } from '../../core/refusals.ts';
import type { Clock } from '../../kit/clock.ts';
import type { LinkAsk, LinkClient } from '../../kit/link/client.ts';
import type { Log } from '../../kit/log.ts';
import type { CardAnswer, ForwardAnswer, Forwarded, VaultLink } from '../vault-link.ts';

const QUESTION_MS = 2000;
const READY_MS = 1000;
const TOMBSTONE_MS = 6000;
/** What the vault itself may take around the provider's time: its commits before and after. */
const VAULT_MS = 6000;
/** Hints are gathered for so long and go together. */
const GATHER_MS = 20;
const MAX_GATHERED = 1000;

type Tools = { readonly link: LinkClient; readonly clock: Clock; readonly log: Log };

export function remoteLink(tools: Tools): VaultLink {
  const { link } = tools;
  return {
    forward: async ({ operation_id, ...forward }) => {
      const deadline_ms = forward.deadline_ms + VAULT_MS;
      const asked = { method: 'PUT', path: `/internal/forwards/${operation_id}`, body: forward, deadline_ms } as const;
      const exchange = await link.ask(asked);
      if (exchange.kind === 'not_sent') return { outcome: 'not_sent', reason: 'connect' };
      if (exchange.kind === 'unknown') return { outcome: 'unknown', reason: exchange.why };
      // refused as malformed, or from a host that may not: nothing was begun
      if (exchange.status === 400 || exchange.status === 403) return { outcome: 'not_sent', reason: 'refused' };
      if (exchange.status !== 200) throw new Error(`the vault answered a forward with ${exchange.status}`);
      return readForwarded(exchange.body) ?? { outcome: 'unknown', reason: 'unreadable' };
    },
    tombstone: async (operation_id) => {
      const path = `/internal/forwards/${operation_id}/tombstone`;
      const said = fieldsOf(await answerTo(link, { method: 'PUT', path, deadline_ms: TOMBSTONE_MS }));
      const sent = said('sent');
      if (typeof sent !== 'boolean') throw new Error('the vault answered a tombstone with something else');
      if (!sent) return { sent };
      const answer = readAnswer(said('answer'));
      return answer ? { sent, answer } : { sent };
    },
    settled: gathered(tools),
    card: async ({ token_hash, ...question }) => {
      const path = `/internal/cards/${token_hash}`;
      const said = await answerTo(link, { method: 'PUT', path, body: question, deadline_ms: QUESTION_MS }).catch(
        (error: unknown) => {
          tools.log.error({ error: String(error) }, 'the vault did not say what a card is');
          throw unavailable();
        },
      );
      return said === null ? undefined : readCard(said);
    },
    remove: async ({ token_hash, ...removal }) => {
      const path = `/internal/cards/${token_hash}`;
      const said = fieldsOf(await answerTo(link, { method: 'DELETE', path, body: removal, deadline_ms: QUESTION_MS }));
      return said('gone') === true;
    },
    ready: () =>
      answerTo(link, { method: 'GET', path: '/internal/ready', deadline_ms: READY_MS }).then(
        (said) => fieldsOf(said)('ready') === true,
        () => false,
      ),
    ...hostCalls(link),
  };
}

/** What is said of the host itself: who may call it, whose tokens may be brought, whose credentials go with cards, the sandbox's clock. */
function hostCalls(
  link: LinkClient,
): Pick<VaultLink, 'putApiKey' | 'putPartner' | 'keepCredentials' | 'removeApiKey' | 'moveClock'> {
  return {
    putApiKey: async ({ id, ...key }) => {
      const asked = { method: 'PUT', path: `/internal/api_keys/${id}`, body: key, deadline_ms: QUESTION_MS } as const;
      await answerTo(link, asked);
    },
    putPartner: async (merchant_account_id, name) => {
      const path = `/internal/partners/${merchant_account_id}/${name}`;
      await answerTo(link, { method: 'PUT', path, deadline_ms: QUESTION_MS });
    },
    keepCredentials: async ({ contract_id, ...of }) => {
      const path = `/internal/contracts/${contract_id}/credentials`;
      const said = fieldsOf(await answerTo(link, { method: 'PUT', path, body: of, deadline_ms: QUESTION_MS }));
      return said('kept') === true;
    },
    removeApiKey: async (id) => {
      await answerTo(link, { method: 'DELETE', path: `/internal/api_keys/${id}`, deadline_ms: QUESTION_MS });
    },
    moveClock: async (shift_ms) => {
      await answerTo(link, { method: 'PUT', path: '/internal/clock', body: { shift_ms }, deadline_ms: QUESTION_MS });
    },
  };
}

/** The vault is asked before anything is stored, so this request left nothing behind (contract 7.3). */
function unavailable(): Refusal {
  return new Refusal('unavailable', {
    detail: 'the vault cannot be reached; nothing was accepted, and the token was not spent',
    headers: { 'retry-after': '2' },
  });
}

async function answerTo(link: LinkClient, asked: LinkAsk): Promise<unknown> {
  const exchange = await link.ask(asked);
  if (exchange.kind !== 'answered' || exchange.status !== 200)
    throw new Error(`the vault did not answer: ${exchange.kind === 'answered' ? exchange.status : exchange.kind}`);
  return parse(exchange.body);
}

/** One call for all hints of a moment. When it is lost, the vault keeps the answers for a while: nothing hangs on it. */
function gathered({ link, clock, log }: Tools): (operation_id: string) => void {
  let waiting: string[] = [];
  const send = async () => {
    await clock.sleep(GATHER_MS);
    const operation_ids = waiting.slice(0, MAX_GATHERED);
    waiting = [];
    const asked = {
      method: 'PUT',
      path: '/internal/settled',
      body: { operation_ids },
      deadline_ms: QUESTION_MS,
    } as const;
    const { kind } = await link.ask(asked);
    if (kind !== 'answered') log.debug({ kind }, 'the vault was not told which answers are settled');
  };
  return (operation_id) => {
    waiting.push(operation_id);
    if (waiting.length === 1) void send();
  };
}

const REASONS = {
  not_sent: ['token', 'refused', 'credentials', 'tombstone', 'connect'],
  unknown: ['timeout', 'closed', 'unreadable'],
} as const;

/** Undefined: not an answer of this language, so nothing is known. */
function readForwarded(body: Uint8Array): Forwarded | undefined {
  const said = fieldsOf(parse(body));
  const [outcome, reason] = [said('outcome'), said('reason')];
  if (outcome === 'answered') {
    const answer = readAnswer({ status: said('status'), body: said('body') });
    return answer && { outcome, ...answer };
  }
  if (outcome === 'already_sent') {
    const answer = readAnswer(said('answer'));
    return answer ? { outcome, answer } : { outcome };
  }
  if (outcome === 'not_sent') {
    const known = REASONS.not_sent.find((name) => name === reason);
    return known && { outcome, reason: known };
  }
  const known = REASONS.unknown.find((name) => name === reason);
  return outcome === 'unknown' && known ? { outcome, reason: known } : undefined;
}

function readAnswer(value: unknown): ForwardAnswer | undefined {
  const said = fieldsOf(value);
  const [status, body] = [said('status'), said('body')];
  if (typeof status !== 'number' || typeof body !== 'string') return undefined;
  return { status, body: Buffer.from(body, 'base64') };
}

function readCard(value: unknown): CardAnswer {
  const said = fieldsOf(value);
  const text = (name: string) => expected(name, said(name), (found) => typeof found === 'string');
  const number = (name: string) => expected(name, said(name), (found) => typeof found === 'number');
  const maybe = <T>(name: string, read: (name: string) => T) => (said(name) === null ? null : read(name));
  const [kind, schemes, risk] = [text('kind'), said('schemes'), said('sandbox_risk')];
  if ((kind !== 'oneshot' && kind !== 'recurring') || !Array.isArray(schemes))
    throw new Error('the vault answered a card question with something else');
  return {
    kind,
    scheme: schemeOf(text('scheme')),
    schemes: schemes.map(schemeOf),
    first6: maybe('first6', text),
    last4: maybe('last4', text),
    exp_month: maybe('exp_month', number),
    exp_year: maybe('exp_year', number),
    card_unique_id: maybe('card_unique_id', text),
    partner: maybe('partner', text),
    // a host of the version before does not say it
    subscription_id: said('subscription_id') === undefined ? null : maybe('subscription_id', text),
    has_cvc: expected('has_cvc', said('has_cvc'), (found) => typeof found === 'boolean'),
    ...(typeof risk === 'string' && { sandbox_risk: risk }),
  };
}

function expected<T>(name: string, value: unknown, is: (found: unknown) => found is T): T {
  if (is(value)) return value;
  throw new Error(`the vault answered a card question without ${name}`);
}

function schemeOf(value: unknown): Scheme {
  const scheme = SCHEME_NAMES.find((name) => name === value);
  if (!scheme) throw new Error('the vault answered a scheme that is none');
  return scheme;
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A reader of own members; of anything but an object, none. */
function fieldsOf(value: unknown): (name: string) => unknown {
  const fields = new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  return (name) => fields.get(name);
}
