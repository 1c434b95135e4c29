// What the check says: a good integration is played over the real API and hears nothing; then one mistake each, and
// hears of it alone.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { playDemo } from '../../src/commands/demo.ts';
import { textOf } from '../../src/commands/requests/check.ts';
import { sendForged } from '../../src/payment/integration/forge.ts';
import { type Finding, RULES, findingsOf } from '../../src/payment/integration/rules.ts';
import { type Seen, seenOf } from '../../src/payment/integration/seen.ts';
import { signatureHeaders } from '../../src/payment/notification/sign.ts';
import { firstOwner } from '../backoffice/person.ts';
import { CHECKOUT, type Client, type Reply, textAt, until } from '../client.ts';
import { type Receiver, receiver } from '../notifications/receiver.ts';
import { type World, world } from '../world.ts';
import { wholeLog } from './played.ts';

let w: World;
let hook: Receiver;
beforeAll(async () => {
  [w, hook] = await Promise.all([world(), receiver()]);
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  await hook[Symbol.asyncDispose]();
});

/** A merchant of its own for each story: what one does wrong is not seen at another. */
class Shop {
  readonly client: Client;
  readonly account: string;
  private readonly replies: Reply[] = [];
  private keys = 0;

  private constructor(client: Client, account: string) {
    this.client = client;
    this.account = account;
  }

  static async open(): Promise<Shop> {
    const client = await w.otherShop();
    const [row] = await w.sql<{ account: string }>(
      `SELECT encode(merchant_account_id, 'hex') AS account FROM payment.api_keys WHERE digest = sha256($1::bytea)`,
      [Buffer.from(client.keys.private_key)],
    );
    return new Shop(client, row?.account ?? '');
  }

  async api(...asked: Parameters<Client['api']>): Promise<Reply> {
    const reply = await this.client.api(...asked);
    this.replies.push(reply);
    return reply;
  }

  listens(url = hook.url): Promise<Reply> {
    return this.api('/notification/endpoint', { body: { url, events: ['authorization_successful'] } });
  }

  /** As it should be: a checkout, a token, an order with a key of its own; what it says is waited for. */
  async pay(fields: object = {}, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    const urls = { accept_url: 'https://shop.example/yes', decline_url: 'https://shop.example/no' };
    const order_merchant_id = `order-${this.account}-${this.keys++}`;
    const checkout = await this.api('/payment/checkout', { body: { ...CHECKOUT, ...urls, order_merchant_id } });
    const checkout_id = textAt(checkout, 'checkout.checkout_id');
    const token = await this.client.token({ checkout_id });
    return this.order({ token, checkout_id, ...fields }, { prefer: 'wait=10', ...headers });
  }

  order(body: object, headers: Readonly<Record<string, string>>): Promise<Reply> {
    return this.api('/payment/order', { body, headers: { 'idempotency-key': `key-${this.keys++}`, ...headers } });
  }

  /** What is there once everything that was asked is in the log; as it looks `later_ms` from now. */
  async seen(later_ms = 0): Promise<Seen> {
    const last = this.replies.at(-1)?.headers.get('x-request-id') ?? '';
    await until(async () => ((await wholeLog(w)).includes(last) ? true : undefined));
    return seenOf(w.service.tools.db.tenant(this.account), new Date(Date.now() + later_ms));
  }

  async findings(later_ms = 0): Promise<readonly Finding[]> {
    return findingsOf(await this.seen(later_ms));
  }

  async names(later_ms = 0): Promise<readonly string[]> {
    return (await this.findings(later_ms)).map(({ name }) => name);
  }
}

const MINUTES_MS = 300_000;

test('a good integration hears nothing, however much later one looks', async () => {
  const shop = await Shop.open();
  await shop.listens();
  const order_id = textAt(await shop.pay(), 'order_id');
  await shop.api(`/payment/order/${order_id}`);
  await shop
    .pay({}, { prefer: 'respond-async' })
    .then((reply) => shop.api(`/payment/order/${textAt(reply, 'order_id')}`));
  await shop.api(`/payment/maintenance/capture/${order_id}`, { body: {}, headers: { 'idempotency-key': 'capture-1' } });
  expect(await shop.names(MINUTES_MS)).toEqual([]);
  expect(textOf({ looked_at: 9, findings: [], base_url: '' })).toContain('Nothing to say');
});

test('npm run demo is a good integration, apart from the endpoint that it does not have', async () => {
  const shop = await Shop.open();
  await playDemo(w.service.addresses, shop.client.keys);
  await shop.api('/payment/order?limit=1');
  expect(await shop.names(MINUTES_MS)).toEqual(['no notification endpoint']);
});

