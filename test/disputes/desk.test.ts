// The disputes desk from end to end: a dispute at the simulated Stripe, what is said and shown against it, and what
// becomes of it in the books, on the order and in notifications.
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyChain } from '../../src/backoffice/audit/audit.ts';
import { DAY_S } from '../../src/core/durations.ts';
import { withTransaction } from '../../src/kit/database.ts';
import { answerDispute } from '../../src/payment/dispute/desk/answer.ts';
import { insertAnswer } from '../../src/payment/dispute/desk/answer-store.ts';
import { changeTexts } from '../../src/payment/dispute/desk/evidence.ts';
import { lockUnanswered } from '../../src/payment/dispute/desk/store.ts';
import { recordDispute } from '../../src/payment/dispute/record.ts';
import { findOrder } from '../../src/payment/order/facts/order-store.ts';
import { verifyLedger } from '../../src/payment/ledger/verify/verify.ts';
import { type Person, firstOwner, invited } from '../backoffice/person.ts';
import { textAt, until } from '../client.ts';
import { type Receiver, receiver } from '../notifications/receiver.ts';
import { unzipped } from '../unzipped.ts';
import { lockWaits } from '../lock-waits.ts';
import { type World, world } from '../world.ts';

const AT_STRIPE = { merchant_contract: 'stripe', payment_channel: 'e-commerce', operation_type: 'direct_capture' };
const CARD = '4242424242424242';
const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n');
const reason = 'the parcel was delivered';

