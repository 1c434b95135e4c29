// npm run canary -- [--cards N]: cards that are marked go through every flow of a Florin that runs as it ships; then
// they are looked for everywhere outside the vault's sealed records, and with them the credentials of a contract
// with PayPal. Each place is first proved: a number
// planted there must be found. Prints what was searched and found, and one line as the verdict; ends with 1 unless it
// is a pass.
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type pg from 'pg';
import { openAdmin } from '../../bench/database.ts';
import { SIMULATOR as PAYPAL } from '../../src/simulators/paypal/sandbox.ts';
import { until } from '../client.ts';
import { kill, treeOf } from '../start/processes.ts';
import { type Attack, attack } from './attack.ts';
import { CVC, type Played, play, playOthers } from './flows.ts';
import { canary } from './forms.ts';
import { type Searched, type Wanted, cardsIn, isGone, searchBytes, searchFolder, searchMemory } from './scanner.ts';
import { type Running, startMarked } from './service-process.ts';

const { values: asked } = parseArgs({ options: { cards: { type: 'string', default: '1000' } } });
const CARDS = Number(asked.cards);
/** Planted in each place and in no request: it must be found there, or the place was not searched. */
const PLANTED = canary(9_000_000);

/**
 * What a contract with PayPal is paid with there, and how its access tokens begin. Who sends them has them in memory,
 * so they are looked for wherever something is written, said or kept.
 */
const SECRETS = [PAYPAL.credentials.client_secret, 'A21AA'];

type Row = { readonly place: string; readonly searched: Searched };

