// The hosted page where vault and payment are two hosts: the vault shows what the payment host says, within its own
// limits, and a page of its own when nobody says anything.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { relayedPages } from '../../src/hosts/page-relay.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { type Exchange, openEgress } from '../../src/kit/egress.ts';
import type { PublicAnswer, PublicRequest } from '../../src/kit/http/public.ts';
import { openLinkClient } from '../../src/kit/link/client.ts';
import { openLog } from '../../src/kit/log.ts';
import { readIdentity } from '../../src/kit/tls/identity.ts';
import { pagePaths } from '../../src/payment/page/paths.ts';
import { PAGE_SCRIPTS } from '../../src/payment/page/scripts.ts';
import { remoteLink } from '../../src/payment/vault-link/remote.ts';
import { buildElements } from '../../src/vault/elements/assets.ts';
import { elementPaths } from '../../src/vault/elements/pages.ts';
import { ScriptWatch } from '../../src/vault/elements/watch.ts';
import { send, textAt } from '../client.ts';
import { hostedCheckout, nonceIn, open, pay, sendForm, typed } from '../hosted-page/payer.ts';
import { type World, worldOfProcesses } from '../world.ts';
import type { Processes } from './processes.ts';

// Hosts that start again take their time on a busy machine.

let w: World & { readonly service: Processes };
beforeAll(async () => {
  w = await worldOfProcesses();
});
afterAll(() => w[Symbol.asyncDispose]());

const vault = () => w.service.addresses.vault_url;

