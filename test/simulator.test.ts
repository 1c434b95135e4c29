// The simulated provider as it really runs: a process of its own behind a socket. Its books outlive it, it keeps no
// card, and it ends with whoever started it.
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as open } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Books } from '../src/sandbox/books.ts';
import { PLAIN } from '../src/sandbox/faults/fault.ts';
import { capture } from '../src/sandbox/follow-ups.ts';
import { authorize as authorizeIn } from '../src/sandbox/payments.ts';
import { startSimulator } from '../src/sandbox/simulator.ts';
import { clientOf, common, numberOf, payment } from './providers/client.ts';
import { type SimulatorProcess, newId, startProcess } from './providers/wire.ts';

const folder = mkdtempSync(join(tmpdir(), 'florin-simulator-'));
let simulator: SimulatorProcess;
beforeAll(async () => {
  simulator = await startProcess();
});
afterAll(async () => {
  await simulator.stop();
  rmSync(folder, { recursive: true });
});
const { authorize, books, get, post } = clientOf(() => simulator.url);
const good = () => payment('4242424242424242');
const journal = (name: string) => join(folder, name);

async function started(file: string): Promise<SimulatorProcess> {
  const process = await startProcess(file);
  onTestFinished(async () => void (await process.stop()));
  return process;
}

describe('books', () => {
  test('are found by order, by the merchant’s own id, by reference and by provider, page by page', async () => {
    const [order_id, order_merchant_id] = [newId(), `Größe & "é" 🙂 ${newId()}`];
    const first = await authorize('4242424242424242', { order_id, order_merchant_id });
    const second = await authorize('4000000000000002', { order_id, order_merchant_id });
    const both = [first.reference, second.reference];
    const references = async (query: string) => (await books(query)).map(({ reference }) => reference);
    expect(await references(`order_id=${order_id}`)).toEqual(both);
    expect(await references(`order_merchant_id=${encodeURIComponent(order_merchant_id)}`)).toEqual(both);
    expect(await references(`order_id=${order_id}&reference=${first.reference}`)).toEqual([first.reference]);
    expect(await references(`order_id=${order_id}&provider=simulator_b`)).toEqual([]);
    expect(await references(`order_id=${order_id}&limit=1&offset=1`)).toEqual([second.reference]);
    expect(await get(`/books?order_id=${order_id}&limit=1`)).toMatchObject({ next_offset: 1 });
    expect(await get(`/books?order_id=${order_id}&limit=2`)).toMatchObject({ next_offset: null });
    const members = ['amount', 'calls', 'created_at', 'currency', 'effects', 'id', 'kind', 'merchant_account_id'];
    const [entry = {}] = await books(`reference=${first.reference}`);
    expect(Object.keys(entry).toSorted()).toEqual([
      ...members,
      'order_id',
      'order_merchant_id',
      'parent',
      'provider',
      'reference',
      'state',
    ]);
  });

  test('survive a kill and a restart, with all that hangs on them', async () => {
    const process = await started(journal('kept'));
    const before = clientOf(() => process.url);
    const paid = await before.authorize(numberOf('521288'));
    await before.follow(`/payments/${paid.id}/captures`, { amount: 100, order_id: paid.reference });
    const done = await before.follow(`/payments/${paid.id}/captures`, { amount: 400, order_id: paid.reference });
    await before.follow(`/captures/${done.id}/refunds`, { amount: 150, order_id: paid.reference });
    await before.post('/simulator_b/reversals', { ...common(), reference: paid.reference, order_id: paid.reference });
    const seen = await before.books(`order_id=${paid.reference}`);
    expect(seen.map(({ state }) => state)).toEqual(['captured', 'declined', 'captured', 'refunded', 'released']);
    process.child.kill('SIGKILL');
    await once(process.child, 'exit');

    const again = await started(journal('kept'));
    const after = clientOf(() => again.url);
    expect(await after.books(`order_id=${paid.reference}`)).toEqual(seen);
    expect((await after.follow(`/payments/${paid.id}/captures`, { amount: 601 })).code).toBe('521270');
    expect((await after.follow(`/captures/${done.id}/refunds`, { amount: 251 })).code).toBe('621261');
    expect((await after.follow(`/payments/${paid.id}/captures`, { amount: 600 })).code).toBe('955555');
  });

  test('a torn last line of the journal is dropped, and the next one is not glued to it', async () => {
    const first = await started(journal('torn'));
    const { reference } = await clientOf(() => first.url).authorize('4242424242424242');
    await first.stop();
    appendFileSync(journal('torn'), '[{"provider":"simulator","kind":"autho');
    const second = await started(journal('torn'));
    const next = await clientOf(() => second.url).authorize('4242424242424242');
    await second.stop();
    const third = await started(journal('torn'));
    const entries = await clientOf(() => third.url).books('');
    expect(entries.map((entry) => entry.reference)).toEqual([reference, next.reference]);
  });

  test.each(['nonsense', '[{"provider":"simulator"}]', '{}'])(
    'a whole line that is not ours stops the start: %s',
    async (line) => {
      writeFileSync(journal('foreign'), `${line}\n`);
      await expect(startProcess(journal('foreign'))).rejects.toThrow('did not start');
    },
  );

  test('what cannot be written to the journal has not happened', () => {
    let full = false;
    const own = new Books('simulator', {
      append: () => {
        if (full) throw new Error('no space left');
      },
    });
    const given = { merchant_account_id: '', final: false, at: 0 };
    const asked = { ...common(), ...given };
    authorizeIn(
      own,
      { asked, twist: PLAIN },
      {
        sale: false,
        planned: null,
        card_4_digits: '4242',
        previous_reference: null,
        cryptogram_digest: null,
        eci: null,
      },
    );
    full = true;
    const other = { ...common(), ...given };
    expect(() => capture(own, { asked: other, twist: PLAIN }, `pay_${asked.reference}`)).toThrow('no space left');
    expect([own.find(other.reference), own.find(asked.reference)?.captured]).toEqual([undefined, 0]);
  });
});

