// The doctor's checks of a zone's database. They change nothing, not even an old schema.
import type pg from 'pg';
import type { Config } from '../../settings/config.ts';
import { type Place, connectTo } from '../../hosts/connect.ts';
import { OLDEST, placeOfZone } from '../../hosts/databases.ts';
import type { Clock } from '../../kit/clock.ts';
import { type Database, openDatabase } from '../../kit/database.ts';
import { isAway } from '../../kit/database/errors.ts';
import { countProcesses } from '../../kit/database/counts.ts';
import { openLog } from '../../kit/log.ts';
import { inspectClock, inspectDefiners, inspectLogin, inspectSoundness } from '../../kit/login.ts';
import type { Zone } from '../../kit/migrate.ts';
import { StartError } from '../../kit/start-error.ts';
import type { CapsTable } from '../../core/retries/caps.ts';
import { OLD_DAYS } from '../../core/retries/day.ts';
import { areOld, capsNow } from '../../payment/declines/caps.ts';
import { type QueueFigure, findQueueFigures } from '../../payment/metrics/metrics-store.ts';
import { keyProblem } from '../../payment/secret-key.ts';
import { findKeyCheck } from '../../payment/store.ts';
import { PAYMENT_ZONE } from '../../payment/zone.ts';
import { VAULT_ZONE } from '../../vault/zone.ts';
import { getKeyEpoch } from '../../vault/keys/store.ts';
import { lookAtKeyInUse } from './files.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { lookAtCvcs } from './machine.ts';
import { lookAtClock, lookAtSchema, lookAtWrites } from './server.ts';

const ZONES = {
  payment: { zone: PAYMENT_ZONE, setting: 'FLORIN_DATABASE_URL' },
  vault: { zone: VAULT_ZONE, setting: 'FLORIN_VAULT_DATABASE_URL' },
} as const;

export async function lookAtDatabase(
  config: Config,
  name: 'payment' | 'vault',
  clock: Clock,
): Promise<readonly Finding[]> {
  const { zone, setting } = ZONES[name];
  const check = `${name} database`;
  try {
    const place = placeOfZone(config, name);
    const client = await connectTo(place, setting);
    try {
      const found = [...(await lookInside(client, { config, zone, check, clock }))];
      const migrated = found.every((one) => one.check !== `${check}: schema` || one.level !== 'problem');
      if (name === 'payment' && migrated) found.push(...(await lookWithRole(place, client, { config, clock })));
      if (name === 'vault' && migrated) found.push(lookAtCvcs(config, await countProcesses(client, 'vault')));
      if (name === 'vault' && migrated && config.key_provider === 'file') {
        const { kek_ref } = await withRole(place, client, { role: 'vault_app', work: getKeyEpoch });
        found.push(lookAtKeyInUse(config, `${check}: key`, kek_ref));
      }
      return found;
    } finally {
      await client.end();
    }
  } catch (error) {
    if (!(error instanceof StartError) && !isAway(error)) throw error;
    return [
      problem(
        check,
        whatAiled(error),
        `Start Florin or the database, give it more connections, or correct ${setting}.`,
      ),
    ];
  }
}

/** A database may go away, or have no second connection, while it is looked at: the other checks are made, too. */
function whatAiled(error: unknown): string {
  if (error instanceof StartError) return error.message;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return `The database went away, or can take nothing now: ${cause instanceof Error ? cause.message : String(cause)}.`;
}

type Looking = { readonly config: Config; readonly zone: Zone; readonly check: string; readonly clock: Clock };

