// The tools that read, over the routes of the public API: orders, their history, operations in doubt, why a provider
// was chosen, codes and pages. The API itself keeps tenants from seeing each other's data.
import { currency, datetime, id24, int, oneOf, text } from '../../core/fields.ts';
import { RESULTS, findResult } from '../../core/results.ts';
import { required } from '../../core/shape.ts';
import { ORDER_STATUS_NAMES } from '../../core/states.ts';
import { StartError } from '../../kit/start-error.ts';
import { type Json, listIn, textIn } from '../sandbox/session.ts';
import { pageText, searchPages } from './pages.ts';
import { fenced } from './quote.ts';
import type { Reader } from './hands.ts';
import { queryOf, readTool } from './tool.ts';

const PAGE = 20;

const order_id = required(id24);

async function orderOf(reader: Reader, id: string): Promise<Json> {
  const order = await reader.read(`/payment/order/${id}`);
  if (!order) throw new StartError(`There is no order ${id} in the account of this key.`);
  return order;
}

/** The meaning of a code from our own table; a text that came beside the code is not used. */
function meaningOf(code: unknown): string {
  const row = typeof code === 'string' ? findResult(code) : undefined;
  return row ? `${row.code} (${row.description})` : 'no code of ours';
}

/** The order's status, if it is one of ours. */
function statusIn(order: Json): string {
  const said = ORDER_STATUS_NAMES.find((status) => status === order['status']);
  return said ?? 'a status that this version does not know';
}

const pick = (of: Json, names: readonly string[]): Json =>
  Object.fromEntries(
    names.flatMap((name) => (of[name] === undefined || of[name] === '' || of[name] === null ? [] : [[name, of[name]]])),
  );

const LISTED = [
  'order_id',
  'order_merchant_id',
  'status',
  'order_amount',
  'order_currency',
  'payin_partner',
  'createdAt',
  'customer_id',
  'result',
];
const OPERATION = [
  '_id',
  'type',
  'state',
  'amount',
  'currency',
  'request_date',
  'result_date',
  'partner_result_code',
  'partner_result_description',
  'partner_operation_id',
  'operation_merchant_id',
  'request_id',
];

