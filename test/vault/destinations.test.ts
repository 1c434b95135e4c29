// Where cards may go: what the operator has signed and nothing else; only to the certificate that is pinned; in the
// form that is pinned; within the limits of bytes and time; never where a provider redirects to.
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayReach } from '../../src/kit/tls/pinned.ts';
import type { Forward } from '../../src/payment/vault-link.ts';
import type { Template } from '../../src/provider/contract.ts';
import { readDestinations } from '../../src/provider/send/signed.ts';
import { newFolder, outcomeOf } from '../start/child.ts';
import { type World, world } from '../world.ts';
import { askedOf } from './asked.ts';
import {
  FORM_BODY,
  JSON_BODY,
  type Provider,
  newCertificate,
  pinned,
  signedFile,
  startProvider,
  table,
} from './provider.ts';

const folder = newFolder('florin-destinations-');
let provider: Provider;
let w: World;
beforeAll(async () => {
  provider = await startProvider();
  const { port, certificate } = provider;
  const other = newCertificate('localhost').cert;
  const settings = signedFile(folder.path, {
    bank: pinned(port, certificate),
    other_certificate: pinned(port, other),
    other_name: pinned(port, certificate, { base_url: `https://127.0.0.1:${port}` }),
    other_pin: pinned(port, certificate, { tls: { ca: certificate, min: 'TLSv1.2', certificates: ['00'.repeat(32)] } }),
    public_authorities: pinned(port, certificate, { tls: { ca: 'system', min: 'TLSv1.2' } }),
    nobody: pinned(1, certificate),
  });
  w = await world(settings, { table });
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const HOLDER = 'Zoé "Z" O\'Hara & Söhne \\ 100%';

async function sent(
  change: { body?: readonly (string | { slot: string })[] } & Partial<Omit<Forward, 'body'>>,
  card = {},
) {
  const token = await w.shop.token({ cardholder_name: HOLDER, ...card });
  const forward = askedOf(w, token, { destination: 'bank', step: 'authorize' });
  // a template of a provider that this build does not have: its slots are of the contract's names
  return w.service.tools.vault.forward({ ...forward, body: JSON_BODY as Template, ...change } as Forward);
}

describe('what goes out', () => {
  test('JSON, with the card where it is pinned and the headers that are pinned', async () => {
    provider.answer = (response) => response.end('{"status":"approved"}');
    expect(await sent({ key: 'the-key' })).toMatchObject({ outcome: 'answered', status: 200 });
    const { url, headers, body } = provider.heard.at(-1) ?? { url: '', headers: {}, body: '{}' };
    expect(url).toBe('/v1/payments');
    expect(JSON.parse(body)).toEqual({
      amount: 500,
      account: 'ours',
      card: { number: '4242424242424242', cvc: '123', expiry_month: '12', expiry_year: '2034', holder: HOLDER },
    });
    expect(headers).toMatchObject({
      authorization: 'Bearer of-the-operator',
      'idempotency-key': 'the-key',
      'content-type': 'application/json',
      host: `localhost:${provider.port}`,
    });
  });

  test('a form, encoded; what there is not goes with its key', async () => {
    await sent({ step: 'form', body: FORM_BODY });
    const whole = new URLSearchParams(provider.heard.at(-1)?.body);
    expect([...whole]).toEqual([
      ['amount', '500'],
      ['account', 'ours & nobody else'],
      ['card[cvc]', '123'],
      ['card[number]', '4242424242424242'],
      ['card[exp_month]', '12'],
      ['card[exp_year]', '2034'],
      ['card[name]', HOLDER],
    ]);
    expect(provider.heard.at(-1)?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    await sent({ step: 'form', body: FORM_BODY }, { cardholder_name: '', card_number: '6799990100000000019', cvc: '' });
    const less = provider.heard.at(-1)?.body;
    expect(less).toBe(
      'amount=500&account=ours+%26+nobody+else&card[number]=6799990100000000019&card[exp_month]=12&card[exp_year]=2034',
    );
    const turned = [
      FORM_BODY[1] ?? '',
      '&amount=500&account=ours%20%26%20nobody%20else&card[number]=',
      ...FORM_BODY.slice(3),
    ];
    await sent({ step: 'form', body: ['card[cvc]=', ...turned] }, { card_number: '6799990100000000019', cvc: '' });
    expect(provider.heard.at(-1)?.body).toMatch(
      /^amount=500&account=ours%20%26%20nobody%20else&card\[number\]=6799990100000000019&/,
    );
  });
});

describe('whom it goes to', () => {
  test.each(['other_certificate', 'other_name', 'other_pin', 'public_authorities', 'nobody'])(
    'not to %s: nothing is sent, and that is proved',
    async (destination) => {
      const before = provider.heard.length;
      expect(await sent({ destination })).toEqual({ outcome: 'not_sent', reason: 'connect' });
      expect(provider.heard).toHaveLength(before);
    },
  );

  test.each([301, 302, 303, 307, 308])('not where a %i leads to', async (status) => {
    await using elsewhere = await startProvider();
    provider.answer = (response) =>
      response
        .writeHead(status, { location: `https://localhost:${elsewhere.port}/v1/payments` })
        .end('{"status":"approved"}');
    const before = provider.heard.length;
    expect(await sent({})).toEqual({ outcome: 'unknown', reason: 'unreadable' });
    expect([provider.heard.length - before, elsewhere.heard.length]).toEqual([1, 0]);
  });
});

describe('what comes back', () => {
  test('not more bytes than are pinned', async () => {
    provider.answer = (response) => response.end(`{"x":"${'x'.repeat(16_384)}"}`);
    expect(await sent({})).toEqual({ outcome: 'unknown', reason: 'unreadable' });
    provider.answer = (response) => response.end(`"${'x'.repeat(16_382)}"`);
    expect(await sent({})).toMatchObject({ outcome: 'answered' });
  });

  test('not later than is pinned, however it trickles', async () => {
    provider.answer = (response) => {
      const drip = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(drip));
    };
    const asked = { deadline_ms: 60_000 };
    const before = performance.now();
    expect(await sent(asked)).toEqual({ outcome: 'unknown', reason: 'timeout' });
    expect(performance.now() - before).toBeLessThan(asked.deadline_ms);
  });

  test('not compressed: nobody asked for that, and nobody can look through it', async () => {
    provider.answer = (response, { body }) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body));
    expect(await sent({})).toEqual({ outcome: 'unknown', reason: 'unreadable' });
  });

  test('not a header', async () => {
    provider.answer = (response, { body }) =>
      response.writeHead(200, { 'x-card': JSON.parse(body).card.number }).end('{}');
    expect(Object.keys(await sent({})).toSorted()).toEqual(['body', 'outcome', 'status']);
  });

  test('not the card, in whatever pieces it comes', async () => {
    provider.answer = (response, { body }) => {
      const { number, cvc } = JSON.parse(body).card;
      const text = JSON.stringify({ status: 'approved', reference: `ref-${number}`, echo: number, cvc });
      response.writeHead(200, { 'content-type': 'application/json' });
      const next = (at: number) => {
        if (at < text.length) response.write(text.slice(at, at + 3), () => setImmediate(() => next(at + 3)));
        else response.end();
      };
      next(0);
    };
    const answer = await sent({});
    const text = 'body' in answer ? Buffer.from(answer.body).toString() : '';
    expect(JSON.parse(text)).toEqual({
      status: 'approved',
      reference: `ref-${'#'.repeat(16)}`,
      echo: '#'.repeat(16),
      cvc: '###',
    });
  });
});

