// Receipts by mail: written in the commit that takes the money, once, in the payer's language, and only where the
// account wants them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withTransaction } from '../../src/kit/database.ts';
import { htmlOf, textOf } from '../../src/kit/mail/letter.ts';
import { openLetter } from '../../src/payment/mail/write.ts';
import { sendMails } from '../../src/payment/mail/send.ts';
import { findOrder } from '../../src/payment/order/facts/order-store.ts';
import { writeReceipt } from '../../src/payment/order/receipt/write.ts';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { textAt, until } from '../client.ts';
import { hostedCheckout, pay } from '../hosted-page/payer.ts';
import { type World, world } from '../world.ts';
import { type MailServer, mailServer, plainOf, settingsOf } from './server.ts';

let w: World;
let server: MailServer;
let owner: Person;
let account: string;
beforeAll(async () => {
  server = await mailServer();
  w = await world(settingsOf(server));
  owner = await firstOwner(w);
  account = (await owner.get('/api/session')).say('session.account.id');
  await wanted(true);
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

async function wanted(mail_receipts: boolean): Promise<void> {
  expect((await owner.ask('PUT', '/api/settings', { mail_receipts })).at('settings.mail_receipts')).toBe(mail_receipts);
}

const rowsTo = (address: string) =>
  w.sql<{ id: string; state: string; note: string; about: string }>(
    `SELECT encode(id, 'hex') AS id, state, note, encode(about_id, 'hex') AS about
     FROM payment.mails WHERE address = $1 AND kind = 'receipt' ORDER BY id`,
    [address],
  );
const sentTo = (address: string) =>
  until(() => server.taken.find(({ to }) => to.includes(address))).then(({ raw }) => plainOf(raw));

test('a payer whose money was taken gets one, with what a receipt may show and no more of the card', async () => {
  const paid = await w.shop.pay(
    {},
    { customer_email: 'pia@mail.example', order_merchant_id: 'cart-77', amount: '42.50' },
  );
  expect(paid.at('status')).toBe('capture_successful');
  const mail = await sentTo('pia@mail.example');
  expect(mail).toContain('<title>Receipt: €42.50, Demo shop</title>');
  expect(mail).toContain('Reference: cart-77');
  expect(mail).toMatch(/Card: Visa ending in .?4242/);
  expect(mail).not.toContain('424242');
  expect(mail).not.toContain('mail_receipt');
  expect((await w.shop.read(textAt(paid, 'order_id'))).text).not.toContain('mail_receipt');
});

test('a receipt is in the language of the payment, on the hosted page and with the order', async () => {
  const { url } = await hostedCheckout(w.shop, { customer_email: 'paul@mail.example', locale: 'fr_FR' });
  await pay(w.shop, url);
  const french = await sentTo('paul@mail.example');
  expect(french).toContain('Merci. Votre paiement à');
  expect(french).toContain('<html lang="fr" dir="ltr">');
  await w.shop.pay({}, { customer_email: 'ali@mail.example', locale: 'ar' });
  expect(await sentTo('ali@mail.example')).toContain('<html lang="ar" dir="rtl">');
});

test('money that is held is not taken: each capture has a receipt of its own, of what it took', async () => {
  const to = 'cem@mail.example';
  const held = await w.shop.pay({}, { customer_email: to, operation_type: 'authorize', amount: '30.00' });
  const id = textAt(held, 'order_id');
  expect(await rowsTo(to)).toEqual([]);
  for (const amount of ['10.00', '20.00'])
    await w.shop.api(`/payment/maintenance/capture/${id}`, { body: { amount }, headers: { prefer: 'wait=10' } });
  await until(async () => (await rowsTo(to)).every(({ state }) => state === 'sent') || undefined);
  const amounts = server.taken
    .filter((one) => one.to.includes(to))
    .map(({ raw }) => /Receipt: (\S+),/.exec(plainOf(raw))?.[1]);
  expect(new Set(amounts)).toEqual(new Set(['€10.00', '€20.00']));
  expect(amounts).toHaveLength(2);
  const captures = await w.sql<{ id: string }>(
    `SELECT encode(id, 'hex') AS id FROM payment.operations WHERE order_id = decode($1, 'hex') AND kind = 'capture'`,
    [id],
  );
  expect((await rowsTo(to)).map(({ about }) => about).toSorted()).toEqual(captures.map((one) => one.id).toSorted());
});

test('a declined payment or capture gets no receipt, nor does a payer without an address that can be written to', async () => {
  await w.shop.pay({ card_number: '4000000000000002' }, { customer_email: 'no@mail.example' });
  await w.shop.pay({ card_number: '4000009902000010' }, { customer_email: 'no@mail.example' });
  const before = await w.sql(`SELECT 1 FROM payment.mails WHERE kind = 'receipt'`);
  await w.shop.pay({}, { customer_email: '"a b"@mail.example' });
  await w.shop.pay();
  expect(await rowsTo('no@mail.example')).toEqual([]);
  expect(await w.sql(`SELECT 1 FROM payment.mails WHERE kind = 'receipt'`)).toHaveLength(before.length);
});

test('a capture that turns out to have failed before its receipt was sent has none', async () => {
  server.behave({ recipient: 451 });
  const to = 'undone@mail.example';
  const paid = await w.shop.pay({}, { customer_email: to });
  await until(async () => (await rowsTo(to))[0]?.note.includes('451') || undefined);
  await w.sql(
    `UPDATE payment.operations SET state = 'declined' WHERE order_id = decode($1, 'hex') AND kind = 'capture'`,
    [textAt(paid, 'order_id')],
  );
  await w.sql(`UPDATE payment.mails SET due_at = clock_timestamp() WHERE address = $1`, [to]);
  const ended = await until(async () => (await rowsTo(to)).find(({ state }) => state !== 'waiting'));
  expect(ended).toMatchObject({ state: 'given_up', note: 'what it tells of was taken back before it was sent' });
  server.behave({});
});

test('a reference that looks like a card number keeps no payment from being written: there is no receipt', async () => {
  const fields = { customer_email: 'ref@mail.example', order_merchant_id: '4242424242424242' };
  expect((await w.shop.pay({}, fields)).at('status')).toBe('capture_successful');
  expect(await rowsTo('ref@mail.example')).toEqual([]);
});

test('a letter that cannot be written keeps no payment from being written either', async () => {
  const order_id = textAt(await w.shop.pay({}, { customer_email: 'torn@payer.example' }), 'order_id');
  const { tools } = w.service;
  const merchant_account_id = w.account;
  const order = await findOrder(tools.db.tenant(merchant_account_id), order_id);
  if (!order) throw new Error('no order');
  // no date, so no text of one
  const torn = { ...order, created_at: 'never' };
  const of = { order: torn, to: 'torn@payer.example', operation_id: 'ab'.repeat(12), transaction_id: order_id };
  const receipt = { ...of, amount_minor: 1n, returned: undefined, at: new Date() };
  await withTransaction(tools.db, merchant_account_id, (tx) => writeReceipt(tools, tx, receipt));
  expect(await rowsTo('torn@payer.example')).toHaveLength(1);
});

test('receipts do not count among the mails that an account may write to its people in an hour', async () => {
  await w.sql(
    `INSERT INTO payment.mails (id, merchant_account_id, kind, about_id, address, sealed, state, until)
     SELECT substr(sha256(n::text::bytea), 1, 12), decode($1, 'hex'), 'receipt', substr(sha256(n::text::bytea), 1, 12), 'x@y', '', 'sent', clock_timestamp()
     FROM generate_series(1, 150) n`,
    [account],
  );
  const asked = await owner.post('/api/team/invitations', { email: 'ben@shop.example', role: 'reader', by: 'mail' });
  expect(asked.status).toBe(200);
  await w.shop.pay({}, { customer_email: 'after@mail.example' });
  await sentTo('after@mail.example');
});

test('nothing is written while the account does not want them, nor for an order that was made before it did', async () => {
  await wanted(false);
  const held = await w.shop.pay({}, { customer_email: 'off@mail.example', operation_type: 'authorize' });
  await w.shop.pay({}, { customer_email: 'off@mail.example' });
  await wanted(true);
  const later = await w.shop.pay({}, { customer_email: 'later@mail.example', operation_type: 'authorize' });
  await wanted(false);
  for (const order of [held, later])
    await w.shop.api(`/payment/maintenance/capture/${textAt(order, 'order_id')}`, { headers: { prefer: 'wait=10' } });
  expect([...(await rowsTo('off@mail.example')), ...(await rowsTo('later@mail.example'))]).toEqual([]);
  const marked = await w.sql(
    `SELECT 1 FROM payment.orders WHERE body ->> 'mail_receipt' IS NOT NULL AND id = decode($1, 'hex')`,
    [textAt(held, 'order_id')],
  );
  expect(marked).toEqual([]);
  await wanted(true);
});

test('a sandbox without a mail server keeps it, and shows it in its mailbox without a link that it never had', async () => {
  await using alone = await world();
  const ada = await firstOwner(alone);
  await ada.ask('PUT', '/api/settings', { mail_receipts: true });
  await alone.shop.pay({}, { customer_email: 'pia@mail.example', amount: '5.00' });
  const box = await ada.get('/api/sandbox/mails');
  expect(box.at('mails.0')).toMatchObject({ to: 'pia@mail.example', language: 'en', withheld: false });
  expect(box.at('mails.0.facts.0')).toEqual(['Amount', '€5.00']);
  const [row] = await alone.sql<{ id: string; hex: string; of: string }>(
    `SELECT encode(id, 'hex') AS id, encode(sealed, 'hex') AS hex, encode(merchant_account_id, 'hex') AS of FROM payment.mails`,
  );
  const letter = openLetter(alone.service.tools, row?.of ?? '', { id: row?.id ?? '', sealed: row?.hex ?? '' });
  expect(textOf(letter)).toContain('Amount: €5.00');
  expect(htmlOf({ ...letter, facts: [['<b>', '"&']] })).toContain('&lt;b&gt;</td><td dir="auto">&quot;&amp;</td>');
  expect(await sendMails(alone.service.tools, 4)).toBe(false);
});
