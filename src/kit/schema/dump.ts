// The schema of a database as SQL that makes it again, read from the catalogue: the same schema always gives the same
// text. No pg_dump comes with the embedded server, and that of an older PostgreSQL refuses a newer server.
import type pg from 'pg';

type Line = { readonly place: string; readonly line: string };

/**
 * Types, tables with all that belongs to each, and what ties tables together, in an order in which it can be run. A
 * function is named, as the file that makes it (`\ir functions/NAME.sql`). Needs `SET check_function_bodies = off`:
 * functions and tables name each other. Whether a constraint was checked on rows that were there before it is not told:
 * the rule is the same.
 */
export async function dumpSchema(client: pg.Client, schema: string): Promise<string> {
  const before = await client.query<{ path: string }>(`SELECT current_setting('search_path') AS path`);
  // without a search path every name is printed with its schema
  await client.query(`SELECT set_config('search_path', '', false)`);
  try {
    const strange = await linesOf(client, STRANGE, schema);
    if (strange.length > 0) throw new Error(`The dump of ${schema} does not know: ${strange.map(textOf).join(', ')}.`);
    const tables = new Map<string, string[]>();
    for (const query of OF_A_TABLE)
      for (const { place, line } of await linesOf(client, query, schema))
        tables.set(place, [...(tables.get(place) ?? []), line]);
    const around: string[][] = [];
    for (const query of [TYPES, FUNCTIONS, FUNCTIONS_OF_ROWS, REFERENCES, USAGE])
      around.push((await linesOf(client, query, schema)).map(textOf));
    const [types = [], functions = [], functions_of_rows = [], references = [], usage = []] = around;
    const blocks = [...tables.values()].map((lines) => lines.join('\n'));
    const parts = [types, functions, [blocks.join('\n\n')], functions_of_rows, references, usage];
    return `${parts
      .map((part) => part.join('\n'))
      .filter((part) => part !== '')
      .join('\n\n')}\n`;
  } finally {
    await client.query(`SELECT set_config('search_path', $1, false)`, [before.rows[0]?.path]);
  }
}

const textOf = ({ line }: Line): string => line;

async function linesOf(client: pg.Client, query: string, schema: string): Promise<readonly Line[]> {
  const { rows } = await client.query<Line>(query, [schema]);
  // not by the database, whose order of letters depends on its locale
  return rows.toSorted((a, b) => (a.line < b.line ? -1 : 1));
}

const SCHEMA = `(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = $1)`;
/** The migrator's own tables are made by it. */
const LEDGERS = `('migrations', 'functions')`;
const OWN_TABLE = `c.relnamespace = ${SCHEMA}
    AND c.relkind IN ('r', 'p')
    AND c.relname NOT IN ${LEDGERS}`;
const TABLE = `c.oid::regclass::text`;
/** A generated column's expression is kept where defaults are. */
const DEFAULT = `pg_catalog.pg_get_expr(d.adbin, d.adrelid)`;

const STRANGE = `SELECT '' AS place, c.oid::regclass::text AS line
  FROM pg_catalog.pg_class c
  WHERE c.relnamespace = ${SCHEMA}
    AND c.relkind NOT IN ('r', 'p', 'i', 'I', 'S', 'c', 't')
  UNION ALL
  SELECT '', s.stxname::text
  FROM pg_catalog.pg_statistic_ext s
  WHERE s.stxnamespace = ${SCHEMA}
  UNION ALL
  SELECT '', t.oid::regtype::text
  FROM pg_catalog.pg_type t
  WHERE t.typnamespace = ${SCHEMA}
    AND t.typtype NOT IN ('b', 'c', 'd')`;

const TYPES = `SELECT
    '' AS place,
    format(
      'CREATE DOMAIN %s AS %s%s;', t.oid::regtype, format_type(t.typbasetype, t.typtypmod),
      (
        SELECT string_agg(
          format(E'\\n  CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid, true)),
          '' ORDER BY k.conname)
        FROM pg_catalog.pg_constraint k
        WHERE k.contypid = t.oid
      )) AS line
  FROM pg_catalog.pg_type t
  WHERE t.typnamespace = ${SCHEMA}
    AND t.typtype = 'd'
  UNION ALL
  SELECT
    '',
    format(
      E'CREATE TYPE %s AS (\\n%s\\n);', c.oid::regclass,
      (
        SELECT string_agg(
          format('  %I %s', a.attname, format_type(a.atttypid, a.atttypmod)),
          E',\\n' ORDER BY a.attnum)
        FROM pg_catalog.pg_attribute a
        WHERE a.attrelid = c.oid
          AND a.attnum > 0
          AND NOT a.attisdropped
      ))
  FROM pg_catalog.pg_class c
  WHERE c.relnamespace = ${SCHEMA}
    AND c.relkind = 'c'
  UNION ALL
  SELECT
    '',
    format('CREATE SEQUENCE %s AS %s;', c.oid::regclass, format_type(q.seqtypid, NULL)) || coalesce(
      (
        SELECT string_agg(
          format(
            E'\nGRANT %s ON SEQUENCE %s TO %I;', g.privilege_type, c.oid::regclass,
            g.grantee::regrole::text),
          '' ORDER BY g.grantee::regrole::text, g.privilege_type)
        FROM aclexplode(c.relacl) g
        WHERE g.grantee <> c.relowner
      ),
      '')
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_sequence q ON q.seqrelid = c.oid
  WHERE c.relnamespace = ${SCHEMA}
    -- one of an identity column comes with its table
    AND NOT EXISTS (
      SELECT
      FROM pg_catalog.pg_depend own
      WHERE own.objid = c.oid
        AND own.deptype IN ('a', 'i')
    )`;