describe('the signed file', () => {
  const read = (settings: ReturnType<typeof signedFile>, environment: 'sandbox' | 'production' = 'sandbox') =>
    readDestinations({
      table,
      file: settings.FLORIN_DESTINATIONS_FILE,
      key_file: settings.FLORIN_DESTINATIONS_KEY_FILE,
      environment,
    });
  const bank = (change: Readonly<Record<string, unknown>> = {}) => ({
    bank: pinned(8443, provider.certificate, change),
  });

  test('is read when it is as it was signed, and refused when a byte of it, the signature or the key is another', async () => {
    using other = newFolder();
    using third = newFolder();
    const settings = signedFile(other.path, bank());
    expect((await read(settings)).map(([id]) => id)).toEqual(['bank']);
    const { FLORIN_DESTINATIONS_FILE: file, FLORIN_DESTINATIONS_KEY_FILE: key_file } = settings;
    const foreign = signedFile(third.path, bank());
    const mixed = { ...settings, FLORIN_DESTINATIONS_KEY_FILE: foreign.FLORIN_DESTINATIONS_KEY_FILE };
    await expect(read(mixed)).rejects.toThrow('is not what was signed');
    writeFileSync(key_file, provider.certificate);
    await expect(read(settings)).rejects.toThrow('it is no Ed25519 key');
    const again = signedFile(other.path, bank());
    writeFileSync(file, JSON.stringify({ environment: 'sandbox', destinations: bank({ deadline_ms: 2001 }) }));
    await expect(read(again)).rejects.toThrow('is not what was signed');
    writeFileSync(`${file}.sig`, '');
    await expect(read(again)).rejects.toThrow('is not what was signed');
  });

  test('names everything that is wrong with it at once', async () => {
    using other = newFolder();
    const wrong = {
      'Bad Name': pinned(443, 'no pem', { base_url: 'http://localhost', deadline_ms: 0, extra: 1 }),
      bank: pinned(8443, provider.certificate, {
        base_url: 'https://provider.example/path/',
        tls: { ca: 'system', min: 'TLSv1.1', certificates: ['x'] },
        allow: { account: ['ours'], api_key: 'x' },
        provider: 'bank-with-keys',
        table: 'another',
      }),
      nobody: pinned(8443, provider.certificate, { hosts: {} }),
      unknown: { ...pinned(8443, provider.certificate), provider: '../bank' },
      not_there: { ...pinned(8443, provider.certificate), provider: 'not-there' },
      misspelt: pinned(8443, provider.certificate, { allow: { acount: ['ours'] } }),
    };
    const said = String(
      await read(signedFile(other.path, wrong, 'production'), 'sandbox').catch((error: unknown) => error),
    );
    for (const problem of [
      'environment must be sandbox',
      'Bad Name is no name',
      'has no member extra',
      'base_url must be an address',
      'ca must be system, or certificates',
      'deadline_ms must be a whole number',
      'min must be TLSv1.2 or TLSv1.3',
      'bank.table is another, but the table bank-with-keys of this build has the hash',
      'bank.allow.api_key must be a list',
      'nobody.hosts must name api',
      'unknown.provider: ../bank is no name',
      'not_there.provider: There is no table not-there',
      'no step of bank carries acount',
      'certificates must be a list',
    ])
      expect(said).toContain(problem);
  });

  test.each([
    ['sandbox', 'https://provider.example', false],
    ['sandbox', 'https://localhost:1', true],
    ['sandbox', 'https://localhost:1/second', true],
    // as Adyen's live addresses have one
    ['production', 'https://provider.example/checkout', true],
    ['production', 'https://provider.example/checkout/', false],
    ['production', 'https://provider.example/a?b', false],
    ['production', 'https://provider.example/a%2e', false],
    ['production', 'https://provider.example/../b', false],
    ['production', 'https://provider.example', true],
    ...['localhost', '127.0.0.1', '10.0.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '[::1]', '[fe80::1]'].map(
      (host) => ['production', `https://${host}`, false] as const,
    ),
    ...['[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]', '2130706433', '0x7f.1', '127.1', '0'].map(
      (host) => ['production', `https://${host}`, false] as const,
    ),
  ] as const)('in %s may name %s: %s', async (environment, base_url, good) => {
    using other = newFolder();
    const settings = signedFile(other.path, bank({ base_url }), environment);
    if (good) expect(await read(settings, environment)).toHaveLength(1);
    else await expect(read(settings, environment)).rejects.toThrow('base_url must be');
  });

  test('an address is public or not, however it is written', () => {
    const found = ['8.8.8.8', '2606:4700::1111', '1.1.1.1'].map((host) => mayReach(host, 'public'));
    expect(found).toEqual([true, true, true]);
    expect(mayReach('::ffff:8.8.8.8', 'public')).toBe(false);
  });

  test('can be made, signed and checked by commands; without a right signature nothing starts', async () => {
    using other = newFolder();
    const run = (...command: string[]) => outcomeOf({ cwd: other.path, command: ['destinations', ...command] });
    expect((await run('key', 'operator.key', 'operator.pem')).code).toBe(0);
    expect((await run('key', 'operator.key', 'operator.pem')).said).toContain('would be overwritten');
    const shown = await run('show', 'simulator');
    const hash = /^simulator: ([0-9a-f]{64})$/m.exec(shown.said)?.[1] ?? '';
    expect([shown.said.includes('"/card/number": "card.number"'), hash]).toEqual([true, expect.stringMatching(/./)]);
    expect((await run('show', '../simulator')).said).toContain('is no name of a table');
    const file = (signed: string) => {
      const destinations = { bank: { ...pinned(8443, provider.certificate), provider: 'simulator', table: signed } };
      writeFileSync(`${other.path}/d.json`, JSON.stringify({ environment: 'sandbox', destinations }));
    };
    file('0'.repeat(64));
    expect((await run('check', 'd.json', 'operator.pem', 'sandbox')).said).toContain('d.json.sig cannot be read');
    expect((await run('sign', 'd.json', 'operator.key')).code).toBe(0);
    const another = (await run('check', 'd.json', 'operator.pem', 'sandbox')).said;
    expect([another.includes('0'.repeat(64)), another.includes(hash)]).toEqual([true, true]);
    file(hash);
    expect((await run('sign', 'd.json', 'operator.key')).code).toBe(0);
    expect((await run('check', 'd.json', 'operator.pem', 'sandbox')).said).toContain('is signed and right: bank');
    // nobody would notice where the private key lies
    expect((await run('check', 'd.json', 'operator.key', 'sandbox')).said).toContain(
      'operator.key holds the private key',
    );
    expect((await run('check', 'd.json', 'operator.pem')).said).toContain('environment must be production');
    expect((await run('sing', 'd.json', 'operator.key')).said).toContain('Usage:');
    writeFileSync(`${other.path}/d.json`, '{}');
    const settings = { FLORIN_DESTINATIONS_FILE: 'd.json', FLORIN_DESTINATIONS_KEY_FILE: 'operator.pem' };
    const started = await outcomeOf({ cwd: other.path, settings: { ...settings, FLORIN_API_PORT: '0' } });
    expect([started.code, started.said]).toEqual([1, expect.stringContaining('is not what was signed')]);
  });
});
