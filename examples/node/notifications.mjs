// Takes notifications: each once, the newest of an order wins. A file an order stands for a row of your database.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemOf } from './signature.mjs';

const { NOTIFICATION_SECRETS = '', STATE = 'state' } = process.env;

if (NOTIFICATION_SECRETS === '') console.error('NOTIFICATION_SECRETS is empty: every notification is refused');

// region: take
/** What to answer, and what was done. Answer 2xx only after it is stored: everything else is sent again. */
export function take(headers, body) {
  const problem = problemOf(headers, body, NOTIFICATION_SECRETS.split(' '));
  if (problem) return { http: 400, did: problem };
  const told = JSON.parse(body);
  if (!told.order_id) return { http: 200, did: 'noted' }; // `test`, and news about a checkout or customer
  const known = readOrder(told.order_id);
  const id = headers['webhook-id'];
  if (known.ids.includes(id)) return { http: 200, did: 'repeated' };
  const order = { ...known, ids: [...known.ids, id] };
  if (told.sequence < known.sequence) {
    storeOrder(told.order_id, order);
    return { http: 200, did: 'older' }; // came late: what is known is newer
  }
  const { status, sequence, result, capture_total_amount, refund_total_amount } = told;
  // an event in between did not come: read the order if you book each capture and refund
  const missed = (told.previous_sequence ?? 0) > known.sequence;
  const money = { captured: capture_total_amount, refunded: refund_total_amount };
  storeOrder(told.order_id, { ...order, ...money, status, sequence, code: result?.code, missed });
  return { http: 200, did: missed ? 'applied, one is missing' : 'applied' };
}
// endregion

function readOrder(order_id) {
  try {
    return JSON.parse(readFileSync(join(STATE, `${order_id}.json`), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return { sequence: 0, ids: [] };
    throw error;
  }
}

/** Whole or not at all, as a transaction. */
function storeOrder(order_id, order) {
  mkdirSync(STATE, { recursive: true });
  const file = join(STATE, `${order_id}.json`);
  writeFileSync(`${file}.new`, JSON.stringify(order));
  renameSync(`${file}.new`, file);
}