/** Functions by whether a row of a table is among what they take and give: then the table comes first. */
const functionFiles = (
  rows: boolean,
): string => `SELECT '' AS place, format(E'\\\\ir functions/%s.sql', p.proname) AS line
  FROM pg_catalog.pg_proc p
  WHERE p.pronamespace = ${SCHEMA}
    AND ${rows ? '' : 'NOT '}EXISTS (
      SELECT
      FROM unnest(p.proargtypes::oid[] || p.prorettype) AS used (type)
      JOIN pg_catalog.pg_type t ON t.oid = used.type
      JOIN pg_catalog.pg_class c ON c.oid = t.typrelid
      WHERE c.relkind IN ('r', 'p')
    )`;
const FUNCTIONS = functionFiles(false);
const FUNCTIONS_OF_ROWS = functionFiles(true);

const COLUMNS = `SELECT
    a.attnum::int AS rank,
    format(
      '  %I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
      CASE
        WHEN a.attcollation <> t.typcollation THEN format(
          ' COLLATE %I',
          (SELECT l.collname FROM pg_catalog.pg_collation l WHERE l.oid = a.attcollation))
      END,
      CASE WHEN a.attnotnull THEN ' NOT NULL' END,
      CASE
        WHEN a.attidentity = 'a' THEN ' GENERATED ALWAYS AS IDENTITY'
        WHEN a.attidentity = 'd' THEN ' GENERATED BY DEFAULT AS IDENTITY'
        WHEN a.attgenerated = 's' THEN format(' GENERATED ALWAYS AS (%s) STORED', ${DEFAULT})
        WHEN d.oid IS NOT NULL THEN ' DEFAULT ' || ${DEFAULT}
      END) AS line
  FROM pg_catalog.pg_attribute a
  JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
  LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE a.attrelid = c.oid
    AND a.attnum > 0
    AND NOT a.attisdropped
  UNION ALL
  SELECT
    10000,
    format(
      '  CONSTRAINT %I %s', k.conname, replace(pg_get_constraintdef(k.oid, true), ' NOT VALID', ''))
  FROM pg_catalog.pg_constraint k
  WHERE k.conrelid = c.oid
    AND k.contype IN ('p', 'u', 'c', 'x')`;

const OPTIONS = `CASE
    WHEN c.reloptions IS NOT NULL THEN format(' WITH (%s)', array_to_string(c.reloptions, ', '))
  END`;
const MADE_AS = `CASE c.relpersistence WHEN 'u' THEN 'CREATE UNLOGGED TABLE' ELSE 'CREATE TABLE' END`;

const TABLES = `SELECT
    ${TABLE} AS place,
    format(
      E'%s %s (\\n%s\\n)%s%s;', ${MADE_AS}, ${TABLE},
      (
        SELECT string_agg(parts.line, E',\\n' ORDER BY parts.rank, parts.line COLLATE "C")
        FROM (${COLUMNS}) AS parts
      ),
      ' PARTITION BY ' || pg_get_partkeydef(c.oid), ${OPTIONS}) AS line
  FROM pg_catalog.pg_class c
  WHERE ${OWN_TABLE}
    AND NOT c.relispartition`;

/** What is said of a column for the planner. */
const COLUMN_OPTIONS = `SELECT
    ${TABLE} AS place,
    format(
      'ALTER TABLE %s ALTER COLUMN %I SET (%s);', ${TABLE}, a.attname,
      array_to_string(a.attoptions, ', ')) AS line
  FROM pg_catalog.pg_attribute a
  JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
  WHERE ${OWN_TABLE}
    AND a.attoptions IS NOT NULL`;

const PARTITIONS = `SELECT
    ${TABLE} AS place,
    format(
      '%s %s PARTITION OF %s %s%s;', ${MADE_AS}, ${TABLE},
      (
        SELECT i.inhparent::regclass
        FROM pg_catalog.pg_inherits i
        WHERE i.inhrelid = c.oid
      ),
      pg_get_expr(c.relpartbound, c.oid), ${OPTIONS}) AS line
  FROM pg_catalog.pg_class c
  WHERE ${OWN_TABLE}
    AND c.relispartition`;

