// Findings of florin reconcile whose merchant account is not in this database: an operator lists and settles them.
import { DEPLOYMENT, writeAudit } from '../../backoffice/audit/audit.ts';
import { isId } from '../../core/ids.ts';
import { withTransaction } from '../../kit/database.ts';
import { StartError } from '../../kit/start-error.ts';
import {
  type StrayFinding,
  findStrayFindings,
  settleStrayFinding,
} from '../../payment/ledger/reconcile/stray-store.ts';
import type { Tools } from '../../payment/tools.ts';
import { moneyText, tableOf } from './table.ts';

const ROOM = 1000;

/** Undefined if there are none. */
export async function straysText({ db }: Pick<Tools, 'db'>): Promise<string | undefined> {
  const strays = await findStrayFindings(db, ROOM);
  if (strays.length === 0) return undefined;
  const many = strays.length === ROOM ? `The ${ROOM} oldest are shown` : `${strays.length} open`;
  return `Findings of florin reconcile that name a merchant account that is not here:

${tableOf(COLUMNS, strays.map(rowOf))}

${many}. No page of the back office shows them. When you know what one is:

  florin review settle-finding FINDING_ID --reason TEXT --by NAME`;
}

const COLUMNS = [
  { title: 'finding' },
  { title: 'merchant account' },
  { title: 'provider' },
  { title: 'difference' },
  { title: 'what' },
  { title: 'order' },
  { title: 'reference' },
  { title: 'apart', right: true as const },
  { title: 'theirs' },
  { title: 'file' },
  { title: 'found' },
];

function rowOf(stray: StrayFinding): string[] {
  const { id, merchant_account_id, provider, kind, what, order_id, reference, theirs, source } = stray;
  const apart = moneyText(stray.amount_minor, stray.currency);
  const found = stray.found_at.toISOString().slice(0, 10);
  return [id, merchant_account_id, provider, kind, what, order_id, reference, apart, theirs, source, found];
}

type Settling = { readonly id: string; readonly reason: string; readonly by: string };

/** Books nothing. The record goes to the audit of the deployment, because the account has none here. */
export async function settleStray({ db }: Pick<Tools, 'db'>, { id, reason, by }: Settling): Promise<string> {
  const settled = await withTransaction(db, DEPLOYMENT, async (tx) => {
    const found = isId(id) ? await settleStrayFinding(tx, { id, note: reason, by_name: by }) : undefined;
    if (!found) return undefined;
    const { merchant_account_id, order_id, kind, what, source } = found;
    const detail = { finding_id: id, merchant_account_id, kind, what, source };
    const who = { actor: by, source: 'command line' };
    await writeAudit(tx, who, { action: 'finding settled', object: order_id, reason, detail });
    return found;
  });
  if (!settled)
    throw new StartError(
      `There is no open finding ${id} of an account that is not here. \`florin review\` lists them; those of an account are settled on its page Reconciliation.`,
    );
  return `The finding is settled: ${settled.kind}, order ${settled.order_id}, in ${settled.source}.`;
}
