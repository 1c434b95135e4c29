// Why an order went where it went, in words: for the back office, the command line and the page of an order.
import { listContracts } from '../merchant/contract-store.ts';
import type { Tools } from '../tools.ts';
import { findVersions } from '../versions-store.ts';
import type { RouteTable } from '../../core/routing/table.ts';
import type { RouteKept } from './note.ts';
import { whyWords } from './view.ts';

type Attempt = { readonly id: string; readonly route: RouteKept | null; readonly cascade_of: string | null };
export type Why = { readonly transaction_id: string; readonly lines: readonly string[] };

/**
 * Of each attempt, fallbacks inside one not counted; none for attempts without a note. Asks nothing where there is no
 * note.
 */
export async function whyOf(
  { db }: Pick<Tools, 'db'>,
  {
    merchant_account_id,
    transactions,
  }: { readonly merchant_account_id: string; readonly transactions: readonly Attempt[] },
): Promise<readonly Why[]> {
  const routed = transactions.flatMap(({ id, route, cascade_of }) =>
    route && cascade_of === null ? [{ id, route }] : [],
  );
  if (routed.length === 0) return [];
  const runner = db.tenant(merchant_account_id);
  const contracts = await listContracts(runner);
  return Promise.all(
    routed.map(async ({ id, route }) => {
      const { v, r } = route.note;
      const [version] = v === 0 ? [] : await findVersions<RouteTable>(runner, 'routing', v);
      const then = r === undefined ? undefined : version?.rules.rules[r]?.then;
      const known = [...contracts, ...(route.of?.contracts ?? [])];
      const lines = whyWords(route, {
        contract: (one) => known.find((contract) => contract.id === one)?.name ?? one,
        by: version?.by_name ?? null,
        shares: then && 'split' in then ? then.split : [],
      });
      return { transaction_id: id, lines };
    }),
  );
}
