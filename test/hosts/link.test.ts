// The link between hosts: who may come in, what is said, and what a broken one leaves behind.
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type RequestOptions, createServer, request } from 'node:https';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCerts } from '../../src/hosts/certs.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { bytes } from '../../src/kit/database.ts';
import { openLinkClient } from '../../src/kit/link/client.ts';
import { NotDone } from '../../src/kit/link/verbs.ts';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { openLog } from '../../src/kit/log.ts';
import { makeCertificate } from '../../src/kit/tls/certificate.ts';
import { type Peer, readIdentity } from '../../src/kit/tls/identity.ts';
import { remoteLink } from '../../src/payment/vault-link/remote.ts';
import { GOOD_CARD, textAt, until } from '../client.ts';
import { newFolder } from '../start/child.ts';
import { askedOf, hashOf } from '../vault/asked.ts';
import { type World, worldOfProcesses } from '../world.ts';
import { type Cut, startCutter } from './cutter.ts';
import { type Processes, effectsOf } from './processes.ts';

let w: World & { readonly service: Processes };
beforeAll(async () => {
  w = await worldOfProcesses({ FLORIN_LOG_LEVEL: 'debug' });
});
afterAll(() => w[Symbol.asyncDispose]());

const folderOf = (peer: string) => join(w.data_dir, 'certs', peer);
const pem = (folder: string) => readFileSync(join(folder, 'identity.pem'), 'utf8');
const vaultPort = () => Number(w.service.settings.vault['FLORIN_VAULT_LINK_PORT']);
const paymentPort = () => Number(w.service.settings.payment['FLORIN_PAYMENT_LINK_PORT']);

type Said = { readonly status: number; readonly text: string } | 'refused';

/** A call with whatever certificate, which believes whatever the server shows. */
async function call(asked: RequestOptions & { body?: unknown }): Promise<Said> {
  const { body, ...options } = asked;
  const sent = request({ host: '127.0.0.1', port: vaultPort(), rejectUnauthorized: false, agent: false, ...options });
  sent.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  return new Promise((resolve) => {
    sent.on('error', () => resolve('refused'));
    sent.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
  });
}

const as = (peer: Peer) => ({ cert: pem(folderOf(peer)), key: pem(folderOf(peer)) });

/** Signed by our own authority, with another name: what somebody who got at its key would not even need. */
function certificateFor(dns_name: string): { cert: string; key: string } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = makeCertificate({
    subject: 'payment.florin.internal',
    issuer: 'Florin link authority',
    public_key: createPublicKey(privateKey),
    authority_key: createPrivateKey(readFileSync(join(w.data_dir, 'certs', 'ca.key'))),
    serial: Uint8Array.of(1, 2, 3),
    not_before: new Date(Date.now() - 60_000),
    not_after: new Date(Date.now() + 3_600_000),
    for: { dns_name, uses: ['server', 'client'] },
  });
  return { cert: certificate, key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) };
}

function linkTo(port: number) {
  const identity = readIdentity(folderOf('payment'), 'payment', () => undefined);
  const client = openLinkClient(`https://127.0.0.1:${port}`, identity, 'vault');
  const log = openLog('silent');
  return { client, vault: remoteLink({ link: client, clock: systemClock(), log }) };
}

describe('who may come in', () => {
  const tombstone = { method: 'PUT', path: '/internal/forwards/0123456789abcdef01234567/tombstone' };

  test('a host of ours, with TLS 1.3', async () => {
    expect(await call({ ...tombstone, ...as('payment') })).toEqual({ status: 200, text: '{"sent":false}' });
    expect(await call({ ...tombstone, ...as('worker') })).toEqual({ status: 200, text: '{"sent":false}' });
    expect(await call({ ...tombstone, ...as('payment'), maxVersion: 'TLSv1.2' })).toBe('refused');
  });

  test('nobody without a certificate, with one of another authority, or with another name', async () => {
    using other = newFolder();
    makeCerts({ folder: join(other.path, 'certs'), renew: false, days: 1 });
    const foreign = pem(join(other.path, 'certs', 'payment'));
    expect(await call(tombstone)).toBe('refused');
    expect(await call({ ...tombstone, cert: foreign, key: foreign })).toBe('refused');
    for (const name of ['evil.florin.internal', 'payment.florin.internal.evil.example', 'PAYMENT.florin.internal'])
      expect([name, await call({ ...tombstone, ...certificateFor(name) })]).toEqual([name, 'refused']);
    expect(await call({ ...tombstone, ...certificateFor('payment.florin.internal') })).toMatchObject({ status: 200 });
  });

  test('the vault does not call itself, and a worker does not make keys', async () => {
    expect(await call({ ...tombstone, ...as('vault') })).toMatchObject({ status: 403 });
    const key = { method: 'PUT', path: '/internal/api_keys/0123456789abcdef01234567', body: {} };
    expect(await call({ ...key, ...as('worker') })).toMatchObject({ status: 403 });
    expect(await call({ ...key, ...as('payment') })).toMatchObject({ status: 400 });
    const question = { path: `/internal/checkouts/${'0'.repeat(24)}/${'0'.repeat(24)}`, port: paymentPort() };
    expect(await call({ ...question, ...as('payment') })).toMatchObject({ status: 403 });
    expect(await call({ ...question, ...as('vault') })).toEqual({ status: 200, text: '{"state":"closed"}' });
    const use = { method: 'PUT', path: `/internal/key_uses/${'0'.repeat(24)}/${'0'.repeat(64)}`, port: paymentPort() };
    expect(await call({ ...use, ...as('worker') })).toMatchObject({ status: 403 });
    expect(await call({ ...use, path: '/internal/key_uses/x/y', ...as('vault') })).toMatchObject({ status: 400 });
  });

  test('the public listener of the vault knows none of it', async () => {
    const url = `${w.service.addresses.vault_url}${tombstone.path}`;
    expect((await fetch(url, { method: 'PUT' })).status).toBe(404);
  });
});

