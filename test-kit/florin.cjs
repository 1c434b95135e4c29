// florin/test: a whole sandbox inside the tests of another project (docs/test-kit.md). Plain JavaScript for Node 20 and newer, and
// CommonJS, as jest loads nothing else without a switch: it starts Florin as a process, and speaks to it as a merchant does.
'use strict';
const { join } = require('node:path');
const { mkdtempSync, realpathSync } = require('node:fs');
const { createHash, randomUUID } = require('node:crypto');
const { tmpdir } = require('node:os');
const { clearInterval, setInterval } = require('node:timers');
const { cacheFolder } = require('../bin/outside.cjs');
const { cards } = require('./cards.cjs');
const { ask } = require('./ask.cjs');
const { catchNotifications } = require('./notifications.cjs');
const { authenticate } = require('./payer.cjs');
const { join: joinSandbox } = require('./process.cjs');

const UNITS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** A merchant account of its own in the sandbox of this project, which is started where none runs. */
async function startFlorin({ own_clock = false } = {}) {
  const kept = cacheFolder();
  const place = own_clock
    ? mkdtempSync(join(realpathSync(tmpdir()), 'florin-sandbox-at-'))
    : join(kept, 'shared', createHash('sha256').update(`${process.cwd()}\n${__dirname}`).digest('hex').slice(0, 24));
  const { account, leave } = await joinSandbox({ place, kept, alone: own_clock });
  const call = (url, path, { method, body, headers } = {}) =>
    ask(url + path, { method, body, headers: { 'x-api-key': account.private_key, ...headers } });
  const api = (path, asking) => call(account.api_url, path, asking);
  const good = async (path, asking) => {
    const answer = await api(path, asking);
    if (answer.status === 200) return answer.body;
    throw new Error(`Florin refused ${path} with ${answer.status}: ${JSON.stringify(answer.body)}`);
  };
  const notifications = await catchNotifications(good);
  const token = async (card_number, more = {}) => {
    const card = { card_number, card_validity_month: '12', card_validity_year: '2034', cvc: cvcOf(card_number) };
    const { status, body } = await call(account.vault_url, '/token', { body: { ...card, ...more } });
    if (status !== 200) throw new Error(`The vault refused the card with ${status}: ${JSON.stringify(body)}`);
    return body.token;
  };
  const read = (order) => good(`/payment/order/${idOf(order)}`);
  let closed;
  const close = () => {
    stopWatching();
    closed ??= notifications.close().then(leave);
    return closed;
  };
  const stopWatching = whenOrphaned(() => {
    notifications.give_up(new Error('The test runner is gone, and its sandbox with it.'));
    void close();
  });
  return {
    ...account,
    cards,
    ask: api,
    token,
    pay: async ({ card = cards.approved, ...fields } = {}, { wait = 10 } = {}) => {
      const order = { operation_type: 'direct_capture', amount: '42.50', currency: 'EUR', ...fields };
      const body = { order_merchant_id: `test-${nextNumber()}`, ...order, token: fields.token ?? (await token(card)) };
      const answer = await api('/payment/order', { body, headers: { prefer: `wait=${wait}` } });
      if (answer.body?.order_id) return answer.body;
      throw new Error(`The order was refused with ${answer.status}: ${JSON.stringify(answer.body)}`);
    },
    authenticate: async (order, act) => authenticate(order.redirect_url ?? (await read(order)).redirect_url, act),
    order: read,
    clock: {
      now: async () => new Date((await good('/sandbox/clock')).now),
      advance: async (span) => {
        if (!own_clock) throw new Error(CLOCK_OF_ALL);
        // with one key the clock is moved once, and to ask again waits until all that was due has happened
        const asking = { body: { seconds: secondsOf(span) }, headers: { 'idempotency-key': randomUUID() } };
        let moved = await good('/sandbox/clock/advance', asking);
        while (!moved.settled) moved = await good('/sandbox/clock/advance', asking);
        return new Date(moved.now);
      },
    },
    faults: {
      arm: async (fault) => (await good('/sandbox/scenario', { body: fault })).scenario,
      list: async () => (await good('/sandbox/scenario')).scenarios,
      clear: async () => void (await good('/sandbox/scenario', { method: 'DELETE' })),
    },
    notifications,
    close,
    [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]: close,
  };
}

/** A runner that is killed leaves the processes of its test files behind, whose results are not read. */
function whenOrphaned(then) {
  const { NODE_TEST_CONTEXT, VITEST_WORKER_ID, JEST_WORKER_ID } = process.env;
  const runner = process.ppid;
  if (!NODE_TEST_CONTEXT && !VITEST_WORKER_ID && !JEST_WORKER_ID) return () => undefined;
  const timer = setInterval(() => {
    if (process.ppid !== runner) then();
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

const LOOK_MS = 500;

const CLOCK_OF_ALL =
  'The clock is that of the whole sandbox, and other tests run in this one. Take one alone: startFlorin({ own_clock: true }).';

let orders = 0;
const nextNumber = () => `${process.pid}-${(orders += 1)}`;

/** American Express prints four digits. */
const cvcOf = (number) => (/^3[47]/.test(number) ? '1234' : '123');
const idOf = (order) => (typeof order === 'string' ? order : order.order_id);

/** 90, 90s, 30m, 12h, 3d, 2w, 1d12h. */
function secondsOf(span) {
  if (typeof span === 'number') return span;
  const parts = [...span.matchAll(/(\d{1,9})([smhdw])/g)];
  const seconds = parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit], 0);
  if (parts.map(([text]) => text).join('') === span && seconds > 0) return seconds;
  throw new Error(`${span} is no span: 90s, 30m, 12h, 3d, 2w and 1d12h are.`);
}

exports.startFlorin = startFlorin;
exports.cards = cards;