const folder = mkdtempSync(join(tmpdir(), 'florin-canary-'));
let running: Running | undefined;
try {
  process.exitCode = (await gate()) ? 0 : 1;
} finally {
  await running?.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function gate(): Promise<boolean> {
  for (const name of ['out', 'temporary', 'diagnostics']) mkdirSync(join(folder, name));
  running = await startMarked({ folder, marked: PLANTED });
  const { shop, data_dir } = running;
  const admin = await openAdmin(data_dir);
  const played = await play(shop, CARDS);
  const attacked = await attack(shop, admin, played.numbers[0] ?? '');
  await playOthers(shop, 1000);
  say(played);
  sayAttack(attacked);
  const wanted: Wanted = { numbers: new Set([PLANTED, ...played.numbers]), fragments: [`"cvc":"${CVC}"`] };
  const all: Wanted = { ...wanted, fragments: [...wanted.fragments, ...SECRETS] };
  const rows: Row[] = [
    { place: 'answers', searched: inText(`${played.answers}\n${PLANTED}`, all, 'answers') },
    ...(await memories(running, admin, wanted)),
    { place: 'report and heap snapshot', searched: await diagnostics(running, wanted) },
    { place: 'dump of the databases', searched: await dump(admin, all) },
    { place: 'request log, opened', searched: await requestLog(admin, all) },
    ...(await files(running, admin, all)),
  ];
  return verdict(rows, played) && withstood(attacked);
}

/**
 * Nothing was found, the look finds what is there, and no more was answered than a day allows: ten, and the card
 * itself.
 */
function withstood({ found, answered, proved }: Attack): boolean {
  return found === 0 && proved && answered <= 11;
}

function sayAttack(attacked: Attack): void {
  const { tried, answered, found, proved } = attacked;
  console.log(
    `attack: ${tried} numbers with the digits of a payment sent to /token, ${answered} answered, ${found} of their ids in the money zone's tables${proved ? '' : ', UNPROVED'}: ${withstood(attacked) ? 'withstood' : 'SUCCEEDED'}`,
  );
}

function say({ numbers, requests, flows }: Played): void {
  console.log(`${numbers.length} cards, ${requests} requests`);
  for (const [name, { played, right }] of flows)
    console.log(
      `  ${String(played).padStart(6)} ${name}${right === played ? '' : `: ${played - right} answered otherwise`}`,
    );
}

function inText(text: string, wanted: Wanted, place: string): Searched {
  const bytes = Buffer.from(text);
  return { hits: searchBytes(bytes, wanted, place), files: 1, bytes: bytes.length };
}

/** The process of the hosts, and those of its PostgreSQL; the simulated bank may know cards. */
async function memories({ pid, shop }: Running, admin: pg.Client, wanted: Wanted): Promise<Row[]> {
  await admin.query(`SELECT set_config('canary.planted', $1, false)`, [PLANTED]);
  await shop.api(`/health?${PLANTED}`, { headers: { 'x-note': PLANTED } });
  const tree = treeOf(pid);
  const servers = tree.filter(({ command }) => /^(?:\S*\/)?postgres\b/.test(command));
  const together = servers.map((one) => unlessEnded(() => searchMemory(one.pid, wanted)));
  return [
    { place: 'memory of the hosts', searched: searchMemory(pid, wanted) },
    { place: `memory of ${servers.length} database processes`, searched: sum(together) },
  ];
}

/**
 * PostgreSQL ends workers of its own when they are done. One that holds what was planted is a connection of ours, and
 * stays.
 */
function unlessEnded(search: () => Searched): Searched {
  try {
    return search();
  } catch (error) {
    if (!isGone(error)) throw error;
    return { hits: [], files: 0, bytes: 0 };
  }
}

/** Asked for by signal; Node writes them into a folder of ours. */
async function diagnostics({ pid }: Running, wanted: Wanted): Promise<Searched> {
  const place = join(folder, 'diagnostics');
  const main = treeOf(pid).filter((one) => one.pid === pid);
  kill(main, 'SIGWINCH');
  kill(main, 'SIGUSR2');
  await until(() => {
    const names = readdirSync(place);
    const snapshot = names.find((name) => name.endsWith('.heapsnapshot'));
    if (!snapshot || !names.some((name) => name.startsWith('report.'))) return undefined;
    // written in pieces: the last one closes the object
    return readFileSync(join(place, snapshot)).subarray(-2).toString().trim().endsWith('}') || undefined;
  }, 120);
  return searchFolder(place, wanted);
}

/** Every row of every table, as text: bytes are hex there, which is one of the forms. */
async function dump(admin: pg.Client, wanted: Wanted): Promise<Searched> {
  await admin.query('CREATE TABLE canary_planted AS SELECT $1::text AS number', [PLANTED]);
  const { rows } = await admin.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('information_schema')`,
  );
  const texts: Searched[] = [];
  for (const { name } of rows) {
    const table = await admin.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    texts.push(inText(table.rows.map(({ row }) => row).join('\n'), wanted, `dump of ${name}`));
  }
  return sum(texts);
}

/** Its pages are compressed: no search of bytes finds anything in them. */
async function requestLog(admin: pg.Client, wanted: Wanted): Promise<Searched> {
  const planted = deflateRawSync(PLANTED);
  await admin.query(
    `INSERT INTO payment.request_log (merchant_account_id, at, id, refused, orders, facts, bodies)
     SELECT decode(repeat('ab', 12), 'hex'), clock_timestamp(), decode(repeat('ab', 12), 'hex'), false, '{}', $1, $1`,
    [planted],
  );
  const { rows } = await admin.query<{ facts: Buffer; bodies: Buffer }>(
    'SELECT facts, bodies FROM payment.request_log',
  );
  const opened = rows.flatMap(({ facts, bodies }) => [inflateRawSync(facts), inflateRawSync(bodies)]);
  const bytes = Buffer.concat(opened);
  return { hits: searchBytes(bytes, wanted, 'request log'), files: rows.length, bytes: bytes.length };
}

/** What is on the disk: while it runs, after a checkpoint; and once more after the stop, as a cold backup would be. */
async function files(marked: Running, admin: pg.Client, wanted: Wanted): Promise<Row[]> {
  const { data_dir } = marked;
  await admin.query('CHECKPOINT');
  const database = join(data_dir, 'postgres');
  const isWal = (path: string) => path.includes('/pg_wal/');
  const rows: Row[] = [
    { place: 'database files', searched: searchFolder(database, wanted, isWal) },
    { place: 'write-ahead log', searched: searchFolder(join(database, 'pg_wal'), wanted) },
  ];
  await admin.end();
  await marked.stop();
  for (const place of ['out', 'temporary']) writeFileSync(join(folder, place, 'planted'), PLANTED);
  const planted = openSync(join(data_dir, 'planted'), 'w');
  writeFileSync(planted, PLANTED);
  closeSync(planted);
  return [
    ...rows,
    { place: 'backup of the database', searched: searchFolder(database, wanted) },
    {
      place: 'the other files of the deployment',
      searched: searchFolder(data_dir, wanted, (path) => path.startsWith(database)),
    },
    { place: 'standard output and log', searched: searchFolder(join(folder, 'out'), wanted) },
    { place: 'temporary files', searched: searchFolder(join(folder, 'temporary'), wanted) },
  ];
}

function sum(parts: readonly Searched[]): Searched {
  return {
    hits: parts.flatMap(({ hits }) => hits),
    files: parts.reduce((total, part) => total + part.files, 0),
    bytes: parts.reduce((total, part) => total + part.bytes, 0),
  };
}

function verdict(rows: readonly Row[], { numbers, requests, flows, answers }: Played): boolean {
  console.log('\nplace                                  parts        MB  planted  found');
  let [found, unproved] = [0, 0];
  for (const { place, searched } of rows) {
    const planted = searched.hits.filter(({ number }) => number === PLANTED).length;
    const hits = searched.hits.filter(({ number }) => number !== PLANTED);
    found += hits.length;
    if (planted === 0) unproved++;
    const size = (searched.bytes / 1e6).toFixed(1).padStart(9);
    console.log(
      `${place.padEnd(37)} ${String(searched.files).padStart(6)} ${size} ${(planted > 0 ? 'found' : 'MISSED').padStart(8)} ${String(hits.length).padStart(6)}`,
    );
    const shown = new Map<string, number>();
    for (const hit of hits) {
      const what = `${hit.fragment ?? hit.what} as ${hit.form} in ${hit.place}`;
      shown.set(what, (shown.get(what) ?? 0) + 1);
    }
    for (const [what, count] of [...shown].slice(0, 10)) console.log(`    ${count} × ${what}`);
  }
  const wrong = [...flows.values()].reduce((total, { played, right }) => total + played - right, 0);
  const said = ['stdout', 'stderr'].map((name) => readFileSync(join(folder, 'out', name), 'utf8'));
  // PLANTED would be the only one, and is in neither
  const cards = [answers, ...said].flatMap(cardsIn);
  if (cards.length > 0) console.log(`${cards.length} whole card numbers in answers or log, first of all ${cards[0]}`);
  const passed = found === 0 && unproved === 0 && wrong === 0 && cards.length === 0;
  console.log(
    `\ncanary: ${numbers.length} cards, ${requests} requests, ${rows.length} places, ${found} found outside the vault's records, ${cards.length} shown, ${unproved} places unproved, ${wrong} flows answered otherwise: ${passed ? 'PASS' : 'FAIL'}`,
  );
  return passed;
}