let w: World;
let server: Receiver;
let ada: Person;
beforeAll(async () => {
  w = await world({ FLORIN_WITH: 'stripe', FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  server = await receiver();
  ada = await firstOwner(w);
  await w.shop.api('/notification/endpoint', {
    body: { url: server.url, events: ['dispute.due', 'dispute.won', 'dispute.lost'] },
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await w[Symbol.asyncDispose]();
});

const control = async (verb: string, body: object): Promise<Record<string, unknown>> => {
  const url = w.service.simulators?.get('stripe')?.control_url ?? '';
  const answer = await fetch(`${url}/control/${verb}`, {
    method: verb === 'books' ? 'GET' : 'POST',
    ...(verb !== 'books' && { body: JSON.stringify(body) }),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, unknown>;
};

/** A captured order at Stripe whose payer disputes it; ids here and there. */
async function disputed(reference: string, told: object = {}) {
  const fields = { ...AT_STRIPE, order_merchant_id: reference, amount: '42.00', customer_ip: '203.0.113.9' };
  const order_id = textAt(await w.shop.pay({}, fields), 'order_id');
  await w.shop.decided(order_id);
  const { intents } = (await control('books', {})) as {
    intents: readonly { id: string; metadata: { order_id: string } }[];
  };
  const payment_intent = intents.find(({ metadata }) => metadata.order_id === order_id)?.id;
  const theirs = await control('disputes', { payment_intent, ...told });
  const id = await until(async () => {
    const list = await ada.get('/api/disputes');
    const rows = (list.at('disputes') ?? []) as readonly { id: string; order_id: string }[];
    return rows.find((one) => one.order_id === order_id)?.id;
  });
  return { order_id, id, reference: String(theirs['id']) };
}

const stageOf = (id: string, stage: string) =>
  until(async () => {
    const seen = await ada.get(`/api/disputes/${id}`);
    return seen.at('stage') === stage ? seen : undefined;
  });

async function theirDispute(reference: string): Promise<Record<string, unknown> | undefined> {
  const { disputes } = (await control('books', {})) as { disputes: readonly Record<string, unknown>[] };
  return disputes.find((one) => one['id'] === reference);
}

const upload = (id: string, field: string, content: Buffer, name = 'proof.pdf') =>
  ada.ask('PUT', `/api/disputes/${id}/files`, { field, name, content: content.toString('base64') });

test('a dispute is listed with its reason in words, its amount and the day that the provider gave', async () => {
  const { id } = await disputed('cart-not-received', { reason: 'product_not_received' });
  const list = await ada.get('/api/disputes');
  const row = (list.at('disputes') as readonly { id: string }[]).find((one) => one.id === id);
  expect(row).toMatchObject({ order_merchant_id: 'cart-not-received', stage: 'needs_answer', amount_minor: 4200 });
  const one = await ada.get(`/api/disputes/${id}`);
  // Visa's code of the simulated Stripe is 10.4, whatever its word is: the code counts
  expect([one.at('title'), one.at('due_reckoned'), one.at('sends')]).toEqual([
    'Not made by the cardholder',
    false,
    true,
  ]);
  const due = await ada.get('/api/disputes/due');
  expect(due.at('due.0.currency')).toBe('EUR');
  expect(Date.parse(one.say('due_at')) - Date.parse(one.say('opened_at'))).toBe(7 * DAY_S * 1000);
  const ip = (one.at('texts') as readonly { field: string; known: object | null }[]).find(
    ({ field }) => field === 'customer_purchase_ip',
  );
  expect(ip?.known).toEqual({ text: '203.0.113.9', from: 'the order' });
});

test('evidence is kept sealed, is what its bytes say, and holds no card number wherever it stands', async () => {
  const { id } = await disputed('cart-evidence');
  const said = await ada.ask('PUT', `/api/disputes/${id}/evidence`, { texts: { uncategorized_text: `Card ${CARD}` } });
  expect([said.status, said.at('errors.0.field')]).toEqual([400, 'texts.uncategorized_text']);
  const spaced = await ada.ask('PUT', `/api/disputes/${id}/evidence`, { texts: { no_such: 'x' } });
  expect(spaced.at('errors.0.field')).toBe('texts.no_such');
  const packed = deflateSync(Buffer.from(`BT (4242 4242) Tj (4242 4242) Tj ET`));
  const hidden = Buffer.concat([
    Buffer.from('%PDF-1.4\n1 0 obj\n<< /Length 99 /Filter /FlateDecode >>\nstream\n'),
    packed,
    Buffer.from('\nendstream\nendobj\n%%EOF\n'),
  ]);
  const titled = Buffer.from(`%PDF-1.4\n1 0 obj\n<< /Title (Invoice ${CARD}) >>\nendobj\n%%EOF\n`);
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    Buffer.from(`\0\0\0\x20tEXtComment\0Number ${CARD}`, 'latin1'),
  ]);
  const refusals: readonly (readonly [Buffer, string])[] = [
    [hidden, 'in the PDF, in its part 1'],
    [titled, 'in what the PDF says of itself'],
    [png, 'in what the picture says of itself'],
    [Buffer.from('<html>no picture</html>'), 'is none of application/pdf'],
    [Buffer.concat([PDF, Buffer.alloc(5 * 1024 * 1024)]), 'is larger than'],
  ];
  for (const [content, why] of refusals) {
    const refused = await upload(id, 'receipt', content, 'photo.png');
    expect([refused.status < 500, refused.text]).toEqual([true, expect.stringContaining(why)]);
  }
  const word = 'delivered to the neighbour at number nine';
  expect((await ada.ask('PUT', `/api/disputes/${id}/evidence`, { texts: { uncategorized_text: word } })).status).toBe(
    200,
  );
  const marked = Buffer.concat([PDF, Buffer.from(`% ${word}\n`)]);
  const kept = await upload(id, 'receipt', marked, '../../proof.exe');
  const receipt = (
    kept.at('files') as readonly { field: string; file: { id: string; name: string; type: string } | null }[]
  ).find(({ field }) => field === 'receipt');
  expect(receipt?.file).toMatchObject({ type: 'application/pdf', name: '....proof.exe' });
  const stored = await w.sql<{ found: boolean }>(
    `SELECT position(convert_to($1, 'UTF8') IN content_sealed) > 0 AS found FROM payment.dispute_files
     UNION ALL SELECT position(convert_to($1, 'UTF8') IN texts_sealed) > 0 FROM payment.dispute_evidence`,
    [word],
  );
  expect(stored.map(({ found }) => found)).toEqual([false, false]);
  const out = await ada.get(`/api/disputes/${id}/files/receipt`);
  expect([out.text, out.headers.get('content-disposition')]).toEqual([
    marked.toString(),
    "attachment; filename*=UTF-8''....proof.exe",
  ]);
  const removed = await ada.ask('DELETE', `/api/disputes/${id}/files/receipt`);
  expect(removed.status).toBe(200);
  expect((await ada.get(`/api/disputes/${id}/files/receipt`)).status).toBe(404);
});

test('a file that somebody else has put or replaced meanwhile is neither replaced nor removed unseen', async () => {
  const { id } = await disputed('cart-two-people');
  const path = `/api/disputes/${id}/files`;
  const put = (was: string, mark: string) =>
    ada.ask('PUT', path, {
      field: 'receipt',
      name: `${mark}.pdf`,
      content: Buffer.concat([PDF, Buffer.from(mark)]).toString('base64'),
      was,
    });
  const files = async () =>
    ((await ada.get(`/api/disputes/${id}`)).at('files') as readonly { file: { id: string; name: string } | null }[])
      .map(({ file }) => file)
      .filter((file) => file !== null);
  expect((await put('none', 'first')).status).toBe(200);
  const late = await put('none', 'second');
  expect([late.status, late.say('detail')]).toEqual([409, expect.stringContaining('somebody has changed the file')]);
  const [first] = await files();
  expect(first?.name).toBe('first.pdf');
  expect((await put(first?.id ?? '', 'third')).status).toBe(200);
  expect((await ada.ask('DELETE', `${path}/receipt?was=${first?.id}`)).status).toBe(409);
  const [third, ...others] = await files();
  expect([third?.name, others]).toEqual(['third.pdf', []]);
  expect((await ada.get(`${path}/receipt`)).text).toContain('third');
  expect((await ada.ask('DELETE', `${path}/receipt?was=${third?.id}`)).status).toBe(200);
  expect(await files()).toEqual([]);
});

test('a file whose answer was lost may be sent, and removed, once more', async () => {
  const { id } = await disputed('cart-answer-lost');
  const path = `/api/disputes/${id}/files`;
  const put = (was: string, mark = 'a receipt') =>
    ada.ask('PUT', path, {
      field: 'receipt',
      name: 'receipt.pdf',
      content: Buffer.concat([PDF, Buffer.from(mark)]).toString('base64'),
      was,
    });
  const fileOf = ({ body }: { readonly body: unknown }) =>
    (body as { files: readonly { field: string; file: { id: string } | null }[] }).files.find(
      ({ field }) => field === 'receipt',
    )?.file?.id;
  const first = fileOf(await put('none'));
  const again = await put('none');
  expect([again.status, fileOf(again)]).toEqual([200, first]);
  expect((await put('none', 'another')).status).toBe(409);
  const replaced = fileOf(await put(String(first), 'another'));
  expect(replaced).not.toBe(first);
  expect(fileOf(await put(String(first), 'another'))).toBe(replaced);
  for (const times of ['once', 'twice']) {
    const removed = await ada.ask('DELETE', `${path}/receipt?was=${replaced}`);
    expect([times, removed.status, fileOf(removed)]).toEqual([times, 200, undefined]);
  }
  expect((await ada.ask('DELETE', `${path}/receipt`)).status).toBe(404);
  const audited = await w.sql(
    `SELECT action, count(*)::int AS count FROM payment.audit WHERE object = $1 GROUP BY action ORDER BY action`,
    [id],
  );
  expect(audited).toEqual([
    { action: 'dispute evidence changed', count: 2 },
    { action: 'dispute evidence removed', count: 1 },
  ]);
});

test('evidence is submitted once though its answer is lost, and the dispute that it wins gives the money back', async () => {
  const { id, order_id, reference } = await disputed('cart-won');
  await ada.ask('PUT', `/api/disputes/${id}/evidence`, { texts: { uncategorized_text: 'winning_evidence' } });
  await upload(id, 'shipping_documentation', PDF);
  await upload(id, 'receipt', Buffer.concat([PDF, Buffer.alloc(2_000_000, 1)]));
  await control('faults', { kind: 'close_after', method: 'POST', path: '/v1/disputes/{id}' });
  const sent = await ada.post(`/api/disputes/${id}/submit`, { reason });
  expect([sent.status, sent.at('stage')], sent.text).toEqual([200, 'sending']);
  const again = await ada.post(`/api/disputes/${id}/submit`, { reason });
  expect(again.status).toBe(409);
  const late = await ada.ask('PUT', `/api/disputes/${id}/evidence`, { texts: { uncategorized_text: 'more' } });
  expect(late.status).toBe(409);
  const won = await stageOf(id, 'won');
  await until(async () => (await ada.get(`/api/disputes/${id}`)).at('answered_as') === 'submitted' || undefined);
  expect(won.at('answers.0.kind')).toBe('submit');
  expect(await theirDispute(reference)).toMatchObject({
    status: 'won',
    evidence: { uncategorized_text: 'winning_evidence', receipt: expect.stringMatching(/^file_/) },
    evidence_details: { submission_count: 1 },
  });
  expect((await w.shop.read(order_id)).at('transactions.0.is_chargebacked')).toBe(false);
  expect((await ada.get(`/api/orders/${order_id}`)).say('disputes.0.state')).toBe('won');
});

test('evidence that never arrived is sent once more, when nothing of it can come any more', async () => {
  const { id, reference } = await disputed('cart-lost-on-the-way');
  await ada.ask('PUT', `/api/disputes/${id}/evidence`, { texts: { uncategorized_text: 'they paid before' } });
  await control('faults', { kind: 'close_before', method: 'POST', path: '/v1/disputes/{id}' });
  await ada.post(`/api/disputes/${id}/submit`, { reason });
  await until(async () => (await ada.get(`/api/disputes/${id}`)).at('answers.0.state') === 'in_doubt' || undefined);
  expect(await theirDispute(reference)).toMatchObject({ evidence_details: { submission_count: 0 } });
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: 300 } });
  await stageOf(id, 'answered');
  const theirs = { status: 'under_review', evidence_details: { submission_count: 1 } };
  expect(await theirDispute(reference)).toMatchObject(theirs);
});

test('a provider that turns away who asks what became of an answer says nothing of it: it stays in doubt', async () => {
  const { id, reference } = await disputed('cart-turned-away');
  await ada.ask('PUT', `/api/disputes/${id}/evidence`, { texts: { uncategorized_text: 'they paid before' } });
  const state = async () => (await ada.get(`/api/disputes/${id}`)).say('answers.0.state');
  await control('faults', { kind: 'close_before', method: 'POST', path: '/v1/disputes/{id}' });
  await ada.post(`/api/disputes/${id}/submit`, { reason });
  await until(async () => (await state()) === 'in_doubt' || undefined);
  await control('faults', { kind: 'credentials', method: 'GET', path: '/v1/disputes/{id}' });
  const looks = async () =>
    (
      await w.sql<{ tries: number }>(`SELECT tries FROM payment.dispute_answers WHERE encode(dispute_id, 'hex') = $1`, [
        id,
      ])
    )[0]?.tries ?? 0;
  const before = await looks();
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: 10 } });
  await until(async () => (await looks()) > before || undefined);
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: 900 } });
  await until(async () => ['taken', 'refused'].includes(await state()) || undefined);
  expect(await state()).toBe('taken');
  expect(await theirDispute(reference)).toMatchObject({ evidence_details: { submission_count: 1 } });
});

