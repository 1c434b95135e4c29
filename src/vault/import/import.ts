// A file of cards becomes a file of tokens. The cards of a batch, the place the file was read to and the length of the
// tokens file are one commit: killed at any moment it goes on without a card too many or too few. No number is written
// anywhere.
import { type KeyObject, createHmac } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { writeAll } from '../../kit/kept-file.ts';
import { StartError, whyNot } from '../../kit/start-error.ts';
import type { Numbers } from '../card/numbers.ts';
import type { DataKeys } from '../keys/keys.ts';
import type { KeyTools } from '../keys/opening.ts';
import { COLUMNS, type FileCard, REQUIRED, readCard } from './card.ts';
import { type Fields, LineProblem, csvValues, jsonMembers } from './fields.ts';
import { LONGEST_LINE, type Line, linesOf } from './lines.ts';
import { TOKENS_HEADER, openTokens } from './output.ts';
import { type Read, storeBatch } from './seal.ts';
import { type ImportRow, type NewImport, findImport, hasMerchant, insertImport, moveImport } from './store.ts';

export type ImportTools = KeyTools & {
  readonly keys: DataKeys;
  readonly actor: string;
  readonly numbers: Numbers;
  progress(bytes: number, total: number): void;
  /** Called with each refused line: its number, never its content. */
  refused(line: number, why: string): void;
};
export type ImportJob = {
  readonly merchant_account_id: string;
  readonly input: string;
  readonly output: string;
  /** The file was imported before, and is to be once more: every card gets another token. */
  readonly again: boolean;
};
export type Imported = { readonly cards: number; readonly refused: number; readonly resumed: boolean };

const BATCH = 200;
const UNDER_WAY = 'Another run of this import is under way.';

export async function importCards(tools: ImportTools, job: ImportJob): Promise<Imported> {
  const { db, keys } = tools;
  const { merchant_account_id, input, output } = job;
  if (!(await hasMerchant(db, merchant_account_id)))
    throw new StartError(`There is no merchant account ${merchant_account_id} at this vault.`);
  const { key } = await keys.fingerprint(merchant_account_id);
  const { mac: input_mac, size } = await macOf(input, key);
  const before = await findImport(db, merchant_account_id, input_mac);
  if (before?.finished_at && !job.again)
    throw new StartError(
      `This file was imported on ${before.finished_at.toISOString()}: ${before.cards} cards have their tokens. With --again every card gets another one.`,
    );
  const unfinished = before?.finished_at === null ? before : undefined;
  const out = await openTokens(output, unfinished?.out_offset);
  try {
    const row = unfinished ?? (await begin(tools, { merchant_account_id, input_mac, after: before?.id ?? 0n }));
    const { cards, refused } = await run({ tools, job, out, size, row });
    return { cards, refused, resumed: unfinished !== undefined };
  } finally {
    await out.close();
  }
}

type Begun = Pick<NewImport, 'merchant_account_id' | 'input_mac' | 'after'>;

async function begin({ db, audit, actor }: ImportTools, begun: Begun): Promise<ImportRow> {
  const { merchant_account_id, input_mac } = begun;
  const out_offset = BigInt(TOKENS_HEADER.length);
  await db.begin(undefined, async (tx) => {
    if (!(await insertImport(tx, { ...begun, actor, out_offset }))) throw new StartError(UNDER_WAY);
    await audit.write(tx, { action: 'import started', object: merchant_account_id });
  });
  const row = await findImport(db, merchant_account_id, input_mac);
  if (!row) throw new Error('an import that was begun is there');
  return row;
}

/** A keyed hash of the whole file: the same file is known again, and nothing can be guessed from it. */
async function macOf(path: string, key: KeyObject): Promise<{ mac: Buffer; size: number }> {
  const mac = createHmac('sha256', key).update('import|');
  let size = 0;
  try {
    for await (const chunk of createReadStream(path)) {
      if (!Buffer.isBuffer(chunk)) continue;
      mac.update(chunk);
      size += chunk.length;
      chunk.fill(0);
    }
  } catch (error) {
    throw new StartError(`The file ${path} cannot be read: ${whyNot(error)}`);
  }
  return { mac: mac.digest(), size };
}

