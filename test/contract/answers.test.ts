// Contract 3, 5 to 9, 13, 14.2, 15: what answers have in them, how every code is reached and answered, which code goes
// with which status. The rows come from the contract itself.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RESULTS, type ResultRow } from '../../src/core/results.ts';
import { type Json, type Reply, textAt } from '../client.ts';
import { numberOf } from '../providers/client.ts';
import { receiver } from '../notifications/receiver.ts';
import { LAST, storyOf } from '../sandbox/codes.ts';
import { type World, world } from '../world.ts';
import { type Answers, makeAnswers, pay, problemFinding } from './answers.ts';
import { type Row, namesIn, play, rows, section, takesCode } from './document.ts';

let w: World;
let document: Json;
let answers: Answers;
let notified: Readonly<Record<string, unknown>>;
beforeAll(async () => {
  w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  document = (await w.shop.api('/openapi.json')).body;
  await using to = await receiver();
  await w.shop.api('/notification/endpoint', { body: { url: to.url } });
  answers = await makeAnswers(w.shop);
  const taken = await to.until((got) => got.length > 0);
  notified = taken[0]?.body ?? {};
});
afterAll(() => w?.[Symbol.asyncDispose]());

const few = (wrong: readonly string[]) => wrong.slice(0, 12);

/** A part of the contract between two of its sentences. */
function between(number: string, from: string, to: string): string {
  const text = section(number);
  const begin = text.indexOf(from);
  const end = text.indexOf(to, begin);
  if (begin < 0 || end < 0) throw new Error(`section ${number} has no text between "${from}" and "${to}"`);
  return text.slice(begin, end);
}

function has(row: string, reply: Reply | undefined, names: readonly string[], at = ''): readonly Row[] {
  return names.map((name) => ({
    row: `${row} ${name}`,
    check: async () => {
      if (reply?.status !== 200) return `answered ${reply?.status} ${reply?.text}`;
      return reply.at(at + name) === undefined ? 'is not there' : undefined;
    },
  }));
}

/** 7.2: members of every order answer; the shorthands `_date, _result` continue the name before. */
function orderMemberRows(): readonly Row[] {
  const text = between('7.2', 'Members, always present:', 'subscription_id when there is one')
    .replace('risk_assessment_partner, _date, _result, _reason, _reason_code', RISK)
    .replace(
      /website_url and the five URLs/,
      'website_url, accept_url, decline_url, cancel_url, pending_url, exception_url',
    );
  const names = ['status', ...namesIn(text)];
  const replies = ['sold', 'declined', 'asked', 'undecided', 'refused'] as const;
  return replies.flatMap((name) => has(`7.2 ${name}:`, answers[name], names));
}
const RISK = ['partner', 'date', 'result', 'reason', 'reason_code'].map((one) => `risk_assessment_${one}`).join(', ');

function readMemberRows(): readonly Row[] {
  const parts = new Map(rows('7.5').map(([part = '', cell = '']) => [part, cell]));
  const cell = (name: string) => parts.get(name) ?? '';
  const operations = ['authentication', 'capture', 'refund', 'cancellation', 'authorization'].flatMap((kind) =>
    ['request_date', 'request_status', 'date', 'result'].map((one) => `${kind}_${one}`),
  );
  const per_operation = namesIn(cell('per operation').replace(/^.*_date, result;/, '')).filter(
    (name) => !name.endsWith('_'),
  );
  const transaction = [
    ...['identity', 'flags', 'money', 'provider', 'card', 'dispute'].flatMap((part) => namesIn(cell(part))),
    ...namesIn(cell('risk').replace(/risk_assessment_date, .*/, 'risk_assessment_date, risk_assessment_score,') + RISK),
    ...['partner_api_name', 'partner_id'].map((one) => `risk_assessment_${one}`),
    ...operations,
    ...per_operation.filter((name) => !['request_date', 'request_status'].includes(name)),
    'id',
    'type',
    'amount',
    'currency',
    'status',
    'recurring',
    'occurrence',
    'token',
    'customer_ip',
    'customer_ip_country',
    'captures',
    'refunds',
    'status_history',
    'operations',
  ];
  const top = [
    '_id',
    'type',
    'amount',
    'currency',
    'attempts_remaining',
    'order_version',
    'is_in_doubt',
    'giftcard_used',
  ].concat('baskets', 'merchant_data', 'merchant_account', 'createdAt', 'updatedAt', 'createdBy', 'transactions');
  const operation = namesIn(cell('operations[]')).concat(
    'type',
    'state',
    'amount',
    'currency',
    'transaction',
    'createdAt',
  );
  const history = ['status', 'code', 'date', 'request_id'];
  return ['read sold', 'read declined', 'read given_back', 'read asked'].flatMap((name) => [
    ...has(`7.5 ${name}:`, answers[name], top),
    ...has(`7.5 ${name}: transactions[]`, answers[name], [...new Set(transaction)], 'transactions.0.'),
    ...has(`7.5 ${name}: status_history[]`, answers[name], history, 'transactions.0.status_history.0.'),
    ...has(`7.5 ${name}: operations[]`, answers[name], operation, 'transactions.0.operations.0.'),
  ]);
}