describe('cards', () => {
  const NUMBERS = [
    '4242424242424242',
    '4000000000000002',
    '6205500000000000004',
    '378282246310005',
    '4242424242424241',
  ];

  test('no card number and no cvc reaches books, journal, answers or what it says', async () => {
    const process = await started(journal('cards'));
    const client = clientOf(() => process.url);
    const answers: unknown[] = [];
    for (const number of NUMBERS) {
      const body = payment(number, { card: { ...payment(number).card, cvc: '7391' } });
      const text = JSON.stringify(body);
      const torn = text.slice(0, text.indexOf('expiry_month'));
      const bad = [
        { ...body, amount: 'x' },
        { ...body, card: { ...body.card, number: Number(number) } },
        [number],
        number,
      ];
      for (const asked of [body, torn, ...bad]) answers.push(await client.post('/simulator/payments', asked));
      answers.push(await client.follow(`/payments/pay_${body.reference}/captures`, { amount: 1 }));
      answers.push(await client.get(`/simulator/payments?reference=${body.reference}`));
    }
    answers.push(await client.get('/books'));
    const kept = readFileSync(journal('cards'), 'utf8');
    expect(kept).toContain('"card_4_digits":"4242"');
    for (const place of [JSON.stringify(answers), kept, process.said()]) {
      for (const number of NUMBERS) expect(place).not.toContain(number.slice(0, 12));
      // four digits may be part of a time or of a port
      expect(place).not.toMatch(/(?<!\d)7391(?!\d)/);
      expect(place).not.toContain('Ada');
    }
  });
});

