// Old months of observations leave the database in steps: the part is detached, written to a file, the file is read
// back and compared row by row, and only then the part is dropped. After a kill the next run goes on: a detached part
// still has its table, and its file is written again.
import { existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type pg from 'pg';
import { makeFolder } from '../../kit/kept-file.ts';
import { StartError } from '../../kit/start-error.ts';
import type { Progress } from '../../kit/terminal/progress.ts';
import { FileInTheWay, hashOf, readLines, writeLines } from './file.ts';
import {
  type TakenOff,
  type Written,
  drop,
  findArchive,
  findArchivedSince,
  findDue,
  findTakenOff,
  inTransaction,
  keepMonths,
  linesOf,
  makeMonthOf,
  markBack,
  putBack,
  tableOf,
  takeOff,
  takeTurn,
} from './store.ts';

export type Archiving = {
  /** A connection of the login that owns the database. */
  readonly client: pg.Client;
  readonly progress: Progress;
};

/** A month that was put back stays for this long. */
const DAYS_BACK = 30;
const TRIES = 10;

/**
 * Writes every month that is due to a file in the folder, and returns what it wrote. `months` is the number of months
 * to keep; undefined: it only completes what an earlier run left.
 */
export async function archiveMonths(
  { client, progress }: Archiving,
  { folder, months }: { readonly folder: string; readonly months: number | undefined },
): Promise<readonly Written[]> {
  await requireTurn(client);
  makeFolder(folder, 0o700);
  const written: Written[] = [];
  const finish = async (taken: TakenOff) => {
    const one = await writeMonth({ client, progress }, taken, folder);
    await drop(client, taken, one);
    written.push(one);
  };
  for (const taken of await findTakenOff(client)) await finish(taken);
  if (months === undefined) return written;
  const asked = { months, days_back: DAYS_BACK };
  for (const part of await findDue(client, asked)) {
    // the months before it may have taken hours
    if ((await findDue(client, { ...asked, part })).length > 0) await finish(await takeOffPatiently(client, part));
  }
  return written;
}

async function requireTurn(client: pg.Client): Promise<void> {
  if (!(await takeTurn(client))) throw new StartError('Another florin archive is at work in this database.');
}

/** Each try waits for at most a second, because payments wait behind it. Undefined: no try got the lock. */
async function patiently<T>(work: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const done = await work();
    if (done !== undefined) return done;
  }
  return undefined;
}

async function takeOffPatiently(client: pg.Client, part: string): Promise<TakenOff> {
  const taken = await patiently(() => takeOff(client, part));
  if (!taken) throw notFree(`${part} stays`);
  return taken;
}

function notFree(so: string): StartError {
  return new StartError(
    `The lock of payment.observations was not free in ${TRIES} tries, so ${so}. Does a transaction stay open in the database? Run florin archive again.`,
  );
}

async function writeMonth({ client, progress }: Archiving, taken: TakenOff, folder: string): Promise<Written> {
  const file = `${taken.part}.${taken.id}.jsonl.gz`;
  const path = join(folder, file);
  const lines = (step: string) =>
    linesOf(client, tableOf(taken), (done, total) => progress.report(`${taken.part}: ${step}`, done, total));
  const sha256 = await writeLines(path, lines('pages written')).catch((error: unknown) => {
    throw error instanceof FileInTheWay ? inTheWay(path) : error;
  });
  const row_count = await compare(path, lines('pages compared'));
  if (row_count === undefined || (await hashOf(path)) !== sha256)
    throw new StartError(
      `${path} does not hold what was written to it, so nothing was dropped. Is the disk sound? Run florin archive again.`,
    );
  return { file, row_count, sha256 };
}

/** What this run would have written is in the database: the other file may be the only copy of what it holds. */
function inTheWay(path: string): StartError {
  return new StartError(
    `${path} is there already and holds other rows, so it was left as it is and nothing was dropped. Does another database write into this folder, or was this one restored to an earlier moment? Set FLORIN_ARCHIVE_DIR to a folder of this database's own, or move that file to another place, and run florin archive again.`,
  );
}

/** The number of rows, if file and table are the same; else undefined. */
async function compare(path: string, lines: AsyncIterable<readonly string[]>): Promise<number | undefined> {
  const found = readLines(path);
  let count = 0;
  for await (const some of lines)
    for (const line of some) {
      const { value } = await found.next();
      if (value !== line) return undefined;
      count++;
    }
  return (await found.next()).done === true ? count : undefined;
}

/** A file is put back once: its rows are in the database, or in the file that they were written to since. */
function wasBack(file: string, since: readonly string[]): StartError {
  if (since.length === 0) return new StartError(`The rows of ${file} are back already.`);
  return new StartError(
    `The rows of ${file} were put back once, and archived again since: they are in ${since.join(' and ')}. Put that one back.`,
  );
}

const LOT = 1000;

/**
 * Puts back all rows of a file or none, and returns their number. The part is made and committed first: who makes one
 * holds the default part, and nobody could read an order meanwhile.
 */
export async function restoreMonth({ client, progress }: Archiving, path: string): Promise<number> {
  await requireTurn(client);
  if (existsSync(path) && statSync(path).isDirectory())
    throw new StartError(`${resolve(path)} is a folder: name one of the files in it that florin archive wrote.`);
  const archive = await findArchive(client, basename(path));
  if (!archive)
    throw new StartError(`This database has no record of a file ${basename(path)}, or has not finished it.`);
  if (archive.state === 'back') throw wasBack(basename(path), await findArchivedSince(client, archive));
  if ((await hashOf(path)) !== archive.sha256)
    throw new StartError(`${path} is not the file that was written: its SHA-256 is not ${archive.sha256}.`);
  const total = Number(archive.row_count);
  if (!(await patiently(() => makeMonthOf(client, archive)))) throw notFree(`${basename(path)} was not put back`);
  await inTransaction(client, async () => {
    let count = 0;
    let lot: string[] = [];
    const put = async () => {
      await putBack(client, lot);
      count += lot.length;
      lot = [];
      progress.report(`${archive.part}: rows put back`, count, total);
    };
    for await (const line of readLines(path)) if (lot.push(line) === LOT) await put();
    await put();
    if (count !== total) throw new StartError(`${path} has ${count} rows, not ${total}. Nothing was put back.`);
    await markBack(client, archive);
  });
  // else the worker does it within an hour; the rows are read where they wait, too
  await patiently(() => keepMonths(client));
  return total;
}
