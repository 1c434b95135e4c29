// Makes reports: what is due by a schedule becomes a run, and a run becomes a file, portion by portion into sealed
// pieces. A worker that dies in the middle leaves pieces that the next one throws away; one that only stood still, and
// whose run another one has taken up, changes nothing of it any more.
import { lastSpan, nextMoment } from '../../core/zone.ts';
import { open, seal } from '../../kit/crypto.ts';
import { type TenantRunner, isAway, withTransaction } from '../../kit/database.ts';
import { csvLine } from '../../kit/sheet/csv.ts';
import { type Cell, xlsx } from '../../kit/sheet/xlsx.ts';
import { isProvedAddress } from '../mail/store.ts';
import { whyNoMail, writeMail } from '../mail/write.ts';
import { reportSealing } from '../sealings.ts';
import type { Tools } from '../tools.ts';
import { deletePieces, findPiece, insertPiece } from './piece-store.ts';
import { type Table, tableOf } from './rows.ts';
import {
  type Format,
  type RunRow,
  type Whose,
  claimRun,
  findDueReports,
  findReport,
  findRun,
  holdRun,
  insertRun,
  moveReport,
  noteRun,
  sumKept,
} from './store.ts';

/** The rows that a sheet can hold, without its head; the same for all forms, so that the form changes nothing else. */
export const MOST_ROWS = 1_000_000;
/** How much the finished reports of one account may hold together: they are in the database and in all its backups. */
export const MOST_KEPT_BYTES = 2 * 1024 ** 3;
export const FULL =
  'the reports that are kept hold 2 GiB, which is all there is room for: delete some of them, then ask again';
const PIECE_BYTES = 256 * 1024;
const LEASE_S = 120;
/** A run that fails so often is given up, unless the database was away or had no room for it. */
const MOST_TRIES = 5;
const BEAT_EVERY = 20;

/** True: there may be more to do at once. A schedule that cannot be planned is thrown behind the others. */
export async function makeReports(tools: Tools, room: number): Promise<boolean> {
  const troubles: unknown[] = [];
  for (const whose of await findDueReports(tools.db, room))
    await plan(tools, whose).catch((error: unknown) => troubles.push(error));
  const due = await claimRun(tools.db, LEASE_S);
  if (due) await make(tools, due);
  if (troubles.length > 0) throw troubles[0];
  return due !== undefined;
}

/**
 * Plans a schedule's run and its next moment in one commit. What was due while no worker ran is planned too, one look
 * after the other: nobody would see that a day, week or month is missing.
 */
async function plan(tools: Tools, { merchant_account_id, id }: Whose): Promise<void> {
  const report = await findReport(tools.db.tenant(merchant_account_id), id);
  if (!report) return;
  const { every, zone, name, kind, format, next_at, created_by: requested_by } = report;
  const { from, to } = lastSpan(every, zone, next_at);
  await withTransaction(tools.db, merchant_account_id, async (tx) => {
    if (!(await moveReport(tx, report, nextMoment(every, zone, next_at)))) return;
    const run = { id: tools.chance.id(), report_id: id, from_at: from, to_at: to };
    await insertRun(tx, { ...run, name, kind, format, zone, requested_by });
  });
}

/**
 * Mails the person who set up a schedule that its report is ready. The report itself is behind the sign-in, not in the
 * mail.
 */
async function tellReady(tools: Tools, tx: TenantRunner, { id, report_id, name, requested_by }: RunRow): Promise<void> {
  if (report_id === null || (await whyNoMail(tools, tx, requested_by)) !== undefined) return;
  if (!(await isProvedAddress(tx, requested_by, tools.mail.way === 'kept'))) return;
  const letter = {
    subject: `Report ready: ${name}`,
    paragraphs: [`Your report ${name} has been made. It can be downloaded for ${tools.retention.report_days} days.`],
    link: { text: 'Open the reports', url: `${tools.addresses.backoffice_url}/reports` },
    why: `You get this mail because you set up the report ${name} in the back office. Remove it there, and no more will come.`,
  };
  await writeMail(tools, tx, {
    kind: 'report',
    about_id: id,
    to: requested_by,
    letter,
    hours: tools.retention.report_days * 24,
  });
}

/**
 * A report that would fail in the same way however often it was tried; the message is for the person who asked for it.
 */
class Over extends Error {}

/** Another worker has taken the run up: it is no longer this one's. */
class Overtaken extends Error {}

type Work = (tx: TenantRunner) => Promise<void>;
type Within = (work: Work) => Promise<void>;

/** Done in one commit while the run is this worker's. Throws Overtaken where it is not. */
const withinRun =
  ({ db }: Tools, merchant_account_id: string, run: RunRow): Within =>
  (work) =>
    withTransaction(db, merchant_account_id, async (tx) => {
      if (!(await holdRun(tx, run))) throw new Overtaken();
      await work(tx);
    });