describe('requests', () => {
  const wrong: readonly (readonly [string, unknown])[] = [
    ['/reference', { reference: 'a b' }],
    ['/reference', { reference: 'x'.repeat(61) }],
    ['/order_id', { order_id: null }],
    ['/order_merchant_id', { order_merchant_id: 'x'.repeat(256) }],
    ...[0, -1, 1.5, '1000', 1_000_000_000_001, null].map((amount) => ['/amount', { amount }] as const),
    ['/currency', { currency: 'eur' }],
    ['/capture', { capture: true }],
    ['/scheme', { scheme: 'Visa!' }],
    ['/card', { card: '4242424242424242' }],
    ['/card/number', { card: { ...good().card, number: 'abc' } }],
    ['/card/cvc', { card: { ...good().card, cvc: 123 } }],
    ['/card/expiry_month', { card: { ...good().card, expiry_month: '13' } }],
    ['/card/expiry_year', { card: { ...good().card, expiry_year: '30' } }],
    ['/card/holder', { card: { ...good().card, holder: 7 } }],
  ];

  test.each(wrong)('a wrong %s is refused, named, and leaves no entry', async (member, given) => {
    const body = Object.assign(good(), given);
    const { status, said } = await post('/simulator/payments', body);
    expect([status, said.status, said.text]).toEqual([400, 'refused', `${member} is missing or not valid`]);
    expect(await books(`order_id=${good().order_id}`)).toEqual([]);
  });

  test('what is not a JSON object is refused', async () => {
    for (const body of ['', '[]', 'null', '{"reference":', 'é']) {
      expect((await post('/simulator/payments', body)).said.text).toBe('the body is not a JSON object');
    }
  });

  test('a call without an idempotency key is refused', async () => {
    const { status, said } = await post('/simulator/payments', good(), {});
    expect([status, said.text]).toEqual([400, 'idempotency-key is missing or not valid']);
  });

  test('a body above 64 KiB is refused, one just below is read', async () => {
    const padded = (size: number) => JSON.stringify(good()).padEnd(size, ' ');
    expect((await post('/simulator/payments', padded(65_536))).said.status).toBe('approved');
    expect((await post('/simulator/payments', padded(65_537))).status).toBe(413);
  });

  test.each([
    '/payments',
    '/simulator',
    '/simulator/payment',
    '/simulator/payments/a',
    '/simulator/payments/a/b/c',
    '/other/payments',
    '/simulator/constructor',
  ])('there is no route %s', async (path) => {
    expect((await post(path, good())).status).toBe(404);
  });

  test('an inquiry finds any operation by our reference, and says when there is none', async () => {
    const paid = await authorize('4242424242424242');
    const asked = common();
    const { said } = await post(`/simulator/payments/${paid.id}/captures`, asked);
    expect(await get(`/simulator/payments?reference=${asked.reference}`)).toEqual(said);
    expect(await get('/simulator/payments?reference=nobody')).toEqual({ status: 'not_found', reference: 'nobody' });
    expect(await get('/simulator/payments')).toMatchObject({ status: 'refused' });
    expect(await get('/health')).toEqual({ status: 'ready' });
  });
});

describe('the process', () => {
  test('ends when its stdin closes', async () => {
    const process = await startProcess();
    expect(await process.stop()).toBe(0);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('ends on %s', async (signal) => {
    const process = await startProcess();
    process.child.kill(signal);
    expect(await once(process.child, 'exit')).toEqual([0, null]);
  });

  test('says why it does not start', async () => {
    await expect(startProcess(join(folder, 'no', 'such', 'folder'))).rejects.toThrow('ENOENT');
  });

  test('finishes what runs when it is closed, and takes nothing new', async () => {
    const own = await startSimulator({ host: '127.0.0.1', port: 0, journal_file: null, now: () => 0 });
    const headers = { 'idempotency-key': 'key-1', expect: '100-continue' };
    const running = open({ host: '127.0.0.1', port: own.port, path: '/simulator/payments', method: 'POST', headers });
    running.flushHeaders();
    await once(running, 'continue');
    const closed = own.close();
    running.end(JSON.stringify(good()));
    const [response] = await once(running, 'response');
    expect(response.statusCode).toBe(200);
    response.resume();
    await closed;
    await expect(fetch(`http://127.0.0.1:${own.port}/health`)).rejects.toThrow('fetch failed');
  });
});