const INDEXES = `SELECT ${TABLE} AS place, pg_get_indexdef(i.indexrelid, 0, true) || ';' AS line
  FROM pg_catalog.pg_index i
  JOIN pg_catalog.pg_class c ON c.oid = i.indrelid
  WHERE ${OWN_TABLE}
    AND NOT c.relispartition
    AND NOT EXISTS (
      SELECT
      FROM pg_catalog.pg_constraint k
      WHERE k.conindid = i.indexrelid
        AND k.contype IN ('p', 'u', 'x')
    )`;

const TRIGGERS = `SELECT ${TABLE} AS place, pg_get_triggerdef(t.oid, true) || ';' AS line
  FROM pg_catalog.pg_trigger t
  JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid
  WHERE ${OWN_TABLE}
    AND NOT t.tgisinternal`;

const SECURITY = `SELECT ${TABLE} AS place, format('ALTER TABLE %s %s ROW LEVEL SECURITY;', ${TABLE}, word) AS line
  FROM pg_catalog.pg_class c
  CROSS JOIN LATERAL (VALUES ('ENABLE', c.relrowsecurity), ('FORCE', c.relforcerowsecurity))
    AS security (word, is_on)
  WHERE ${OWN_TABLE}
    AND is_on`;

const POLICIES = `SELECT
    ${TABLE} AS place,
    format(
      E'CREATE POLICY %I ON %s AS %s FOR %s TO %s%s%s;', p.policyname, ${TABLE}, p.permissive,
      p.cmd, array_to_string(p.roles, ', '), E'\\n  USING (' || p.qual || ')',
      E'\\n  WITH CHECK (' || p.with_check || ')') AS line
  FROM pg_catalog.pg_policies p
  JOIN pg_catalog.pg_class c ON c.relname = p.tablename
  WHERE ${OWN_TABLE}
    AND p.schemaname = $1`;

/** The owner of a table matters for its row-level security, so the dump names each owner that is not the schema's. */
const OWNERS = `SELECT
    ${TABLE} AS place,
    format('ALTER TABLE %s OWNER TO %I;', ${TABLE}, pg_get_userbyid(c.relowner)) AS line
  FROM pg_catalog.pg_class c
  WHERE ${OWN_TABLE}
    AND c.relowner <> (SELECT n.nspowner FROM pg_catalog.pg_namespace n WHERE n.nspname = $1)`;

const ROLE = `CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(a.grantee)::text END`;

const RIGHTS = `SELECT
    place,
    format('GRANT %s ON %s TO %s;', string_agg(may, ', ' ORDER BY may COLLATE "C"), place, role)
      AS line
  FROM (
    SELECT ${TABLE} AS place, a.privilege_type AS may, ${ROLE} AS role
    FROM pg_catalog.pg_class c
    CROSS JOIN LATERAL aclexplode(c.relacl) AS a
    WHERE ${OWN_TABLE}
      AND a.grantee <> c.relowner
    UNION ALL
    SELECT
      ${TABLE},
      format(
        '%s (%s)', a.privilege_type, string_agg(quote_ident(t.attname), ', ' ORDER BY t.attnum)),
      ${ROLE}
    FROM pg_catalog.pg_attribute t
    JOIN pg_catalog.pg_class c ON c.oid = t.attrelid
    CROSS JOIN LATERAL aclexplode(t.attacl) AS a
    WHERE ${OWN_TABLE}
      AND a.grantee <> c.relowner
    GROUP BY c.oid, a.privilege_type, a.grantee
  ) AS rights
  GROUP BY place, role`;

const OF_A_TABLE = [TABLES, COLUMN_OPTIONS, PARTITIONS, INDEXES, TRIGGERS, SECURITY, POLICIES, OWNERS, RIGHTS];

const REFERENCES = `SELECT
    '' AS place,
    format(
      E'ALTER TABLE %s\\n  ADD CONSTRAINT %I %s;', ${TABLE}, k.conname,
      pg_get_constraintdef(k.oid, true)) AS line
  FROM pg_catalog.pg_constraint k
  JOIN pg_catalog.pg_class c ON c.oid = k.conrelid
  WHERE ${OWN_TABLE}
    AND k.contype = 'f'`;

const USAGE = `SELECT
    '' AS place,
    format(
      'GRANT %s ON SCHEMA %I TO %s;', string_agg(a.privilege_type, ', ' ORDER BY a.privilege_type),
      $1::text, ${ROLE}) AS line
  FROM pg_catalog.pg_namespace n
  CROSS JOIN LATERAL aclexplode(n.nspacl) AS a
  WHERE n.nspname = $1
    AND a.grantee <> n.nspowner
  GROUP BY a.grantee`;