function otherMemberRows(): readonly Row[] {
  const common = namesIn(between('8', 'Common answer members:', 'operation_merchant_id.')).concat('status');
  const more = {
    capture: namesIn(between('8.1', 'More members:', 'Several partial')).filter((name) => !name.includes('total_')),
    refund: namesIn(between('8.2', 'More members:', 'An order is refundable')),
    cancel: ['cancellation_date', 'cancellation_result'],
  };
  const record = namesIn(between('9.2', '_id, merchant_account', 'Unknown customer')).filter(
    (name) => !/^(browser_info_|date_last_use|nb_use)$/.test(name),
  );
  const browser = namesIn(
    section('9.3')
      .match(/"browser_info_\w+"/g)
      ?.join(' ') ?? '',
  );
  const body = namesIn(between('13.1', 'Body members:', 'Texts that do not exist')).filter(
    (name) => !WHERE_THEY_APPLY.has(name),
  );
  return [
    ...Object.entries(more).flatMap(([kind, names]) => has(`8 ${kind}:`, answers[kind], [...common, ...names])),
    ...has('9.2', answers['customer'], [...record, ...browser, '__v', 'createdAt', 'updatedAt']),
    ...has('5.2', answers['checkout'], ['checkout_id', 'status', 'attempts_remaining', 'orders'], 'checkout.'),
    ...[...body, 'event', 'sequence', 'status', 'amount', 'currency', 'token', 'result'].map((name) => ({
      row: `13.1 ${name}`,
      check: async () => (notified[name] === undefined ? 'is not there' : undefined),
    })),
  ];
}
const WHERE_THEY_APPLY = new Set([
  'link_id',
  'merchant_data',
  'capture_id',
  'refund_id',
  'operation_merchant_id',
  'redirect_url',
  'checkout_id',
  'authentication_requested',
]);

/** A code of the table: reached by its way, with its text and one of its statuses. */
function codeRow(row: ResultRow): Row {
  const { code, http, description, phase } = row;
  const by_number = ['capture', 'refund', 'cancel'].includes(phase) ? 422 : 200;
  return {
    row: `3 ${code}`,
    check: async () => {
      const replies = (await storyOf(row)?.(w.shop)) ?? [];
      const reply = replies.find((one) => one.code === code);
      if (!reply) return `not reached: ${replies.map((one) => `${one.status} ${JSON.stringify(one.code)}`).join(', ')}`;
      if (reply.at('result.description') !== description)
        return `says ${JSON.stringify(reply.at('result.description'))}`;
      if (![...http, by_number].includes(reply.status)) return `is answered with ${reply.status}`;
      return reply.status === 200 ? undefined : problemFinding(reply, [reply.status, code], document);
    },
  };
}

/** 15.3: `40000099`, 9, the code, the Luhn digit; what is no such number is 240021. */
function numberRow({ code, name, phase, kind, http }: ResultRow): readonly Row[] {
  if (!/^[1-7]/.test(code) || name.endsWith('_pending') || http.length === 0) return [];
  const later = ['capture', 'refund', 'cancel'].includes(phase);
  const own = (kind === 'technical' && (later || phase === 'order')) || name === 'payer_left_order' || phase === 'none';
  const expected = own ? '240021' : code;
  return [
    {
      row: `15.3 the number of ${code}`,
      check: async () => {
        const fields = phase === 'authentication' ? { authentication_indicator: 'force_3ds' } : {};
        const sale = phase === 'refund' ? { operation_type: 'direct_capture' } : {};
        const paid = await pay(w.shop, numberOf(code), { ...fields, ...sale });
        const read = await w.shop.read(textAt(paid, 'order_id'));
        // the bank's page decides where the payer has to act, and 420150 is not the end of it
        const seen = [paid.code, read.code];
        if (!later || own)
          return seen.includes(expected) || paid.at('redirect_url') !== undefined ? undefined : JSON.stringify(seen);
        const done = await w.shop.api(`/payment/maintenance/${phase}/${textAt(paid, 'order_id')}`, {
          body: {},
          headers: { prefer: 'wait=10' },
        });
        return problemFinding(done, [422, code], document);
      },
    },
  ];
}

