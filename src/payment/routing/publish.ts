// Routing rules of an account: drafted, looked over, published, compared, rolled back (versions.ts).
import { isSame } from '../../core/differences.ts';
import { DAY_MS } from '../../core/durations.ts';
import type { JsonValue } from '../../core/json.ts';
import { refuseProblems } from '../../core/refusals.ts';
import { refuseWithoutFees } from '../../core/routing/fees.ts';
import { type Warning, lint } from '../../core/routing/lint.ts';
import { type RouteDraft, type RouteTable, type RoutingInForce, readTable } from '../../core/routing/table.ts';
import { Reading } from '../../core/shape.ts';
import { listContracts } from '../merchant/contract-store.ts';
import type { Tools } from '../tools.ts';
import { type Published, type Publishing, publishVersion, versionOf } from '../versions.ts';
import { type VersionRow, findVersions } from '../versions-store.ts';
import { NO_RULES } from './decide.ts';
import { feesToday } from './fees.ts';
import { refuseWhileCompared } from './learn/compared.ts';
import { findCells } from './cells-store.ts';

type Db = Pick<Tools, 'db'>;

const LINTED_DAYS = 30;

export const ROUTING: Published<RouteTable, RoutingInForce> = {
  kind: 'routing',
  nothing: NO_RULES,
  // without a rule every payment goes as it would without a version: nothing is asked, and nothing is noted
  inForce: (table, _, version) => ({ ...table, version }),
};

export type RouteVersion = VersionRow<RouteTable>;

/** Every version that was in force, the newest, which is, first; at most 200. Empty: none was ever published. */
export async function readRoutes({ db }: Db, merchant_account_id: string): Promise<readonly RouteVersion[]> {
  return findVersions(db.tenant(merchant_account_id), 'routing', null);
}

/** A version as an attempt of its time knew it; version 0: no rules. */
export async function tableOf({ db }: Db, merchant_account_id: string, version: number): Promise<RoutingInForce> {
  if (version === 0) return NO_RULES;
  return { ...(await versionOf<RouteTable>(db.tenant(merchant_account_id), 'routing', version)), version };
}

export type Linted = { readonly draft: RouteDraft; readonly warnings: readonly Warning[] };

/** Reads a draft as it would be published. Throws a Refusal with every problem at once. */
export async function draftRoutes(
  tools: Pick<Tools, 'db' | 'clock'>,
  merchant_account_id: string,
  written: JsonValue,
): Promise<Linted> {
  const runner = tools.db.tenant(merchant_account_id);
  const today = Math.floor(tools.clock.now().getTime() / DAY_MS);
  const [contracts, cells, fees] = await Promise.all([
    listContracts(runner),
    findCells(runner, today - LINTED_DAYS),
    feesToday(tools, merchant_account_id),
  ]);
  const reading = new Reading(false);
  const draft = readTable(written, reading, contracts);
  refuseWithoutFees(draft, { contracts, fees }, reading);
  const refusal = refuseProblems(reading.problems);
  if (refusal) throw refusal;
  return { draft, warnings: lint(draft, { contracts, cells }) };
}

/**
 * Puts a draft in force; answers its version. Throws a Refusal when another person published since `based_on`, or while
 * versions are compared.
 */
export async function publishRoutes(
  { db }: Db,
  merchant_account_id: string,
  { draft, ...publishing }: Publishing & { readonly draft: RouteDraft },
): Promise<number> {
  const contracts = (await listContracts(db.tenant(merchant_account_id))).map(({ id, name }) => ({ id, name }));
  return publishVersion({ db, of: ROUTING }, merchant_account_id, {
    ...unlessCompared(publishing),
    rolled_back_to: null,
    rules: (version, before) => ({ ...draft, rules: sinceOf(draft, { version, before }), contracts }),
  });
}

/** Puts the rules of an earlier version in force again, as a new version, with the draws of their time; 0: no rules. */
export async function rollBackRoutes(
  tools: Db,
  merchant_account_id: string,
  { to, ...publishing }: Publishing & { readonly to: number },
): Promise<number> {
  const { version: _, ...table } = await tableOf(tools, merchant_account_id, to);
  // what has no end as a number has none in a table either
  const rules = to === 0 ? { ...table, cascade: MOST_CASCADE } : table;
  return publishVersion({ ...tools, of: ROUTING }, merchant_account_id, {
    ...unlessCompared(publishing),
    rules,
    rolled_back_to: to,
  });
}

function unlessCompared({ also, ...publishing }: Publishing): Publishing {
  return {
    ...publishing,
    also: async (tx, version) => {
      await refuseWhileCompared(tx);
      await also?.(tx, version);
    },
  };
}

const MOST_CASCADE = 100;

/** A draft as it would be in force, drawn as it would be drawn: rules whose target stays keep their draws. */
export async function tableOfDraft(
  { db }: Db,
  merchant_account_id: string,
  draft: RouteDraft,
): Promise<RoutingInForce> {
  const runner = db.tenant(merchant_account_id);
  const [[now], contracts] = await Promise.all([
    findVersions<RouteTable>(runner, 'routing', null),
    listContracts(runner),
  ]);
  const version = (now?.version ?? 0) + 1;
  const rules = sinceOf(draft, { version, before: now?.rules ?? NO_RULES });
  return { ...draft, rules, version, contracts: contracts.map(({ id, name }) => ({ id, name })) };
}

/** A table as a person writes it. */
export function documentOf({ rules, otherwise, cascade }: RouteTable): object {
  return { rules, ...(otherwise === 'refuse' && { else: otherwise }), cascade: Math.min(cascade, 3) };
}

type Publish = { readonly version: number; readonly before: RouteTable };

/** A rule whose target is what it was draws as it did: nothing else that is published moves an order. */
function sinceOf({ rules }: RouteDraft, { version, before }: Publish): RouteTable['rules'] {
  return rules.map((rule) => {
    const was = before.rules.find(({ name }) => name === rule.name);
    return { ...rule, since: was && isSame(was.then, rule.then) ? was.since : version };
  });
}
