// How long the page of a payer keeps them (contract 10.2): it goes on with the first answer that knows more than the
// page does.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../client.ts';
import { type World, world } from '../world.ts';
import { formOf, open, redirectOf, toBank } from './payer.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const CHALLENGE = { card_number: '4000002760003184' };
const ASK = { authentication_indicator: 'ask_3ds', pending_url: 'https://shop.example/pending' };

const pay = async () => redirectOf(await w.shop.pay(CHALLENGE, ASK));

/** The address that the page's script asks whether it may go on. */
function statusUrl(url: string, html: string): string {
  const path = /"status_url":"([^"]+)"/.exec(html)?.[1];
  if (path === undefined) throw new Error(`this page asks nothing: ${html.slice(0, 4000)}`);
  return new URL(path, url).href;
}

async function answerOf(url: string): Promise<unknown> {
  const answer: unknown = await (await fetch(url)).json();
  return answer;
}

test('the bank has seen the browser: the page goes on with its first question, not after ten seconds', async () => {
  const redirect = await pay();
  const page = await open(redirect);
  formOf(page, 'method');
  const asks = statusUrl(redirect, page.html);
  expect(await answerOf(asks)).toEqual({ next: 'stay', state: 'method' });
  expect((await fetch(`${redirect}/seen`, { method: 'POST' })).status).toBe(204);
  expect(await answerOf(asks)).toEqual({ next: 'reload', state: 'challenge' });
});

test('a page that waits for the bank’s answer goes on to the challenge as soon as the bank wants one', async () => {
  const redirect = await pay();
  // the bank is being asked: the page neither shows it the browser nor leads to it
  await w.sql(`UPDATE payment.authentications SET method_url = NULL WHERE handle = decode($1, 'hex')`, [
    redirect.slice(-64),
  ]);
  const waiting = await open(redirect);
  const asks = statusUrl(redirect, waiting.html);
  expect(await answerOf(asks)).toEqual({ next: 'stay', state: 'method' });
  await w.sql(
    `UPDATE payment.authentications SET method_url = 'https://bank.example/' WHERE handle = decode($1, 'hex')`,
    [redirect.slice(-64)],
  );
  await fetch(`${redirect}/seen`, { method: 'POST' });
  expect(await answerOf(asks)).toEqual({ next: 'reload', state: 'challenge' });
});

test('back from the bank, which has not said yet how it ended: the page stays, and says so', async () => {
  const redirect = await pay();
  await toBank(redirect);
  const waiting = await open(`${redirect}?back`);
  // without a script it refreshes itself, and its button refreshes it: neither leads to the bank once more
  const here = `/pay/${redirect.slice(-64)}?back`;
  expect(waiting.html).toContain(`<noscript><meta http-equiv="refresh" content="5; url=${here}"></noscript>`);
  expect(waiting.html).toContain(`href="${here}">Refresh</a>`);
  const asks = statusUrl(redirect, waiting.html);
  expect(await answerOf(asks)).toEqual({ next: 'stay', state: 'challenge' });
  const order = await w.sql<{ id: string }>(
    `UPDATE payment.authentications SET due_at = payment.now() WHERE handle = decode($1, 'hex') RETURNING id`,
    [redirect.slice(-64)],
  );
  expect(order).toHaveLength(1);
  await until(async () => {
    const answer = await answerOf(asks);
    return JSON.stringify(answer) === '{"next":"reload","state":"declined"}' ? true : undefined;
  });
});
