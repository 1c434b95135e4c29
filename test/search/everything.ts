// Runs every statement of the search once.
import { HIGHEST_ID } from '../../src/core/ids.ts';
import { findQueueFigures } from '../../src/payment/metrics/metrics-store.ts';
import { findUncounted, listCurrencies, sumInDoubt } from '../../src/payment/overview/store.ts';
import { overviewOf } from '../../src/payment/overview/overview.ts';
import { matchNow } from '../../src/payment/order/search/match.ts';
import { searchOrders } from '../../src/payment/order/search/rows.ts';
import {
  findAmong,
  findByAmount,
  findByClass,
  findByCustomer,
  findByEmail,
  findByLast4,
  findDisputed,
  findInDoubt,
  walkOrders,
} from '../../src/payment/order/search/indexed/path-store.ts';
import { classParameters, pageParameters, rowParameters } from '../../src/payment/order/search/parameters.ts';
import type { TenantRunner } from '../../src/kit/database.ts';

export async function everySearchStatement(db: TenantRunner): Promise<void> {
  await searchOrders(db, { filters: { text: '0'.repeat(24), in_doubt: true }, limit: 1 });
  await searchOrders(db, { filters: {}, limit: 1 });
  await searchOrders(db, { filters: { text: 'no one' }, limit: 1 });
  await findQueueFigures(db);
  await listCurrencies(db);
  await overviewOf(db, { first: 0, count: 2, zone: 'UTC', before: 2, currency: 'EUR', now: new Date(0) });
  await findUncounted(db);
  await sumInDoubt(db);
  const wanted = {};
  const parameters = {
    ...pageParameters(db.merchant_account_id, wanted, { before: HIGHEST_ID, room: 1 }),
    ...classParameters(wanted),
    ...rowParameters(wanted),
  };
  const paths = [
    findByAmount,
    findByClass,
    findByCustomer,
    findByEmail,
    findByLast4,
    findDisputed,
    findInDoubt,
    walkOrders,
  ];
  await matchNow(db, ['0'.repeat(24)], { wanted });
  await findAmong(db, ['0'.repeat(24)], parameters);
  for (const path of paths) await path(db, parameters);
}