test('an accepted dispute is lost, in the books and on the order', async () => {
  const { id, order_id, reference } = await disputed('cart-given-in');
  const refused = await ada.post(`/api/orders/${order_id}/refund`, { amount: '42.00', reason });
  expect([refused.status, refused.at('result.code')]).toEqual([409, '620210']);
  expect((await ada.post(`/api/disputes/${id}/accept`, { reason: 'the payer is right' })).status).toBe(200);
  const lost = await stageOf(id, 'lost');
  expect(await theirDispute(reference)).toMatchObject({ status: 'lost' });
  await until(async () => (await ada.get(`/api/disputes/${id}`)).at('answered_as') === 'accepted' || undefined);
  expect(lost.at('open')).toBe(false);
  expect((await w.shop.read(order_id)).at('transactions.0.is_chargebacked')).toBe(true);
  const verdict = await verifyLedger({ db: w.service.tools.db, progress: () => undefined });
  expect(verdict.first).toBeUndefined();
});

test("a refused answer shows the provider's words, and can be given anew", async () => {
  const { id, reference } = await disputed('cart-refused');
  await control('disputes/status', { dispute: reference, status: 'under_review' });
  await ada.ask('PUT', `/api/disputes/${id}/evidence`, { texts: { uncategorized_text: 'too late' } });
  await ada.post(`/api/disputes/${id}/submit`, { reason });
  const refused = await until(async () => {
    const seen = await ada.get(`/api/disputes/${id}`);
    return seen.at('answers.0.state') === 'refused' ? seen : undefined;
  });
  expect(refused.at('answers.0.note')).toBe('Stripe takes no answer any more: the dispute is under review');
  const marked = await ada.post(`/api/disputes/${id}/answered`, { reason: 'answered in the dashboard' });
  expect([marked.at('stage'), marked.at('answered_as')]).toEqual(['answered', 'elsewhere']);
});