export const READ_TOOLS = [
  readTool({
    name: 'search_orders',
    says: 'Orders of the account, newest first, by what is known of them. Answers at most 50, and next_cursor where there are more.',
    takes: {
      order_merchant_id: text(255),
      checkout_id: id24,
      customer_id: text(255),
      status: oneOf(...ORDER_STATUS_NAMES),
      currency,
      payin_partner: text(64),
      created_from: datetime,
      created_to: datetime,
      limit: int(1, 50),
      cursor: text(64),
    },
    run: async (given, reader) => {
      const found = (await reader.read(`/payment/order${queryOf({ limit: PAGE, ...given })}`)) ?? {};
      const orders = listIn(found, 'orders').map((order) => pick(order, LISTED));
      return `${orders.length} orders.\n${fenced({ orders, next_cursor: found['next_cursor'] ?? null })}`;
    },
  }),
  readTool({
    name: 'show_order',
    says: 'One order with its transactions and operations, all members of the API answer.',
    takes: { order_id },
    run: async (given, reader) => {
      const order = await orderOf(reader, given.order_id);
      return `Order ${given.order_id}: ${statusIn(order)}.${order['is_in_doubt'] === true ? ' It is in doubt: explain_doubt says why.' : ''}\n${fenced(order)}`;
    },
  }),
  readTool({
    name: 'order_timeline',
    says: 'What happened to an order, in the order of time: statuses with their codes, and operations with what the provider said.',
    takes: { order_id },
    run: async (given, reader) => {
      const order = await orderOf(reader, given.order_id);
      const moments = listIn(order, 'transactions').flatMap((transaction) => [
        ...listIn(transaction, 'status_history').map((one) => ({
          at: textIn(one, 'date'),
          status: one['status'],
          means: meaningOf(one['code']),
          request_id: one['request_id'],
        })),
        ...listIn(transaction, 'operations').map((one) => ({
          at: textIn(one, 'request_date'),
          at_provider: transaction['payin_partner'],
          ...pick(one, OPERATION),
        })),
      ]);
      const sorted = moments.toSorted((a, b) => (a.at < b.at ? -1 : 1));
      return `Order ${given.order_id}: ${sorted.length} moments, now ${statusIn(order)}.\n${fenced(sorted)}`;
    },
  }),
  readTool({
    name: 'orders_in_doubt',
    says: 'Orders of which an outcome is not known, the newest first: something was sent to a provider, and nothing proves yet whether it was done, or a provider contradicts what is final.',
    takes: { limit: int(1, 50) },
    run: async ({ limit = PAGE }, reader) => {
      // by the status alone one would be missed behind which something else was done since
      const list = (await reader.read(`/payment/order${queryOf({ is_in_doubt: 'true', limit })}`)) ?? {};
      const doubts = [];
      for (const id of listIn(list, 'orders').map((order) => textIn(order, 'order_id'))) {
        const order = await reader.read(`/payment/order/${id}`);
        // decided meanwhile, or a service of an earlier version, which lists all
        if (order?.['is_in_doubt'] === true) doubts.push({ order_id: id, ...doubtOf(order) });
      }
      const more = list['has_more'] === true ? ' There may be more: ask with a higher limit.' : '';
      return `${doubts.length} orders are in doubt.${more}\n${fenced(doubts)}`;
    },
  }),
  readTool({
    name: 'explain_doubt',
    says: 'Why an order is in doubt or waits, what the service does about it, and what not to do.',
    takes: { order_id },
    run: async (given, reader) => {
      const order = await orderOf(reader, given.order_id);
      // what is only requested is no doubt, unless it undoes: beside a contradiction it may be under way
      const is_unproved = openOperations(order).some(({ state, type }) => state === 'in_doubt' || type === 'reversal');
      const why =
        order['is_in_doubt'] !== true
          ? `The order is not in doubt: it stands at ${statusIn(order)}, ${meaningOf(codeIn(order))}.`
          : is_unproved
            ? IN_DOUBT
            : CONTRADICTED;
      return `${why}\n${fenced(doubtOf(order))}`;
    },
  }),
  readTool({
    name: 'explain_route',
    says: 'Why a payment went to the providers it went to: each attempt and fallback with its contract and how it ended, and what the order asked of a contract.',
    takes: { order_id },
    run: async (given, reader) => {
      const order = await orderOf(reader, given.order_id);
      const tries = listIn(order, 'transactions').map((one, i) => ({
        try: i + 1,
        by: kindOfTry(one),
        ...pick(one, ['merchant_contract', 'payin_partner', 'status', 'payment_method_name', 'card_country']),
        operations: listIn(one, 'operations').map((operation) =>
          pick(operation, ['type', 'state', 'partner_result_code', 'partner_result_description']),
        ),
      }));
      const asked = pick(order, [
        'type',
        'payment_channel',
        'currency',
        'customer_country',
        'payment_method_name',
        'merchant_contract_id',
      ]);
      return `${ROUTING} Now: ${statusIn(order)}, ${meaningOf(codeIn(order))}.\n${fenced({ asked, tries })}`;
    },
  }),
  readTool({
    name: 'result_code',
    says: 'What a result code means, who decided, whether another provider or attempt may be tried. Takes the six digits, or a part of its name or meaning.',
    takes: { code: required(text(64)) },
    run: async ({ code }) => {
      const wanted = code.toLowerCase();
      const rows = RESULTS.filter(
        (row) => row.code === code || `${row.name} ${row.description}`.includes(wanted),
      ).slice(0, PAGE);
      if (rows.length === 0)
        return 'There is no such code. One that is not listed is treated by its first digit: docs/reference/codes.md.';
      return rows
        .map(
          (row) =>
            `${row.code} ${row.name}: ${row.description}. Phase ${row.phase}, kind ${row.kind}, decided by ${row.side}. Another provider ${row.fallback_allowed ? 'may' : 'must not'} be tried.`,
        )
        .join('\n');
    },
  }),
  readTool({
    name: 'search_docs',
    says: 'Sections of the documentation in which all words stand, the best first.',
    takes: { words: required(text(200)), limit: int(1, 20) },
    run: async ({ words, limit = 8 }) => searchPages(words, limit),
  }),
  readTool({
    name: 'read_docs',
    says: 'A page of the documentation, or one section of it, as search_docs names them.',
    takes: { page: required(text(100)), section: text(200), from: int(0, 10_000_000) },
    run: async ({ page, section, from = 0 }) => pageText(page, { section, from }),
  }),
];

const codeIn = (order: Json): unknown => {
  const result = order['result'];
  return typeof result === 'object' && result !== null && 'code' in result ? result.code : undefined;
};

function kindOfTry(transaction: Json): string {
  if (transaction['is_fallback'] === true) return 'fallback';
  return transaction['is_new_transaction'] === true ? 'attempt' : 'the same provider once more';
}

function openOperations(order: Json): readonly Json[] {
  return listIn(order, 'transactions')
    .flatMap((transaction) => listIn(transaction, 'operations'))
    .filter(({ state }) => state === 'in_doubt' || state === 'requested');
}

function doubtOf(order: Json): Json {
  return {
    ...pick(order, ['status', 'order_merchant_id', 'amount', 'currency', 'is_in_doubt', 'updatedAt']),
    means: meaningOf(codeIn(order)),
    open: openOperations(order).map((operation) => pick(operation, OPERATION)),
  };
}

const IN_DOUBT =
  'An operation was sent, and no answer proves what became of it: it may have been done. Its money is blocked until that is proved. The service asks the provider, and reverses an authorization that must not stay. Do not send it again under another Idempotency-Key, and do not tell the payer that it failed: read the order again, or wait for its notification.';
const CONTRADICTED =
  "A provider says something else than what is final here. The books of the provider, or two people in the back office, settle it. Do not book it by the provider's word alone.";
const ROUTING =
  "The first contract of the account that fits what is asked is tried, unless the request names one (merchant_contract). After a trouble of the provider's own, which is a code with the third digit 0 that another may be tried for, the next provider's contract takes the payment as a fallback, for an authorization of which nothing was taken. Contracts themselves are seen in the back office: a key does not read them.";