async function make(tools: Tools, { merchant_account_id, id }: Whose): Promise<void> {
  const db = tools.db.tenant(merchant_account_id);
  const run = await findRun(db, id);
  if (!run) return;
  const within = withinRun(tools, merchant_account_id, run);
  try {
    await within((tx) => deletePieces(tx, id));
    const { rows, size } = await write(tools, { db, within }, run);
    await within(async (tx) => {
      await noteRun(tx, { id, state: 'done', rows, size, note: '' });
      await tellReady(tools, tx, run);
    });
  } catch (error) {
    await noteFailure(tools, within, { run, error }).catch(unlessOvertaken);
  }
}

type Failed = { readonly run: RunRow; readonly error: unknown };

async function noteFailure(tools: Tools, within: Within, { run: { id, tries }, error }: Failed): Promise<void> {
  if (error instanceof Overtaken) return;
  const over = error instanceof Over;
  if (!over) tools.log.error({ report_run_id: id, error: String(error) }, 'a report could not be made');
  const state = over || (tries >= MOST_TRIES && !isAway(error)) ? 'failed' : 'waiting';
  const note = over ? error.message : 'it could not be made';
  await within(async (tx) => {
    if (state === 'failed') await deletePieces(tx, id);
    await noteRun(tx, { id, state, rows: 0, size: 0, note });
  });
}

function unlessOvertaken(error: unknown): void {
  if (!(error instanceof Overtaken)) throw error;
}

type Writing = { readonly db: TenantRunner; readonly within: Within };

async function write(tools: Tools, { db, within }: Writing, run: RunRow): Promise<{ rows: number; size: number }> {
  const { kind, from_at: from, to_at: to, zone, format, id } = run;
  const table = tableOf({ db, origins: tools.origins }, { kind, from, to, zone });
  let [rows, size, n] = [0, 0, 0];
  const counted = async function* () {
    yield [table.columns];
    for await (const portion of table.rows) {
      rows += portion.length;
      if (rows > MOST_ROWS) throw new Over(`more than ${MOST_ROWS} rows: choose a shorter time`);
      yield portion;
    }
  };
  let piece: Buffer[] = [];
  let held = 0;
  let others = await sumKept(db, id);
  const requireRoom = () => {
    if (others + BigInt(size) > MOST_KEPT_BYTES) throw new Over(FULL);
  };
  const put = async () => {
    requireRoom();
    const sealing = reportSealing(tools.secret_key, db.merchant_account_id, `${id}|${n}`);
    const sealed = seal(Buffer.concat(piece), tools.chance.bytes(12), sealing);
    await within((tx) => insertPiece(tx, { run_id: id, n, sealed }));
    n += 1;
    [piece, held] = [[], 0];
    // a long run notes that it goes on
    if (n % BEAT_EVERY !== 0) return;
    await within((tx) => noteRun(tx, { id, state: 'waiting', rows, size, note: '' }));
    others = await sumKept(db, id);
  };
  for await (const bytes of bytesOf(format, counted(), table)) {
    piece.push(bytes);
    held += bytes.length;
    size += bytes.length;
    if (held >= PIECE_BYTES) await put();
  }
  if (held > 0) await put();
  return { rows, size };
}

type Portions = AsyncIterable<readonly (readonly Cell[])[]>;

/** The first row holds the names of the columns. */
async function* bytesOf(format: Format, portions: Portions, { columns }: Table): AsyncGenerator<Buffer> {
  if (format === 'xlsx') return yield* xlsx(portions);
  let head = true;
  for await (const portion of portions) {
    if (format === 'csv') yield Buffer.from(portion.map(csvLine).join(''));
    else if (!head) yield Buffer.from(portion.map((row) => `${JSON.stringify(named(columns, row))}\n`).join(''));
    head = false;
  }
}

const named = (columns: readonly string[], row: readonly Cell[]) =>
  Object.fromEntries(columns.map((name, i) => [name, row[i] ?? null]));

/**
 * The bytes of a report that is there, piece by piece. Throws where they end too early, because it was deleted
 * meanwhile: whoever takes it out would have a part of it, and take that for all of it.
 */
export async function* readRun(tools: Tools, { merchant_account_id, id, size }: Whose & Size): AsyncGenerator<Buffer> {
  const db = tools.db.tenant(merchant_account_id);
  let left = size;
  for (let n = 0; left > 0n; n++) {
    const sealed = await findPiece(db, id, n);
    if (sealed === undefined) throw new Error('a report was deleted while it was taken out');
    const piece = open(Buffer.from(sealed, 'hex'), reportSealing(tools.secret_key, merchant_account_id, `${id}|${n}`));
    left -= BigInt(piece.length);
    yield piece;
  }
}

type Size = Pick<RunRow, 'size'>;