/**
 * 15.2 and 15.3: every number in a table is listed, with issuer and country, and tokenizes, but for the mistyped one.
 */
function cardRows(cards: Json | undefined): readonly Row[] {
  const listed = new Map(
    (Array.isArray(cards) ? cards : []).map((card) => [String(Object(card).number), Object(card)]),
  );
  const numbers = [...rows('15.2'), ...rows('15.3')].flatMap(([cell = '']) => cell.match(/\b\d{14,19}\b/g) ?? []);
  return numbers.map((number) => ({
    row: `15 the card ${number}`,
    check: async () => {
      const card = listed.get(number);
      if (!card) return 'is not listed';
      const body = { card_number: number, card_validity_month: '12', card_validity_year: '34' };
      const reply = await w.shop.vault('/token', { body: { ...body, cvc: /^3[47]/.test(number) ? '1234' : '123' } });
      if (number === '4242424242424241') return problemFinding(reply, [400, '240021'], document);
      if (card.issuer !== 'Florin Test Bank' || !/^[A-Z]{2}$/.test(card.country)) return JSON.stringify(card);
      return reply.status === 200 && reply.headers.get('x-sandbox-card') === null ? undefined : reply.text;
    },
  }));
}

/** 14.2: every status the run has seen came with a code of its row. */
async function statusRows(): Promise<readonly Row[]> {
  const seen = await w.sql<{ type: string; code: string }>(
    `SELECT DISTINCT type, code FROM payment.events WHERE type NOT LIKE '%.%' AND code IS NOT NULL`,
  );
  const table = new Map(rows('14.2').map(([status = '', , , codes = '']) => [status, codes]));
  const pairs = seen.map(({ type, code }) => ({
    row: `14.2 ${type} with ${code}`,
    check: async () => {
      const cell = table.get(type) ?? '';
      return takesCode(cell, code) ? undefined : `the row has ${cell}`;
    },
  }));
  const events = [...table.keys()].map((status) => ({
    row: `13.2 the event ${status}`,
    check: async () => {
      const body = { url: 'http://127.0.0.1:1/none', events: [status] };
      const reply = await w.shop.api('/notification/endpoint', { body });
      const id = reply.at('endpoint._id');
      if (typeof id === 'string') await w.shop.api(`/notification/endpoint/${id}`, { method: 'DELETE' });
      return reply.status === (status === 'created' ? 400 : 200) ? undefined : `${reply.status} ${reply.text}`;
    },
  }));
  return [...pairs, ...events];
}

test('answers have every member that the contract says is always present', async () => {
  const checks = [...orderMemberRows(), ...readMemberRows(), ...otherMemberRows()];
  expect(checks.length).toBeGreaterThan(500);
  expect(few(await play(checks))).toEqual([]);
});

test('every operation of a read names the request that caused it', () => {
  for (const name of ['sold', 'declined', 'refused', 'asked']) {
    const operations = answers[`read ${name}`]?.at('transactions.0.operations');
    const named = (Array.isArray(operations) ? operations : []).map((one) => [
      Object(one).type,
      Object(one).request_id,
    ]);
    const request_id = answers[name]?.headers.get('x-request-id');
    expect([name, named]).toEqual([name, named.map(([type]) => [type, request_id])]);
    expect(named.length).toBeGreaterThan(0);
  }
  expect(answers['read refused']?.at('transactions.0.operations.0.type')).toBe('risk_assessment');
});

test('every code is answered with its text and one of its statuses', async () => {
  const answered = RESULTS.filter(({ http }) => http.length > 0);
  const checks = answered.filter(({ code }) => !LAST.includes(code)).map(codeRow);
  expect(checks.length).toBeGreaterThan(100);
  expect(few(await play(checks, 8))).toEqual([]);
});

test('the number of each code ends so at the simulated bank', async () => {
  const checks = RESULTS.flatMap(numberRow);
  expect(checks.length).toBeGreaterThan(90);
  expect(few(await play(checks, 8))).toEqual([]);
});

test('every card of the sandbox is listed and becomes a token', async () => {
  const checks = cardRows((await w.shop.api('/sandbox/cards')).at('cards'));
  expect(checks.length).toBeGreaterThan(80);
  expect(few(await play(checks))).toEqual([]);
});

test('every status comes with a code of its row, and is an event', async () => {
  const checks = await statusRows();
  expect(checks.length).toBeGreaterThan(60);
  expect(few(await play(checks, 1))).toEqual([]);
});