describe('one mistake is heard of, and nothing else', () => {
  const played = new Set<string>();
  const only = async (shop: Shop, name: string, later_ms = 0) => {
    played.add(name);
    const findings = await shop.findings(later_ms);
    expect(findings.map((finding) => finding.name)).toEqual([name]);
    return findings[0];
  };

  test('no Idempotency-Key on any request that moves money', async () => {
    const shop = await Shop.open();
    await shop.listens();
    await shop.pay({}, { 'idempotency-key': '' });
    const found = await only(shop, 'no Idempotency-Key');
    expect([found?.severity, found?.guide]).toEqual(['error', '/docs/guides/results']);
    await shop.pay();
    expect(await shop.names()).toEqual([]);
  });

  test('pending, and nobody looks again; not before a minute is over, and not once it is read', async () => {
    const shop = await Shop.open();
    await shop.api('/notification/endpoint', { body: { url: hook.url, events: ['checkout.expired'] } });
    const reply = await shop.pay({}, { prefer: 'respond-async' });
    expect(reply.code).toBe('421080');
    expect(await shop.names()).toEqual([]);
    const found = await only(shop, 'pending taken for failure', MINUTES_MS);
    expect(found?.example).toBe(reply.headers.get('x-request-id'));
    await shop.api(`/payment/order/${textAt(reply, 'order_id')}`);
    expect(await shop.names(MINUTES_MS)).toEqual([]);
  });

  test('fields that are ignored, by their names', async () => {
    const shop = await Shop.open();
    await shop.listens();
    await shop.pay({ colour: 'red' });
    expect((await only(shop, 'ignored fields'))?.more).toBe('colour');
  });

  test('orders, and no endpoint', async () => {
    const shop = await Shop.open();
    await shop.pay();
    await only(shop, 'no notification endpoint');
  });

  test('an endpoint whose last three tries failed', async () => {
    const shop = await Shop.open();
    await using broken = await receiver(() => 500);
    const endpoint = textAt(await shop.listens(broken.url), 'endpoint._id');
    for (let n = 0; n < 2; n++) await shop.api(`/notification/endpoint/${endpoint}/test`, { method: 'POST', body: {} });
    expect(await shop.names()).toEqual([]);
    await shop.api(`/notification/endpoint/${endpoint}/test`, { method: 'POST', body: {} });
    await only(shop, 'endpoint that fails');
    broken.mood = () => 200;
    await shop.api(`/notification/endpoint/${endpoint}/test`, { method: 'POST', body: {} });
    expect(await shop.names()).toEqual([]);
  });

  test('acknowledgements that take five seconds', async () => {
    const shop = await Shop.open();
    const endpoint = textAt(await shop.listens(), 'endpoint._id');
    await shop.api(`/notification/endpoint/${endpoint}/test`, { method: 'POST', body: {} });
    const seen = await shop.seen();
    expect(findingsOf(seen)).toEqual([]);
    // as it would stand there had the receiver worked first: nobody sleeps for it here
    const late = seen.notifications.map((one) => ({ ...one, duration_ms: 5000 }));
    expect(late).toHaveLength(1);
    expect(findingsOf({ ...seen, notifications: late }).map(({ name }) => name)).toEqual(['late acknowledgements']);
    played.add('late acknowledgements');
  });

  test('an endpoint that takes what nobody signed, once it is asked; one that looks is not named', async () => {
    const shop = await Shop.open();
    const made = await shop.listens();
    const secret = textAt(made, 'endpoint.secret');
    const { tools } = w.service;
    const db = tools.db.tenant(shop.account);
    await using careful = await receiver(({ headers, text }) => {
      const wanted = signatureHeaders('florin', [secret], {
        id: headers['webhook-id'] ?? '',
        timestamp: headers['webhook-timestamp'] ?? '',
        body: text,
      });
      return headers['webhook-signature'] === wanted['webhook-signature'] ? 200 : 400;
    });
    await shop.api('/notification/endpoint', { body: { url: careful.url, events: ['checkout.expired'], secret } });
    const away = await shop.api('/notification/endpoint', { body: { url: 'http://127.0.0.1:9/' } });
    const forged = await sendForged(tools, db);
    expect(forged.map(({ became }) => became).toSorted()).toEqual(['no_answer', 'refused', 'taken']);
    const takers = forged.filter(({ became }) => became === 'taken');
    const took_forged = takers.map(({ endpoint_id }) => endpoint_id);
    expect(took_forged).toEqual([textAt(made, 'endpoint._id')]);
    // a receiver that is not running is not said to look
    const says = textOf({ looked_at: 9, findings: [], base_url: '', forged });
    expect(says).toMatch(new RegExp(`not answered by .*${textAt(away, 'endpoint._id')}`));
    expect(textOf({ looked_at: 0, findings: [], base_url: '', forged: [] })).toContain('there is no endpoint');
    expect(careful.got.map(({ body }) => body['event'])).toEqual(['test']);
    // it is in no list and in no log, and the endpoint is as well as before
    expect((await shop.api('/notification')).at('notifications')).toEqual([]);
    const seen = await shop.seen();
    expect([seen.notifications, findingsOf(seen)]).toEqual([[], []]);
    expect(findingsOf({ ...seen, took_forged }).map(({ name, more }) => [name, more])).toEqual([
      ['signature not checked', took_forged[0]],
    ]);
    played.add('signature not checked');
    await expect(sendForged({ ...tools, environment: 'production' }, db)).rejects.toThrow(/nothing is forged/);
  });

  test('a private key that a page brings, by its origin or its browser', async () => {
    for (const headers of [{ origin: 'https://shop.example' }, { 'user-agent': 'Mozilla/5.0 (X11) Firefox/140' }]) {
      const shop = await Shop.open();
      await shop.api('/payment/order', { headers });
      expect((await only(shop, 'private key in a browser'))?.severity).toBe('error');
    }
  });

  test('amounts as numbers with a fraction; whole numbers and text are fine', async () => {
    const shop = await Shop.open();
    await shop.api('/payment/checkout', { body: { ...CHECKOUT, amount: 42 } });
    expect(await shop.names()).toEqual([]);
    await shop.api('/payment/checkout', { body: { ...CHECKOUT, amount: 42.5 } });
    await only(shop, 'amounts as floating-point numbers');
  });

  test('a payer who is sent away with no way back', async () => {
    const shop = await Shop.open();
    await shop.api('/payment/checkout', { body: { ...CHECKOUT, type: 'hosted_page' } });
    await only(shop, 'no return addresses');
    const other = await Shop.open();
    const urls = { accept_url: 'https://shop.example/yes', decline_url: 'https://shop.example/no' };
    await other.api('/payment/checkout', { body: { ...CHECKOUT, type: 'hosted_page', ...urls } });
    expect(await other.names()).toEqual([]);
  });

  test('a token that is used twice', async () => {
    const shop = await Shop.open();
    await shop.listens();
    const token = await shop.client.token();
    const terms = { operation_type: 'authorize', amount: '5.00', currency: 'EUR' };
    await shop.order({ ...terms, token, order_merchant_id: 'first' }, { prefer: 'wait=10' });
    await shop.order({ ...terms, token, order_merchant_id: 'second' }, { prefer: 'wait=10' });
    await only(shop, 'token used again');
  });

  test('reads of one order without a pause', async () => {
    const shop = await Shop.open();
    await shop.listens();
    const order_id = textAt(await shop.pay(), 'order_id');
    for (let n = 0; n < 5; n++) await shop.api(`/payment/order/${order_id}`);
    const seen = await shop.seen();
    const namesAt = (apart_ms: number) => {
      const requests = seen.requests.map((one, n) => ({ ...one, at: new Date(n * apart_ms) }));
      return findingsOf({ ...seen, requests }).map(({ name, severity }) => [name, severity]);
    };
    // as quickly as on a machine that does nothing else, and once a second
    expect(namesAt(100)).toEqual([['polling too fast', 'advice']]);
    expect(namesAt(1000)).toEqual([]);
    played.add('polling too fast');
  });

  test('every rule was played', () => {
    expect([...played].toSorted()).toEqual(RULES.map(({ name }) => name).toSorted());
  });
});

test('the back office says the same of its account, and links the guide', async () => {
  await w.shop.pay();
  const owner = await firstOwner(w);
  const answer = await until(async () => {
    const asked = await owner.get('/api/requests/check');
    return Number(asked.at('looked_at')) > 0 ? asked : undefined;
  });
  expect(answer.at('findings.0.name')).toBe('no Idempotency-Key');
  expect(answer.at('findings.0.guide')).toBe(`${w.service.addresses.base_url}/docs/guides/results`);
  expect(answer.at('findings.0.example')).toMatch(/^[0-9a-f]{24}$/);
});