async function lookInside(client: pg.Client, { config, zone, check, clock }: Looking): Promise<readonly Finding[]> {
  const login = await inspectLogin(client);
  if (!login || login.version < OLDEST)
    return [problem(check, 'PostgreSQL is older than 15', 'Bring the server to PostgreSQL 15 or newer.')];
  const app = zone.roles[0]?.name ?? '';
  const found: Finding[] = [ok(check, `PostgreSQL ${Math.floor(login.version / 10_000)}, logged in as ${login.name}`)];
  if (config.environment === 'production' && login.name !== app)
    found.push(problem(`${check}: login`, `${login.name} may do more than the service needs`, `Log in as ${app}.`));
  found.push(await lookAtSchema(client, zone, check), await lookAtWrites(client, check));
  const sound = await inspectSoundness(client, app, zone.schema);
  found.push(
    sound.unsafe.length > 0
      ? problem(
          `${check}: durability`,
          `an acknowledged commit may be lost: ${sound.unsafe.join(', ')}`,
          'Switch that on in postgresql.conf and reload.',
        )
      : ok(`${check}: durability`, 'what is acknowledged is on the disk'),
    sound.checksums
      ? ok(`${check}: checksums`, 'a broken disk is noticed')
      : (config.environment === 'production' ? problem : warning)(
          `${check}: checksums`,
          'a broken disk is not noticed',
          'Stop the server and run pg_checksums --enable; production refuses to start without.',
        ),
    sound.powers.length > 0
      ? problem(
          `${check}: role`,
          `${app} ${sound.powers.join(' and ')}`,
          `Take that from ${app}: nothing else keeps the merchants apart.`,
        )
      : ok(`${check}: role`, `${app} has no way past the borders`),
  );
  if (zone.guarded)
    found.push(
      sound.open_tables.length > 0
        ? problem(
            `${check}: row-level security`,
            `not enabled and forced on ${sound.open_tables.join(', ')}`,
            'Enable and force it on these tables (ALTER TABLE), and find out who switched it off.',
          )
        : ok(`${check}: row-level security`, 'enabled and forced on every table of a merchant'),
    );
  const definers = await inspectDefiners(client, zone.schema);
  found.push(
    definers.length > 0
      ? problem(
          `${check}: grants`,
          `anybody may call ${definers.join(', ')}`,
          'Take EXECUTE on them from PUBLIC (REVOKE).',
        )
      : ok(`${check}: grants`, 'functions that look past the borders are for the service alone'),
  );
  found.push(lookAtClock(check, clock.now().getTime() - (await inspectClock(client)).getTime()));
  return found;
}

/** Card schemes change their limits once or twice a year, and charge a fee for tries above them. */
export function lookAtCaps(table: CapsTable, now: Date): Finding {
  const check = 'limits of card schemes';
  if (!areOld(table, now)) return ok(check, `as they were on ${table.as_of}`);
  return warning(
    check,
    `as they were on ${table.as_of}, more than ${OLD_DAYS} days ago`,
    'Take a newer release, or load a newer table: florin routing caps-data --json, then --file.',
  );
}

async function lookWithRole(
  place: Place,
  client: pg.Client,
  { config, clock }: Pick<Looking, 'config' | 'clock'>,
): Promise<readonly Finding[]> {
  const work = async (db: Database) => {
    const caps = lookAtCaps(await capsNow(db), clock.now());
    return [lookAtKey(config, await findKeyCheck(db)), caps, ...judge(await findQueueFigures(db))];
  };
  return withRole(place, client, { role: 'payment_app', work });
}