test('a request that waited while an answer was given changes no evidence, and answers nothing', async () => {
  const { id } = await disputed('cart-at-once');
  const [row] = await w.sql<{ account: string }>(
    `SELECT encode(merchant_account_id, 'hex') AS account FROM payment.disputes WHERE encode(id, 'hex') = $1`,
    [id],
  );
  const { db, chance } = w.service.tools;
  const late = await withTransaction(db, row?.account ?? '', async (tx) => {
    expect(await lockUnanswered(tx, id)).toBe(true);
    const waiting = [upload(id, 'receipt', PDF), ada.post(`/api/disputes/${id}/accept`, { reason })];
    await until(async () => (await lockWaits(w)) === waiting.length || undefined);
    await insertAnswer(tx, { id: chance.id(), dispute_id: id, kind: 'accept', reason, requested_by: 'somebody' });
    return { waiting };
  });
  for (const { status, text } of await Promise.all(late.waiting))
    expect([status, text]).toEqual([409, expect.stringMatching(/answer was given/)]);
});

test('a provider that takes no answers says where to go, and readers answer nothing', async () => {
  const fields = { operation_type: 'direct_capture', order_merchant_id: 'cart-simulated' };
  const order_id = textAt(await w.shop.pay({ card_number: '4000000000000259' }, fields), 'order_id');
  await w.shop.decided(order_id);
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: DAY_S + 60 } });
  const id = await until(async () => {
    const list = await ada.get('/api/disputes?show=open');
    const rows = (list.at('disputes') ?? []) as readonly { id: string; order_id: string }[];
    return rows.find((one) => one.order_id === order_id)?.id;
  });
  const one = await ada.get(`/api/disputes/${id}`);
  expect([one.at('sends'), one.at('due_reckoned')]).toEqual([false, true]);
  const refused = await ada.post(`/api/disputes/${id}/submit`, { reason });
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('mark it as answered here')]);
  const files: readonly (readonly [string, Buffer])[] = [
    ['receipt', PDF],
    ['shipping_documentation', Buffer.concat([PDF, Buffer.alloc(300_000, 'delivered ')])],
  ];
  for (const [field, content] of files) expect((await upload(id, field, content, '../x.pdf')).status).toBe(200);
  await ada.ask('PUT', `/api/disputes/${id}/evidence`, { texts: { uncategorized_text: 'Signed for on 3 March.' } });
  const taken = await fetch(`${ada.url}/api/disputes/${id}/evidence`, { headers: { cookie: ada.cookie } });
  expect([taken.status, taken.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const parts = unzipped(Buffer.from(await taken.arrayBuffer()));
  expect([...parts.keys()]).toEqual(['answer.txt', '01-receipt.pdf', '02-shipping-documentation.pdf']);
  for (const [i, [, content]] of files.entries()) expect([...parts.values()][i + 1]?.equals(content)).toBe(true);
  const text = String(parts.get('answer.txt'));
  expect(text).toMatch(/^Provider: .*\nTo be answered at: nowhere: the simulated bank/);
  expect(text).toContain('Order: cart-simulated (');
  expect(text).toContain('In your words\n-------------\nSigned for on 3 March.\n');
  const reader = await invited(w, ada, 'reader');
  expect((await reader.get(`/api/disputes/${id}/evidence`)).status).toBe(403);
  expect((await reader.get(`/api/disputes/${id}`)).status).toBe(200);
  expect((await reader.get(`/api/disputes?show=open&cursor=999999999999999-${id}`)).status).toBe(400);
  expect((await reader.post(`/api/disputes/${id}/answered`, { reason })).status).toBe(403);
  const big = { field: 'receipt', name: 'a', content: 'A'.repeat(6_000_000) };
  expect((await reader.ask('PUT', `/api/disputes/${id}/files`, big)).status).toBe(403);

  // some days before its end the merchant is told, until somebody answers
  const due = Date.parse(one.say('due_at'));
  const days = Math.ceil((due - Date.parse(one.headers.get('x-now') ?? '')) / (DAY_S * 1000));
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: (days - 2) * DAY_S } });
  const told = await server.until(
    (all) => all.filter(({ body }) => body['event'] === 'dispute.due' && body['order_id'] === order_id).length === 2,
  );
  const ours = told.filter(({ body }) => body['order_id'] === order_id);
  expect(ours.map(({ body }) => body['chargeback_due_date'])).toEqual(
    Array.from({ length: 2 }, () => `${new Date(due).toISOString().slice(0, 19)}+0000`),
  );
  expect((await ada.post(`/api/disputes/${id}/answered`, { reason })).status).toBe(200);
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: 3 * DAY_S } });
  const [left] = await w.sql<{ left: string }>(
    `SELECT count(*) AS left FROM payment.disputes WHERE remind_at IS NOT NULL AND order_id = decode($1, 'hex')`,
    [order_id],
  );
  expect(left?.left).toBe('0');
  const account = w.account;
  expect(await verifyChain(w.service.tools.db, account)).toMatchObject({ whole: true });
});

