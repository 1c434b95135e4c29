// Sends steps of the table over a real socket, with the slots filled by hand, and hears messages: what the sender and
// the inbox of the product do. Every request, answer and message is held against the specification, where that is here.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { adyen } from '../../src/provider/adyen/adyen.ts';
import { STEPS, type StepName } from '../../src/provider/adyen/steps.ts';
import type { Answer, Facts, Kept, Template } from '../../src/provider/contract.ts';
import type { Notice, SignatureRecipe } from '../../src/provider/notices.ts';
import { type Adyen, type AdyenSettings, openAdyen } from '../../src/simulators/adyen/adyen.ts';
import { HERE, answerProblems, messageProblems, pathOf, requestProblems } from './specification.ts';

export const ACCOUNT = {
  merchant_account: 'FlorinTest',
  api_key: 'AQE-test-key',
  hmac_key: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
} as const;

export type Values = Readonly<Record<string, string | undefined>>;
export const CARD: Values = {
  'card.number': '4111111111111111',
  'card.cvc?': '737',
  'card.holder?': 'Ada Lovelace',
  'card.expiry_month': '03',
  'card.expiry_year': '2030',
};

/** A body with its holes filled; what has nothing to say is left out with its member. */
export function filled(template: Template, values: Values): string {
  const text = template
    .map((part) => (typeof part === 'string' ? part : JSON.stringify(`\ue000${part.slot}`)))
    .join('');
  return JSON.stringify(walk(JSON.parse(text), values));
}

function walk(value: unknown, values: Values): unknown {
  if (typeof value === 'string' && value.startsWith('\ue000')) return values[value.slice(1)];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, walk(item, values)]));
}

export type Sent = Answer | 'refused' | 'lost';
export type Stepping = { readonly facts: Facts; readonly kept?: Kept; readonly key?: string; readonly values?: Values };

/** What is wrong with what went over the wire, by the specification. */
export const problems: string[] = [];

export function makeSender(url: string, deadline_ms = 2_000) {
  return async (step: StepName, { facts, kept = {}, key, values = {} }: Stepping): Promise<Sent> => {
    const written = adyen.write(step, facts, kept);
    if (written === undefined) throw new Error(`${step} cannot be said`);
    const row = STEPS[step];
    const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(written.values[name] ?? ''));
    const secrets = { 'secret.merchant_account': ACCOUNT.merchant_account, 'secret.api_key': ACCOUNT.api_key };
    const body = filled(written.body, { ...CARD, ...secrets, ...values });
    const headers = {
      'x-api-key': values['secret.api_key'] ?? ACCOUNT.api_key,
      'idempotency-key': key ?? `${facts.operation_id}-${step}`,
      'content-type': row.content_type,
      accept: row.headers.accept,
    };
    if (HERE) problems.push(...requestProblems(pathOf(path), JSON.parse(body)).map((one) => `${step}: ${one}`));
    const answer = await post(`${url}${path}`, { headers, body, deadline_ms });
    if (HERE && typeof answer === 'object') check(pathOf(path), answer);
    return answer;
  };
}

function check(path: string, { status, body }: Answer): void {
  const text = Buffer.from(body).toString('utf8');
  // what is no JSON, or a status of a proxy, is no answer of theirs
  if (!text.endsWith('}') || status === 429) return;
  problems.push(...answerProblems(path, status, JSON.parse(text)).map((one) => `${path} ${status}: ${one}`));
}

type Posted = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly deadline_ms: number;
};

function post(url: string, { headers, body, deadline_ms }: Posted): Promise<Sent> {
  const { promise, resolve } = Promise.withResolvers<Sent>();
  const sent = request(url, { method: 'POST', headers, agent: false }, (answer) => {
    const pieces: Buffer[] = [];
    answer.on('data', (piece: Buffer) => pieces.push(piece));
    answer.on('error', () => resolve('lost'));
    answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(pieces) }));
  });
  const timer = setTimeout(() => sent.destroy(), deadline_ms);
  sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'lost'));
  sent.on('close', () => {
    clearTimeout(timer);
    resolve('lost');
  });
  sent.end(body);
  return promise;
}

/** As the kit does: computed with the contract's secret, compared in constant time. */
export function isProved(proof: SignatureRecipe, secret: string): boolean {
  if (proof.kind !== 'hmac') return false;
  const wanted = createHmac('sha256', Buffer.from(secret, proof.secret_form === 'hex' ? 'hex' : 'utf8'))
    .update(proof.over)
    .digest();
  return proof.given.some((text) => {
    const given = Buffer.from(text, proof.given_form);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

/** Each item as a message of its own: the schema is one of its event. */
function itemsOf(raw: Buffer): readonly object[] {
  const { live, notificationItems } = JSON.parse(raw.toString('utf8')) as { live: string; notificationItems: object[] };
  return notificationItems.map((item) => ({ live, notificationItems: [item] }));
}

/** An Adyen, and an inbox that it delivers to. */
export async function openWorld(settings: Partial<AdyenSettings> = {}) {
  const notices: Notice[] = [];
  const bodies: string[] = [];
  const state = { now_ms: Date.parse('2026-03-01T10:00:00Z'), accepts: true };
  const inbox = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => {
      if (!state.accepts) return void response.writeHead(503).end();
      const raw = Buffer.concat(pieces);
      if (HERE)
        problems.push(
          ...itemsOf(raw)
            .flatMap(messageProblems)
            .map((one) => `message: ${one}`),
        );
      bodies.push(raw.toString('utf8'));
      notices.push(...(adyen.notices?.open(raw, incoming.headers as Record<string, string>) ?? []));
      response.end(adyen.notices?.accepted.body);
    });
  });
  inbox.listen(0, '127.0.0.1');
  await once(inbox, 'listening');
  const webhook_url = `http://127.0.0.1:${listeningPort(inbox)}/`;
  const accounts = [{ ...ACCOUNT, webhook_url }];
  const simulator: Adyen = await openAdyen({ port: 0, now: () => state.now_ms, accounts, ...settings });
  const control = async (path: string, body: object = {}): Promise<unknown> => {
    const answer = await fetch(`${simulator.control_url}/control/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`control ${path}: ${answer.status}`);
    return await answer.json();
  };
  const books = async () => (await control('books')) as Books;
  const close = async () => {
    await simulator.close();
    inbox.close();
    inbox.closeAllConnections();
  };
  return {
    simulator,
    inbox_url: webhook_url.slice(0, -1),
    notices,
    bodies,
    state,
    control,
    books,
    send: makeSender(simulator.url),
    close,
  };
}

export type World = Awaited<ReturnType<typeof openWorld>>;

export type Books = {
  readonly payments: readonly {
    readonly psp: string;
    readonly reference: string;
    readonly state: string;
    readonly held: number;
    readonly captured: number;
    readonly refunded: number;
  }[];
  readonly modifications: readonly {
    readonly psp: string;
    readonly kind: string;
    readonly state: string;
    readonly reference: string;
  }[];
  readonly messages: readonly { readonly eventCode: string }[];
};