/** Looks as a zone does, whoever logged in. */
async function withRole<T>(
  place: Place,
  client: pg.Client,
  { role, work }: { readonly role: string; readonly work: (db: Database) => Promise<T> },
): Promise<T> {
  const login = await inspectLogin(client);
  const other = login?.name === role ? {} : { role };
  const db = openDatabase({ at: place, ...other, name: 'florin doctor', max: 1, log: openLog('silent') });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Checks the money zone's key file on this host. */
function lookAtKey(config: Config, check_value: string | undefined): Finding {
  const check = 'payment key';
  const says = keyProblem(config, check_value);
  if (says !== undefined)
    return problem(check, says, 'Put the file of the other payment hosts there; README, “Hosts of their own”.');
  return ok(check, check_value === undefined ? 'no process has used one yet' : 'is the one this database is used with');
}

type Rule = {
  readonly of: (figure: QueueFigure) => boolean;
  readonly level: 'warning' | 'problem';
  readonly says: (figure: QueueFigure) => string;
  readonly fix: string;
};

const RULES: Readonly<Record<string, Rule>> = {
  'money in review': {
    of: ({ queue, state }) => queue === 'operations' && state === 'review',
    level: 'problem',
    says: ({ waiting, part }) => `${waiting} operations at ${part} wait for a person`,
    fix: 'florin review lists them with all that was seen of each.',
  },
  'money in doubt': {
    of: ({ queue, state, oldest_s }) => queue === 'operations' && state === 'in_doubt' && oldest_s > 3600,
    level: 'warning',
    says: ({ waiting, part, oldest_s }) =>
      `${waiting} operations at ${part} are in doubt, the oldest for ${minutes(oldest_s)}`,
    fix: 'Recovery goes on asking. Does the provider answer? florin review lists them.',
  },
  worker: {
    of: ({ queue, oldest_s }) => queue === 'overdue operations' && oldest_s > 120,
    level: 'problem',
    says: ({ waiting, oldest_s }) => `no worker takes ${waiting} due operations, the oldest for ${minutes(oldest_s)}`,
    fix: 'Start florin worker (or florin start), and see its log.',
  },
  providers: {
    of: ({ queue }) => queue === 'providers down',
    level: 'warning',
    says: ({ part }) => `${part} does not answer and is left alone`,
    fix: 'It is probed and taken back by itself. See its status page, and whether this network reaches it.',
  },
  'messages of providers': {
    of: ({ queue, state, oldest_s }) => queue === 'provider messages' && (state === 'parked' || oldest_s > 300),
    level: 'warning',
    says: ({ waiting, part, state }) => `${waiting} messages of ${part} are ${state} and not applied`,
    fix: 'florin reconcile compares our operations with the provider’s books.',
  },
  'findings without an account': {
    of: ({ queue }) => queue === 'stray findings',
    level: 'warning',
    says: ({ waiting, part }) => `${waiting} differences from the books of ${part} are of an account that is not here`,
    fix: 'florin review lists them; no page of the back office does.',
  },
  'removed cards': {
    of: ({ queue, oldest_s }) => queue === 'card removals' && oldest_s > 3600,
    level: 'warning',
    says: ({ waiting, oldest_s }) =>
      `${waiting} removed cards are still in the vault, the oldest for ${minutes(oldest_s)}`,
    fix: 'A worker deletes them as soon as it reaches the vault: are both running?',
  },
  notifications: {
    of: ({ queue, oldest_s }) => queue === 'overdue notifications' && oldest_s > 300,
    level: 'warning',
    says: ({ waiting, oldest_s }) =>
      `no worker sends ${waiting} due notifications, the oldest for ${minutes(oldest_s)}`,
    fix: 'Is florin worker (or florin start) running, and can it reach the endpoints? See its log.',
  },
  endpoints: {
    of: ({ queue, oldest_s }) => queue === 'failing endpoints' && oldest_s > 3600,
    level: 'warning',
    says: ({ waiting, oldest_s }) => `${waiting} endpoints take no notifications, the first for ${minutes(oldest_s)}`,
    fix: 'Notifications in the back office shows what they answered. What waits is sent as soon as they take it.',
  },
  'months of tables': {
    of: ({ queue, waiting }) => queue === 'without a month' && waiting > 0n,
    level: 'warning',
    says: ({ part }) => `rows of ${part} wait for the part of their month`,
    fix: 'Nothing is lost or hidden. A worker makes the months each hour: is one running? See its log.',
  },
  search: {
    of: ({ queue, waiting }) => queue === 'search' && waiting > 200_000n,
    level: 'warning',
    says: ({ waiting }) => `the search is ${waiting} transactions behind`,
    fix: 'Lists stay exact and become slow. Is a worker running? Does a transaction stay open in the database?',
  },
};

/** Every rule reports something, good or bad. */
export function judge(figures: readonly QueueFigure[]): readonly Finding[] {
  return Object.entries(RULES).flatMap(([check, { of, level, says, fix }]) => {
    const bad = figures.filter(of);
    return bad.length === 0
      ? [ok(check, 'nothing to report')]
      : bad.map((figure) => ({ check, level, says: says(figure), fix }));
  });
}

function minutes(seconds: number): string {
  return seconds > 7200 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 60)} min`;
}