test.each([false, true])(
  'a dispute that is opened after its end was told has a day to answer by that is ahead, was it open before: %s',
  async (before) => {
    const { tools } = w.service;
    const paid = await w.shop.pay(
      {},
      { operation_type: 'direct_capture', amount: '42.00', order_merchant_id: `again-${before}` },
    );
    const order_id = textAt(paid, 'order_id');
    await w.shop.decided(order_id);
    const now = tools.clock.now().getTime();
    const daysAgo = (days: number) => new Date(now - days * DAY_S * 1000).toISOString();
    const told = async (state: 'lost' | 'opened', days: number, due_at?: string) => {
      const order = await findOrder(tools.db.tenant(w.account), order_id);
      const operation = order?.operations.find(({ kind }) => kind === 'capture');
      if (!order || !operation) throw new Error('no captured order');
      const about = {
        kind: 'dispute',
        amount_minor: 4200n,
        currency: 'EUR',
        reason: 'Fraud',
        reason_code: '10.4',
      } as const;
      const dispute = {
        ...about,
        state,
        at: daysAgo(days),
        reference: `dp_${before}`,
        ...(due_at !== undefined && { due_at }),
      };
      expect(await recordDispute(tools, order, { operation, provider: 'simulator', dispute })).toBe(true);
    };
    if (before) await told('opened', 40, daysAgo(30));
    await told('lost', 20);
    await told('opened', 1);
    const rows = (await ada.get('/api/disputes')).at('disputes') as readonly {
      readonly id: string;
      readonly order_id: string;
    }[];
    const { id = '' } = rows.find((one) => one.order_id === order_id) ?? {};
    const seen = await ada.get(`/api/disputes/${id}`);
    expect([Date.parse(seen.say('due_at')) > now, seen.at('due_reckoned')]).toEqual([true, true]);
  },
);

test('evidence that another person takes away at the same moment is not submitted as none', async () => {
  const { id: dispute_id } = await disputed('cart-taken-away');
  const { tools } = w.service;
  const whose = { merchant_account_id: w.account, dispute_id, by: 'ada' };
  const also = async () => undefined;
  await changeTexts(tools, { ...whose, texts: { uncategorized_text: 'It was delivered.' }, also });
  const [began, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const taking = changeTexts(tools, {
    ...whose,
    texts: { uncategorized_text: '' },
    also: async () => {
      began.resolve();
      await goOn.promise;
    },
  });
  await began.promise;
  const submitting = answerDispute(tools, { ...whose, kind: 'submit', reason, also });
  await until(async () => (await lockWaits(w, 'payment.disputes')) > 0 || undefined);
  goOn.resolve();
  // heard whichever ends first
  const [, submitted] = await Promise.allSettled([taking, submitting]);
  expect(submitted).toMatchObject({
    status: 'rejected',
    reason: { extras: { detail: expect.stringContaining('no evidence yet') } },
  });
  const answers = await w.sql(`SELECT 1 FROM payment.dispute_answers WHERE encode(dispute_id, 'hex') = $1`, [
    dispute_id,
  ]);
  expect(answers).toEqual([]);
});
