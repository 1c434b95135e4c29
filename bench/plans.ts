// How PostgreSQL would answer a statement, asked as the role that runs it: a superuser passes row-level security, and
// with it the reason for which an index is left aside.
import type pg from 'pg';

/** A node of an EXPLAIN with FORMAT JSON: what is read, by which index, and what is thrown away after it was read. */
export type Plan = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Schema?: string;
  readonly Alias?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly Plan[];
};

/** Runs one statement on one connection that nothing else uses meanwhile. */
export type Ask = <R extends pg.QueryResultRow>(text: string) => Promise<readonly R[]>;

/** The role of the zone whose tables a statement names. */
export function roleOf(text: string): 'payment_app' | 'vault_app' {
  const zones = new Set(text.match(/\b(?:payment|vault)\.(?=[a-z])/g));
  if (zones.size !== 1) throw new Error(`a statement names one zone: ${text}`);
  return zones.has('vault.') ? 'vault_app' : 'payment_app';
}

/** Runs something as a role, undone in any case. `first`: statements of the superuser before it. */
export async function asRole<T>(
  ask: Ask,
  { role, first = [] }: Pick<Planned, 'role' | 'first'>,
  work: () => Promise<T>,
): Promise<T> {
  await ask('BEGIN');
  try {
    for (const statement of first) await ask(statement);
    await ask(`SET LOCAL ROLE ${role}`);
    return await work();
  } finally {
    await ask('ROLLBACK');
  }
}

/** A statement, who runs it, and what is set for its plan alone. */
export type Planned = { readonly text: string; readonly role: string; readonly first?: readonly string[] | undefined };

/** Every node of the plan for any values, the one that a statement has after a few runs. */
export async function planNodes(ask: Ask, { text, role, first }: Planned): Promise<readonly Plan[]> {
  const rows = await asRole(ask, { role, first }, () =>
    ask<{ 'QUERY PLAN': { Plan: Plan }[] }>(`EXPLAIN (GENERIC_PLAN, VERBOSE, FORMAT JSON) ${text}`),
  );
  return rows.flatMap((row) => row['QUERY PLAN']).flatMap(({ Plan }) => nodesOf(Plan));
}

function nodesOf(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/**
 * Conditions that an index answers for a superuser and not for the role that runs the statement: row-level security
 * keeps PostgreSQL from asking an index with what a function that is not leakproof gives (such as `body ->> 'name'`),
 * so that all rows of an account are read and sorted out by hand.
 */
export async function conditionsLostToSecurity(ask: Ask, statement: Planned): Promise<readonly string[]> {
  const own = await planNodes(ask, statement);
  const free = await planNodes(ask, { ...statement, role: 'NONE' });
  const asked = new Set(own.flatMap(indexConditions));
  return free.flatMap(indexConditions).filter((condition) => !PLAIN.test(condition) && !asked.has(condition));
}

/**
 * A column beside another one or a value: how two of these are compared never leaks, so it may be done in any order.
 */
const PLAIN = /^[\w.]+ \S+ (?:[\w.]+|\$\d+)$/;

function indexConditions(node: Plan): readonly string[] {
  const conditions = node['Index Cond']?.split(' AND ') ?? [];
  return conditions.map((condition) => condition.replaceAll(/[()]|::\w+/g, ''));
}

/** Tables that a plan reads from end to end. */
export function scannedTables(nodes: readonly Plan[]): readonly string[] {
  return nodes
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => `${node.Schema ?? ''}.${node['Relation Name'] ?? ''}`);
}
