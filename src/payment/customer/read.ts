// GET /payment/information/{customer_id} (contract 9.2), and the record that a removal answers too.
import { Refusal, refuseUnknown } from '../../core/refusals.ts';
import { result } from '../../core/results.ts';
import type { Answer } from '../../kit/http/route.ts';
import { savedItemOf } from '../checkout/methods.ts';
import type { Account } from '../merchant/account.ts';
import type { Tools } from '../tools.ts';
import { lookUp, savedCard } from './record.ts';
import type { CustomerRow } from './store.ts';

export async function readCustomer(tools: Tools, account: Account, customer_id: string): Promise<Answer> {
  const row = isCustomerId(customer_id) ? await lookUp(tools, account.merchant_account_id, customer_id) : undefined;
  if (!row) throw customerUnknown();
  return { body: recordView(tools, account, row) };
}

export function customerUnknown(): Refusal {
  return refuseUnknown('customer', 'one is known after the first checkout or order with its customer_id');
}

/**
 * Could this text be stored as a customer_id? Any other text in a path is as unknown as a customer that does not exist.
 */
function isCustomerId(text: string): boolean {
  return text !== '' && text.length <= 510 && text.isWellFormed() && !text.includes('\0');
}

/** Members of the base's record that come from the browser data of requests. */
const BROWSER_MEMBERS = [
  'accept_header',
  'color_depth',
  'js_enabled',
  'java_enabled',
  'language',
  'screen_height',
  'screen_width',
  'time_zone',
  'user_agent',
].map((name) => `browser_info_${name}`);

export function recordView(tools: Tools, account: Account, row: CustomerRow): Record<string, unknown> {
  const { customer_id } = row;
  return {
    result: result('customer_updated'),
    _id: row.id,
    merchant_account: account.merchant_account_id,
    customer_id,
    __v: row.version,
    ...Object.fromEntries(BROWSER_MEMBERS.map((member) => [member, row.browser[member] ?? null])),
    ip: row.ip,
    ip_country: row.ip === null ? null : tools.origins.countryOf(row.ip),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    payment_methods_saved: row.saved.map((card) =>
      savedItemOf(account, savedCard(tools, account, { customer_id, card })),
    ),
    payment_methods_used: row.used.map(({ name, uses, last_used_at }) => ({
      name,
      date_last_use: last_used_at,
      nb_use: uses,
    })),
    pm_merchant_accounts: [],
  };
}
