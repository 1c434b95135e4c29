// What the tests of the door share: requests byte by byte, the table of routes, and what every answer must have.
import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'vitest';
import { CHECKOUT, GOOD_CARD, HANGS_MS, type Json, textAt } from '../client.ts';
import type { World } from '../world.ts';

export type Host = 'api' | 'vault';

export type Visit = {
  readonly host: Host;
  readonly method: string;
  readonly path: string;
  /** Sent as they are; an object is sent as JSON. Absent: no body at all. */
  readonly body?: object | string | undefined;
  /** Undefined: the header is left out, also one that is sent otherwise. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
};

export type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Json;
  /** result.code. */
  readonly code: unknown;
};

class Unseen extends Error {}

/** One request, with the key of its host and, where there is a body, its content type. Nothing else is added. */
export async function visit(w: World, request: Visit): Promise<Answer> {
  for (;;) {
    const answer = await visitOnce(w, request).catch((error: unknown) => {
      if (error instanceof Unseen) return undefined;
      throw error;
    });
    if (answer) return answer;
  }
}

function visitOnce(w: World, { host, method, path, body, headers = {} }: Visit): Promise<Answer> {
  const { base_url, vault_url } = w.service.addresses;
  const bytes = body === undefined ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(written(body));
  const given: Record<string, string | readonly string[] | undefined> = {
    'x-api-key': host === 'api' ? w.keys.private_key : w.keys.public_key,
    ...(bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
    ...headers,
  };
  const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const address = host === 'api' ? base_url : vault_url;
    const request = httpRequest(address, { method, path, headers: sent as Record<string, string> }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve(answerOf(response.statusCode ?? 0, response.headers, Buffer.concat(parts).toString())),
      );
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      // the host closed a connection it had kept open, just as this request was put on it
      const unseen = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(unseen ? new Unseen() : error);
    });
    request.end(bytes);
  });
}

function written(body: object | string): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function answerOf(status: number, headers: IncomingHttpHeaders, text: string): Answer {
  let body: Json = null;
  try {
    const parsed: Json = JSON.parse(text);
    body = parsed;
  } catch {
    // a page, or nothing: the tests that expect JSON see null
  }
  return { status, headers, text, body, code: member(member(body, 'result'), 'code') };
}

/** The page that `type` names. */
export function slugOf(answer: Answer): string {
  const type = member(answer.body, 'type');
  return typeof type === 'string' ? type.replace(/.*\//, '') : '';
}

/** A member of a JSON value, or undefined. */
export function member(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([known]) => known === name)?.[1];
}

const SILENCE_MS = 2000;

/**
 * What is sent as it stands over a plain socket, and all that comes back until the host closes, or has begun to answer
 * and is silent for 2 s.
 */
export function overSocket(w: World, host: Host, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(host === 'api' ? w.service.addresses.base_url : w.service.addresses.vault_url);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(HANGS_MS, () => socket.destroy());
    socket.on('data', (part) => {
      text += part.toString('latin1');
      socket.setTimeout(SILENCE_MS);
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(text));
  });
}

export const UNKNOWN_ID = '0123456789abcdef01234567';

export const TOKEN: Visit = { host: 'vault', method: 'POST', path: '/token', body: GOOD_CARD };

/**
 * Every route of the contract's index (1.4) that stands so far, as a request that is good but for its ids and tokens.
 */
export const ROUTES: readonly Visit[] = [
  { host: 'api', method: 'POST', path: '/payment/checkout', body: CHECKOUT },
  { host: 'api', method: 'GET', path: `/payment/checkout/${UNKNOWN_ID}` },
  { host: 'api', method: 'POST', path: '/payment/order', body: { token: '0'.repeat(64) } },
  { host: 'api', method: 'POST', path: '/order/create', body: { token: '0'.repeat(64) } },
  { host: 'api', method: 'GET', path: `/payment/order/${UNKNOWN_ID}` },
  TOKEN,
];
export const named = (routes: readonly Visit[]): [string, Visit][] =>
  routes.map((route) => [`${route.method} ${route.path.replace(UNKNOWN_ID, '{id}')}`, route]);
export const POSTS: readonly Visit[] = ROUTES.filter((route) => route.method === 'POST');

let orders = 0;

/** The same routes with ids and tokens that exist: each request succeeds, once. */
export async function goodRequests(w: World): Promise<Visit[]> {
  const checkout_id = await w.shop.checkout();
  const order_id = textAt(await w.shop.pay(), 'order_id');
  const order = async () => ({
    token: await w.shop.token(),
    operation_type: 'authorize',
    amount: 10,
    currency: 'EUR',
    order_merchant_id: `door-${process.pid}-${orders++}`,
  });
  const good: Visit[] = [];
  for (const route of ROUTES) {
    const id = route.path.includes('/checkout/') ? checkout_id : order_id;
    const makes_order = route.path === '/payment/order' || route.path === '/order/create';
    const body = makes_order ? await order() : route.body;
    good.push({ ...route, path: route.path.replace(UNKNOWN_ID, id), body });
  }
  return good;
}

/** Contract 2.5: what every error has, whatever went wrong. */
export function expectProblem(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.code]).toEqual([status, code]);
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json\b/);
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{24}$/);
  expect(answer.body).toMatchObject({
    type: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/problems\/[a-z-]+$/),
    title: expect.stringMatching(/.+/),
    status,
    detail: expect.stringMatching(/.+/),
    instance: answer.headers['x-request-id'],
    result: { code, description: expect.stringMatching(/.+/) },
  });
}

/** The same, of one field. */
export function expectFieldProblem(answer: Answer, field: string, code = '111012', status = 400): void {
  expectProblem(answer, status, code);
  expect(member(answer.body, 'errors')).toContainEqual({ field, code, message: expect.stringMatching(/.+/) });
}