describe('the vault alone', () => {
  test('shows the page, takes the payment, and lists the script that ran', async () => {
    const { url, checkout_id } = await hostedCheckout(w.shop, { accept_url: 'https://shop.example/thanks?a=1' });
    expect(url).toMatch(new RegExp(`^${vault()}/pay/[0-9a-f]{64}$`));
    const paid = await pay(w.shop, url);
    expect([paid.status, paid.location]).toEqual([303, 'https://shop.example/thanks?a=1']);
    expect((await w.shop.api(`/payment/checkout/${checkout_id}`)).at('checkout.status')).toBe('completed');
    const shown = await fetch(`${vault()}/pay/${'0'.repeat(64)}`);
    expect([shown.status, shown.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    const listed = await send(`${vault()}/scripts.json`, {});
    expect(listed.at('scripts.2.name')).toBe('hosted page');
  });

  test('adds a policy of its own: no script runs but those it knows', async () => {
    const { url } = await hostedCheckout(w.shop);
    const policies = (await fetch(url)).headers.get('content-security-policy')?.split(', ') ?? [];
    expect(policies).toHaveLength(2);
    const listed = await send(`${vault()}/scripts.json`, {});
    expect(policies[1]).toBe(
      `script-src 'self' '${textAt(listed, 'scripts.2.integrity')}'; object-src 'none'; base-uri 'none'`,
    );
    expect(policies[0]).toContain("default-src 'none'");
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'says in a page of its own that the payment host is away after %s, and goes on when it is back',
    async (signal) => {
      const { url } = await hostedCheckout(w.shop);
      const before = await open(url);
      const token = await typed(w.shop, before);
      w.service.signal('payment', signal);
      await w.service.runs.get('payment')?.ended;
      const away = await fetch(url, { headers: { 'accept-language': 'de' } });
      expect([away.status, away.headers.get('retry-after'), away.headers.get('content-type')]).toEqual([
        503,
        '5',
        'text/html; charset=utf-8',
      ]);
      const text = await away.text();
      expect(text).toContain('<html lang="de"');
      expect(text).toContain(`href="${new URL(url).pathname}"`);
      expect((await sendForm(url, { token, nonce: nonceIn(before) })).status).toBe(503);
      // what needs no payment host goes on
      expect((await send(`${vault()}/ready`, {})).status).toBe(200);
      expect((await fetch(`${vault()}/javascript/2.3/florin-client.min.js`)).status).toBe(200);
      await w.service.start('payment');
      expect((await open(url)).html).toContain('id="page-data"');
      expect((await sendForm(url, { token, nonce: nonceIn(before) })).status).toBe(303);
    },
  );

  test('has no more pages than the payment host, and takes no large form', async () => {
    const { url } = await hostedCheckout(w.shop);
    for (const path of [
      '/pay',
      '/pay/',
      `${new URL(url).pathname}/x`,
      '/pay/a/b/c/d/e/f/g/h/i',
      '/pay/../internal/page',
    ])
      expect([path, (await send(vault() + path, {})).status]).toEqual([path, 404]);
    expect((await send(url, { method: 'PUT', body: {} })).status).toBe(404);
    const large = await sendForm(url, { token: 'a'.repeat(9000), nonce: 'b' });
    // as with the page in the same process: it is no form of ours, and the page tells how things stand
    expect([large.status, large.location]).toEqual([303, `${new URL(url).pathname}?sent`]);
    expect((await open(url)).status).toBe(200);
  });
});

test('the vault alone looks at its pages as browsers get them, through the link', async () => {
  const { vault: settings } = w.service.settings;
  const identity = readIdentity(settings['FLORIN_TLS_DIR'] ?? '', 'vault', () => undefined);
  const link = openLinkClient(settings['FLORIN_PAYMENT_LINK_URL'] ?? '', identity, 'payment');
  const egress = openEgress();
  const { addresses } = w.service;
  const log = openLog('silent');
  const common = {
    brand: 'florin',
    environment: 'sandbox' as const,
    page_scripts: PAGE_SCRIPTS,
    beside: { scripts: [], policies: {} },
  };
  const elements = elementPaths({
    ...common,
    bundles: await buildElements(),
    addresses,
    identify: async () => undefined,
  });
  const paths = [...elements, ...relayedPages({ ...common, link, log })];
  const watch = new ScriptWatch({ brand: 'florin', addresses, egress, log, clock: systemClock(), paths });
  expect([await watch.look(), watch.state]).toEqual([[], 'ok']);
  await egress.close();
  await link.close();
});

test('a payer whose payment host does not reach the vault is told to try again, and nothing is accepted', async () => {
  const { url, checkout_id } = await hostedCheckout(w.shop, { exception_url: 'https://shop.example/exception' });
  const before = await open(url);
  const token = await typed(w.shop, before);
  const { tools, settings } = w.service;
  const identity = readIdentity(settings.payment['FLORIN_TLS_DIR'] ?? '', 'payment', () => undefined);
  // nobody listens there
  const link = openLinkClient('https://127.0.0.1:1', identity, 'vault');
  const cut = { ...tools, vault: remoteLink({ link, clock: tools.clock, log: tools.log }) };
  const [look, send_form] = pagePaths({ tools: cut, brand: 'florin' });
  const { pathname, origin } = new URL(url);
  const handle = pathname.replace('/pay/', '');
  const asked: PublicRequest = {
    request_id: 'ab'.repeat(12),
    client_ip: '127.0.0.1',
    query: {},
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(new URLSearchParams({ token, nonce: nonceIn(before) }).toString()),
  };
  for (const path of [look, send_form]) {
    const answer = await path?.answer({ handle }, asked);
    expect([answer?.status, answer?.headers['retry-after']]).toEqual([503, '2']);
    expect(String(answer?.body)).toContain(`href="${pathname}"`);
  }
  await link.close();
  expect((await w.shop.api(`/payment/checkout/${checkout_id}`)).at('checkout.orders')).toEqual([]);
  // the same token pays when it is reached again
  expect((await sendForm(url, { token, nonce: nonceIn(before) })).status).toBe(303);
  expect((await w.shop.api(`/payment/checkout/${checkout_id}`)).at('checkout.status')).toBe('completed');
});

describe('whatever the payment host says', () => {
  const request: PublicRequest = {
    request_id: 'r',
    client_ip: '::1',
    headers: { 'accept-language': 'fr' },
    query: {},
    body: Buffer.alloc(0),
  };
  const said = (answer: object | null, status = 200): Exchange => ({
    ...({ kind: 'answered', status } as const),
    body: Buffer.from(JSON.stringify(answer)),
  });
  const html = { 'content-type': 'text/html; charset=utf-8' };
  const body = Buffer.from('<p>hello').toString('base64');

  function shown(exchange: Exchange | Promise<Exchange>): () => Promise<PublicAnswer | undefined> {
    const link = { ask: async () => exchange, close: async () => undefined };
    const [page] = relayedPages({
      link,
      log: openLog('silent'),
      brand: 'florin',
      environment: 'production' as const,
      page_scripts: [{ name: 'x', path: '/pay/x', runs_on: 'x', reason: 'x', text: 'let a = 1' }],
    });
    return async () => page?.answer({ '*': 'ab' }, request);
  }

  test('only headers of a page are handed on', async () => {
    const headers = { ...html, 'set-cookie': 'a=b', 'access-control-allow-origin': '*', location: '/there' };
    const answer = await shown(said({ status: 200, headers, body }))();
    expect(answer).toMatchObject({ status: 200, headers: { ...html, location: '/there' } });
    expect(Object.keys(answer?.headers ?? {})).toHaveLength(4);
    expect(String(answer?.body)).toBe('<p>hello');
  });

  test('a browser is never told to guess what it got: a page is no script, whatever its headers say', async () => {
    for (const type of ['text/html; charset=utf-8', 'application/json; charset=utf-8', 'text/html'])
      for (const guess of [{}, { 'x-content-type-options': 'guess' }]) {
        const answer = await shown(said({ status: 200, headers: { 'content-type': type, ...guess }, body }))();
        expect(answer?.headers).toMatchObject({ 'content-type': type, 'x-content-type-options': 'nosniff' });
      }
  });

  test.each([
    ['a script', said({ status: 200, headers: { 'content-type': 'text/javascript' }, body })],
    ['a style sheet', said({ status: 200, headers: { 'content-type': 'text/css' }, body })],
    ['a script behind a page', said({ status: 200, headers: { 'content-type': 'text/html, text/javascript' }, body })],
    ['a type that only begins as one', said({ status: 200, headers: { 'content-type': 'text/html-x' }, body })],
    ['a body of no type', said({ status: 200, headers: {}, body })],
    ['a status that is none', said({ status: 99, headers: html, body })],
    ['a body that is no text', said({ status: 200, headers: html, body: 5 })],
    ['something else', { kind: 'answered', status: 200, body: Buffer.from('<html>') } as const],
    ['a refusal', said({ error: 'not for this host' }, 403)],
    ['nothing in time', { kind: 'unknown', why: 'timeout' } as const],
    ['nothing, as nobody is there', { kind: 'not_sent' } as const],
  ])('%s is answered by our own page, in the language of the payer', async (_, exchange) => {
    const answer = await shown(exchange)();
    expect(answer?.status).toBe(503);
    expect(String(answer?.body)).toContain('<html lang="fr"');
    expect(String(answer?.body)).toContain('href="/pay/ab"');
  });

  test('the hundred-and-first who waits is told at once, and the next one when somebody has gone', async () => {
    const held = Promise.withResolvers<Exchange>();
    const ask = shown(held.promise);
    const waiting = Array.from({ length: 100 }, () => ask());
    expect((await ask())?.status).toBe(503);
    held.resolve(said({ status: 200, headers: html, body }));
    expect((await Promise.all(waiting)).map((answer) => answer?.status)).toEqual(
      Array.from({ length: 100 }, () => 200),
    );
    expect((await ask())?.status).toBe(200);
  });
});