type Run = {
  readonly tools: ImportTools;
  readonly job: ImportJob;
  readonly out: FileHandle;
  readonly size: number;
  readonly row: ImportRow;
};
async function run(one: Run): Promise<ImportRow> {
  const { tools, job, size } = one;
  const reader = await readerOf(job.input);
  let row = one.row;
  let batch: Read[] = [];
  let refused = 0;
  const from = row.line === 0 ? reader.first : { offset: Number(row.in_offset), number: row.line + 1 };
  const commit = async (line: number, offset: number, finished: boolean) => {
    row = await commitBatch(one, { row, batch, line, offset, refused, finished });
    batch = [];
    refused = 0;
    tools.progress(offset, size);
  };
  let last = { number: row.line, next_offset: from.offset };
  tools.progress(from.offset, size);
  for await (const line of linesOf(job.input, from)) {
    last = line;
    try {
      if (line.bytes.length > 0) batch.push({ line: line.number, card: readLine(line, reader.fields, tools) });
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
      refused++;
      tools.refused(line.number, error.message);
    }
    if (batch.length + refused >= BATCH) await commit(line.number, line.next_offset, false);
  }
  await commit(last.number, last.next_offset, true);
  return row;
}

function readLine({ bytes }: Line, fields: (line: Buffer) => Fields, { clock, numbers }: ImportTools): FileCard {
  if (bytes.length > LONGEST_LINE) throw new LineProblem(`is longer than ${LONGEST_LINE} bytes`);
  const now = clock.now();
  return readCard(fields(bytes), { year: now.getUTCFullYear(), month: now.getUTCMonth() + 1, numbers });
}

type Reader = { readonly fields: (line: Buffer) => Fields; readonly first: { offset: number; number: number } };

/** CSV with a head line, or JSON objects: the first byte says which. */
async function readerOf(input: string): Promise<Reader> {
  for await (const line of linesOf(input, { offset: 0, number: 1 })) {
    // a byte order mark
    const mark = line.bytes[0] === 0xef ? 3 : 0;
    const start = line.bytes.subarray(mark);
    if (start[0] === 0x7b) return { fields: jsonMembers, first: { offset: mark, number: 1 } };
    const columns = csvValues(start).map((value) => value.toString('latin1').trim().toLowerCase());
    const missing = REQUIRED.filter((name) => !columns.includes(name));
    if (missing.length > 0)
      throw new StartError(
        `The first line of ${input} must name the columns, at least ${REQUIRED.join(', ')}; ${missing.join(', ')} missing. Known: ${COLUMNS.join(', ')}.`,
      );
    const fields = (bytes: Buffer): Fields => {
      const values = csvValues(bytes);
      if (values.length !== columns.length)
        throw new LineProblem(`has ${values.length} values; the first line names ${columns.length} columns`);
      return new Map(values.map((value, index) => [columns[index] ?? '', value]));
    };
    return { fields, first: { offset: line.next_offset, number: 2 } };
  }
  throw new StartError(`The file ${input} is empty.`);
}

type Commit = {
  readonly row: ImportRow;
  readonly batch: readonly Read[];
  readonly line: number;
  readonly offset: number;
  readonly refused: number;
  readonly finished: boolean;
};

async function commitBatch({ tools, job, out }: Run, asked: Commit): Promise<ImportRow> {
  const { db } = tools;
  const { row, batch, line, offset, refused, finished } = asked;
  try {
    return await db.begin(undefined, async (tx) => {
      const lines = await storeBatch(tools, tx, { merchant_account_id: job.merchant_account_id, batch });
      const text = Buffer.from(lines.join(''));
      const next = {
        id: row.id,
        line,
        in_offset: BigInt(offset),
        out_offset: row.out_offset + BigInt(text.length),
        cards: row.cards + batch.length,
        refused: row.refused + refused,
      };
      // first: only the run that holds the row may touch the file, which another one may be writing
      if (!(await moveImport(tx, { ...next, finished, before: row.in_offset }))) throw new StartError(UNDER_WAY);
      await out.truncate(Number(row.out_offset));
      await writeAll(out, text, Number(row.out_offset));
      await out.datasync();
      if (finished) {
        const detail = { cards: next.cards, refused: next.refused };
        await tools.audit.write(tx, { action: 'import finished', object: job.merchant_account_id, detail });
      }
      return { ...next, finished_at: null };
    });
  } finally {
    for (const { card } of batch) {
      card.number.fill(0);
      card.holder.fill(0);
    }
  }
}