describe('whom we speak to', () => {
  test('another host of ours in its place is not spoken to: nothing was sent', async () => {
    const { client, vault } = linkTo(paymentPort());
    const forward = askedOf(w, await w.shop.token());
    expect(await vault.forward(forward)).toEqual({ outcome: 'not_sent', reason: 'connect' });
    await client.close();
  });

  test.each([
    ['another authority', () => foreignVault()],
    ['our authority and another name', () => certificateFor('vault.florin.internal.evil.example')],
  ])('a server with %s is not spoken to', async (_, shown) => {
    const heard: string[] = [];
    const server = createServer({ ...shown() }, (asked, answer) => {
      heard.push(asked.url ?? '');
      answer.end('{"sent":false}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { client, vault } = linkTo(listeningPort(server));
    await expect(vault.tombstone({ operation_id: '0123456789abcdef01234567' })).rejects.toThrow(
      'did not answer: not_sent',
    );
    expect(heard).toEqual([]);
    await client.close();
    server.close();
  });
});

function foreignVault(): { cert: string; key: string } {
  using other = newFolder();
  makeCerts({ folder: join(other.path, 'certs'), renew: false, days: 1 });
  const identity = pem(join(other.path, 'certs', 'vault'));
  return { cert: identity, key: identity };
}

describe('what is said', () => {
  test('a card that is told is told as in-process, and one that cannot be used is nothing, whatever the reason', async () => {
    const token = await w.shop.token();
    const merchant_account_id = w.account;
    const question = { token_hash: hashOf(token), merchant_account_id, checkout_id: null };
    const { vault, chance } = w.service.tools;
    expect(await vault.card(question)).toMatchObject({ kind: 'oneshot', scheme: 'visa', last4: '4242', has_cvc: true });
    const nobody = chance.id();
    expect(await vault.card({ ...question, merchant_account_id: nobody })).toBeUndefined();
    expect(await vault.card({ ...question, token_hash: hashOf('00'.repeat(32)) })).toBeUndefined();
  });

  test("a partner's token is told with its subscription_id", async () => {
    const body = { token_kind: 'psp_token', psp_token: 'tok_1881', partner: 'simulator', payment_method_name: 'visa' };
    const reply = await w.shop.vault('/token', { body, key: w.keys.private_key });
    const merchant_account_id = w.account;
    const question = { token_hash: hashOf(textAt(reply, 'token')), merchant_account_id, checkout_id: null };
    const told = { partner: 'simulator', subscription_id: reply.at('subscription_id'), card_unique_id: null };
    expect(await w.service.tools.vault.card(question)).toMatchObject(told);
  });

  test.each([
    ['no JSON', 'forwards/0123456789abcdef01234567', '{"a":', 'not JSON'],
    ['a list', 'forwards/0123456789abcdef01234567', [], 'must be an object'],
    ['no fields', 'forwards/0123456789abcdef01234567', {}, 'deadline_ms must be'],
    ['an id that is none', 'forwards/nobody', {}, 'deadline_ms must be'],
    ['too much', 'forwards/0123456789abcdef01234567', 'x'.repeat(300_000), 'too large'],
    ['a part that is none', 'forwards/0123456789abcdef01234567', { body: [1] }, 'deadline_ms must be'],
    ['a prototype', 'settled', '{"__proto__":{"operation_ids":[]}}', 'operation_ids must be'],
  ])('%s is refused with a word about it', async (_, path, body, why) => {
    const said = await call({ method: 'PUT', path: `/internal/${path}`, body, ...as('payment') });
    expect(said).toMatchObject({ status: 400 });
    expect(said === 'refused' ? '' : said.text).toContain(why);
  });

  test.each(['https://a.example;script-src-elem', 'https://a.example,default-src', '*', "'unsafe-inline'", 'data:'])(
    '%s is no origin that may frame the card fields: it would stand in their policy as it is',
    async (origin) => {
      const key = {
        digest: '0'.repeat(64),
        merchant_account_id: '0'.repeat(24),
        kind: 'public',
        environment: 'sandbox',
        page_inputs: false,
        registered_origins: ['https://shop.example', 'http://[::1]:3000', origin],
      };
      const put = { method: 'PUT', path: '/internal/api_keys/0123456789abcdef01234567', ...as('payment') };
      expect(await call({ ...put, body: key })).toMatchObject({ status: 400 });
    },
  );

  test('a key that is used at the vault alone is known to be used, and one that a browser brings to be in a page', async () => {
    const noted = async (kind: string) => {
      const [row] = await w.sql<{ used: boolean; in_page: boolean }>(
        `SELECT last_used_at IS NOT NULL AS used, in_page_at IS NOT NULL AS in_page FROM payment.api_keys WHERE kind = $1 AND label = 'demo'`,
        [kind],
      );
      return row;
    };
    await w.shop.token();
    await expect.poll(() => noted('public')).toEqual({ used: true, in_page: false });
    await w.shop.vault('/token', {
      key: w.keys.private_key,
      headers: { origin: 'https://shop.example' },
      body: GOOD_CARD,
    });
    await expect.poll(() => noted('private')).toEqual({ used: true, in_page: true });
  });

  test('no path but those of the table, and no method but theirs', async () => {
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/internal/forwards/0123456789abcdef01234567'],
      ['POST', '/internal/forwards/0123456789abcdef01234567'],
      ['PUT', '/internal/forwards/../settled'],
      ['PUT', '/internal/forwards/0123456789abcdef01234567?x=1'],
      ['PUT', '/internal/cards/%2e%2e'],
    ])
      expect([path, await call({ method: method ?? '', path: path ?? '', ...as('payment') })]).toMatchObject([
        path,
        { status: 404 },
      ]);
  });

  test('nothing of a body or an answer is logged, at any level', async () => {
    const mark = 'do-not-log-this-6d1f';
    const token = await w.shop.token();
    const forward = askedOf(w, token);
    await w.service.tools.vault.forward({ ...forward, body: [`{"${mark}":1}`] });
    await w.service.tools.vault.forward(forward);
    await call({ method: 'PUT', path: '/internal/settled', body: { [mark]: mark }, ...as('payment') });
    const said = [...w.service.runs.values()].map((run) => run.out() + run.err()).join('');
    expect(said).toContain('a forward was refused');
    for (const secret of [mark, '4242424242424242', token, hashOf(token), 'authorization_code'])
      expect(said).not.toContain(secret);
  });
});

describe('a link that breaks', () => {
  test('at any byte: answered, not sent and unknown are each true, and the tombstone settles the rest', async () => {
    await using cutter = await startCutter(vaultPort());
    const whole = linkTo(cutter.port);
    expect((await whole.vault.forward(askedOf(w, await w.shop.token()))).outcome).toBe('answered');
    const total = { ...cutter.passed };
    await whole.client.close();
    const seen = { answered: 0, not_sent: 0, unknown_sent: 0, unknown_never: 0 };
    for (const direction of ['up', 'down'] as const)
      for (let step = 0; step < 30; step++) {
        const forward = askedOf(w, await w.shop.token());
        const { client, vault } = linkTo(cutter.port);
        // an odd distance, so that cuts fall into records, headers and bodies alike
        cutter.cut = { direction, after: Math.floor((total[direction] * (step + (step % 3) / 3)) / 30) };
        const { outcome } = await vault.forward(forward);
        cutter.cut = undefined;
        await client.close();
        const stone = await w.service.tools.vault.tombstone({ operation_id: forward.operation_id });
        const effects = () => effectsOf(w.service, 'reference', forward.operation_id);
        if (stone.sent) await until(async () => (await effects()) === 1 || undefined);
        const cut = { direction, step, outcome };
        expect([cut, await effects()]).toEqual([cut, stone.sent ? 1 : 0]);
        if (outcome === 'answered') expect(stone.sent).toBe(true);
        if (outcome === 'not_sent') expect(stone.sent).toBe(false);
        if (outcome === 'unknown') seen[stone.sent ? 'unknown_sent' : 'unknown_never']++;
        else if (outcome !== 'already_sent') seen[outcome]++;
        expect((await w.service.tools.vault.forward(forward)).outcome).toBe(stone.sent ? 'already_sent' : 'not_sent');
      }
    expect(seen.not_sent, 'before the first byte').toBeGreaterThan(3);
    expect(seen.unknown_never, 'in the request').toBeGreaterThan(3);
    expect(seen.unknown_sent, 'in the answer').toBeGreaterThan(0);
  });

  test('credentials: where it is said that nothing was done, the vault has not taken them', async () => {
    await using cutter = await startCutter(vaultPort());
    const of = { merchant_account_id: w.account, destination: 'simulator' };
    const put = async (cut?: Cut) => {
      const contract_id = w.service.tools.chance.id();
      const { client, vault } = linkTo(cutter.port);
      cutter.cut = cut;
      const said = await vault.keepCredentials({ ...of, contract_id, values: { api_key: 'any' } }).then(
        () => 'kept',
        (error: unknown) => (error instanceof NotDone ? 'not done' : 'unknown'),
      );
      cutter.cut = undefined;
      await client.close();
      return [said, (await w.sql('SELECT 1 FROM vault.contracts WHERE id = $1', [bytes(contract_id)])).length] as const;
    };
    expect(await put()).toEqual(['kept', 1]);
    const total = { ...cutter.passed };
    const seen = [];
    for (const direction of ['up', 'down'] as const)
      for (let step = 0; step < 12; step++)
        seen.push(await put({ direction, after: Math.floor((total[direction] * step) / 12) }));
    expect(new Set(seen.map(([said]) => said))).toEqual(new Set(['not done', 'unknown']));
    expect(seen).not.toContainEqual(['not done', 1]);
    const { client, vault } = linkTo(cutter.port);
    const foreign = { ...of, contract_id: 'no id', values: {} };
    await expect(vault.keepCredentials(foreign), 'turned away').rejects.toBeInstanceOf(NotDone);
    await client.close();
  });
});

describe('renewed certificates', () => {
  const shown = () =>
    new Promise<string>((resolve, reject) => {
      const sent = request({
        port: vaultPort(),
        host: '127.0.0.1',
        agent: false,
        rejectUnauthorized: false,
        ...as('worker'),
      });
      sent.on('socket', (socket) =>
        socket.on('secureConnect', () =>
          resolve(socket instanceof TLSSocket ? socket.getPeerCertificate().fingerprint256 : ''),
        ),
      );
      sent.on('error', reject).on('response', (answer) => answer.resume());
      sent.end();
    });

  test('are taken over by hosts that run, and a damaged one is not', async () => {
    const before = await shown();
    makeCerts({ folder: join(w.data_dir, 'certs'), renew: true, days: 3 });
    const after = await shown();
    expect(after).not.toBe(before);
    expect((await w.shop.pay()).code).toBe('955555');
    const file = join(folderOf('vault'), 'identity.pem');
    const good = readFileSync(file);
    rmSync(file);
    writeFileSync(file, 'damaged');
    expect(await shown()).toBe(after);
    writeFileSync(file, good);
    // what a process writes may be read a moment after its answer
    await expect.poll(() => w.service.runs.get('vault')?.err()).toContain('renewed certificates are not taken');
  });
});

test('a sandbox’s clock that is moved is moved in every process, and what waits on it happens', async () => {
  const [checkout_id, token] = [await w.shop.checkout(), await w.shop.token()];
  const moved = await w.shop.api('/sandbox/clock/advance', { body: { seconds: 7200 } });
  expect([moved.status, moved.at('settled')], moved.text).toEqual([200, true]);
  expect((await w.shop.api(`/payment/checkout/${checkout_id}`)).at('checkout.status')).toBe('expired');
  const sale = { operation_type: 'direct_capture', amount: 3, currency: 'EUR', order_merchant_id: 'moved' };
  const late = await w.shop.order({ token, ...sale });
  expect([late.status, late.code]).toEqual([400, '241021']);
  const now = Date.parse(textAt(moved, 'now'));
  const fresh = await w.shop.vault('/token', { body: GOOD_CARD });
  expect(Date.parse(textAt(fresh, 'created_date')), 'the vault’s').toBeGreaterThanOrEqual(now);
  const paid = await w.shop.order({ token: textAt(fresh, 'token'), ...sale }, { prefer: 'wait=10' });
  const made = Number.parseInt(textAt(paid, 'order_id').slice(0, 8), 16) * 1000;
  expect(made, 'the payment host’s').toBeGreaterThan(now - 2000);
  const books = await w.shop.api(`/sandbox/provider/books?order_id=${textAt(paid, 'order_id')}`);
  expect(Date.parse(textAt(books, 'entries.0.createdAt')), 'the bank’s').toBeGreaterThanOrEqual(now);
});
