// Saved cards of an account, sealed to a receiver's key: asked for by one person, approved by another who has the
// receiver's fingerprint from the receiver, and both recorded. No number is written in clear, and only the receiver can
// read the file.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isId } from '../../core/ids.ts';
import { privateBytes } from '../../kit/crypto.ts';
import type { Runner } from '../../kit/database.ts';
import { keepNames, writeAll } from '../../kit/kept-file.ts';
import { StartError, whyNot } from '../../kit/start-error.ts';
import { openCard } from '../card/sealed-card.ts';
import type { DataKeys } from '../keys/keys.ts';
import type { KeyTools } from '../keys/opening.ts';
import { RecordUnreadable } from '../keys/record.ts';
import { type Claim, requireOperator } from '../operators/operators.ts';
import { haveOneOrigin } from '../operators/store.ts';
import { type Receiver, messageHead, readReceiver, sealTo } from './jwe.ts';
import {
  type ExportCardRow,
  type ExportRow,
  approveExport,
  countSavedCards,
  findExport,
  findSavedCards,
  finishExport,
  insertExport,
  moveExport,
  startExport,
} from './store.ts';

export type ExportTools = KeyTools & {
  readonly keys: DataKeys;
  progress(cards: number, total: number): void;
};

/** Cards in one message: large enough that RSA costs nothing, small enough to be read in one go. */
const BATCH = 100;

export async function requestExport(
  tools: ExportTools,
  asked: { readonly merchant_account_id: string; readonly pem: string; readonly by: Claim },
): Promise<{ readonly id: string; readonly expected: number; readonly fingerprint: string }> {
  const { db, audit, chance } = tools;
  const { merchant_account_id, pem, by } = asked;
  await requireOperator(tools, by);
  const { fingerprint } = readReceiver(pem);
  const expected = await countSavedCards(db, merchant_account_id);
  if (expected === 0) throw new StartError(`The account ${merchant_account_id} has no saved cards here.`);
  const id = chance.id();
  await db.begin(undefined, async (tx) => {
    const receiver = { receiver_key: pem, receiver_fingerprint: fingerprint };
    await insertExport(tx, { id, merchant_account_id, ...receiver, requested_by: by.name, expected });
    const detail = { merchant_account_id, receiver: fingerprint, cards: expected, by: by.name };
    await audit.write(tx, { action: 'export requested', object: id, detail });
  });
  return { id, expected, fingerprint };
}

/** `fingerprint`: as the second person has it from the receiver. */
export async function approveExportRequest(
  tools: ExportTools,
  asked: { readonly id: string; readonly by: Claim; readonly fingerprint: string },
): Promise<ExportRow> {
  const { db, audit } = tools;
  const { id, by } = asked;
  await requireOperator(tools, by);
  const row = await getExport(tools, id);
  const refuse = async (why: string): Promise<never> => {
    await audit.write(db, { action: 'export approved', object: id, result: 'refused', detail: { by: by.name, why } });
    throw new StartError(why);
  };
  if (row.requested_by === by.name)
    return refuse('An export is approved by another person than the one who asked for it.');
  if (await haveOneOrigin(db, by.name, row.requested_by))
    return refuse(
      `${by.name} and ${row.requested_by} came by one operator, who may be both of them: another one approves.`,
    );
  if (asked.fingerprint.replace(/[:\s]/g, '').toLowerCase() !== row.receiver_fingerprint)
    return refuse("The fingerprint is not that of the receiver's key: do not approve this export before you know why.");
  const approved = await db.begin(undefined, async (tx) => {
    if (!(await approveExport(tx, id, by.name))) return false;
    await audit.write(tx, {
      action: 'export approved',
      object: id,
      detail: { by: by.name, requested_by: row.requested_by },
    });
    return true;
  });
  if (!approved) return refuse('This export was approved already, or was asked for more than a day ago.');
  return row;
}

export async function runExport(
  tools: ExportTools,
  id: string,
  path: string,
): Promise<{ readonly cards: number; readonly hash: string }> {
  const { db, audit } = tools;
  const row = await getExport(tools, id);
  if (row.finished_at)
    throw new StartError(`This export was finished on ${row.finished_at.toISOString()}. Ask for another one.`);
  if (row.started_at === null)
    await db.begin(undefined, async (tx) => {
      if (!(await startExport(tx, id)))
        throw new StartError('This export is not approved, or was approved more than a day ago.');
      await audit.write(tx, {
        action: 'export started',
        object: id,
        detail: { merchant_account_id: row.merchant_account_id },
      });
    });
  const file = await openFile(path, row);
  try {
    const { cards, out_offset, cursor } = await write(tools, row, file);
    const done = { id, cards, out_offset, cursor, before: cursor };
    await db.begin(undefined, async (tx) => {
      await move(tx, done);
      await file.truncate(Number(out_offset));
    });
    // a file of gigabytes takes longer than a transaction may stand still
    const hash = await hashOf(path);
    await db.begin(undefined, async (tx) => {
      await move(tx, done);
      await finishExport(tx, id, hash);
      await audit.write(tx, { action: 'export finished', object: id, detail: { cards, file_sha256: hash } });
    });
    return { cards, hash };
  } finally {
    await file.close();
  }
}

async function getExport({ db }: ExportTools, id: string): Promise<ExportRow> {
  const row = isId(id) ? await findExport(db, id) : undefined;
  if (!row) throw new StartError(`There is no export ${id}.`);
  return row;
}

/**
 * A new file; or, of a run that was stopped, its own one, which is cut back to what was recorded with the next message.
 * That one is empty or begins with a message to this receiver.
 */
async function openFile(path: string, { out_offset, started_at, receiver_key }: ExportRow): Promise<FileHandle> {
  const file = await open(path, started_at === null ? 'wx' : 'a+', 0o600).catch((error: unknown) => {
    throw new StartError(`The file ${path} cannot be written: ${whyNot(error)} An export never overwrites a file.`);
  });
  await file.close();
  keepNames(dirname(path));
  const again = await open(path, 'r+');
  const wanted = messageHead(readReceiver(receiver_key));
  const head = Buffer.alloc(wanted.length);
  const { bytesRead } = await again.read(head, 0, head.length, 0);
  const { size } = await again.stat();
  if (size < Number(out_offset) || !wanted.startsWith(head.toString('latin1', 0, bytesRead))) {
    await again.close();
    throw new StartError(`${path} is not the file of the run that was stopped. Name that one.`);
  }
  return again;
}

type Progress = Parameters<typeof moveExport>[1];

/** Only the run that holds the row may touch the file, which another one may be writing. */
async function move(tx: Runner, progress: Progress): Promise<void> {
  if (!(await moveExport(tx, progress))) throw new StartError('Another run of this export is under way.');
}

type Written = Pick<Progress, 'cards' | 'out_offset' | 'cursor'>;

async function write(tools: ExportTools, row: ExportRow, file: FileHandle): Promise<Written> {
  const { db } = tools;
  const { id, merchant_account_id } = row;
  const receiver = readReceiver(row.receiver_key);
  let { cards, out_offset, cursor } = row;
  tools.progress(cards, row.expected);
  for (;;) {
    const rows = await findSavedCards(db, { merchant_account_id, after: cursor, limit: BATCH });
    const last = rows.at(-1);
    if (!last) return { cards, out_offset, cursor };
    const { message, count } = await sealBatch(tools, receiver, rows);
    const text = Buffer.from(message);
    const [before, from] = [cursor, Number(out_offset)];
    cursor = last.token_hash;
    cards += count;
    out_offset += BigInt(text.length);
    const moved = { id, cards, out_offset, cursor, before };
    await db.begin(undefined, async (tx) => {
      await move(tx, moved);
      await file.truncate(from);
      await writeAll(file, text, from);
      await file.datasync();
    });
    tools.progress(cards, Math.max(row.expected, cards));
  }
}

async function sealBatch(tools: ExportTools, receiver: Receiver, rows: readonly ExportCardRow[]) {
  const { chance } = tools;
  const lines: Buffer[] = [];
  for (const row of rows) {
    const line = await lineOf(tools, row);
    if (line) lines.push(line);
  }
  const plain = privateBytes(lines.reduce((sum, line) => sum + line.length, 0));
  let at = 0;
  for (const line of lines) {
    plain.set(line, at);
    at += line.length;
    line.fill(0);
  }
  const random = { content_key: chance.bytes(32), nonce: chance.bytes(12) };
  const message = lines.length > 0 ? `${sealTo(receiver, plain, random)}\n` : '';
  plain.fill(0);
  return { message, count: lines.length };
}

/** A card as a line of JSON; the number stays bytes. Undefined: the record does not open, and the audit says so. */
async function lineOf(tools: ExportTools, row: ExportCardRow): Promise<Buffer | undefined> {
  const { keys, audit, db } = tools;
  const { merchant_account_id, token_hash } = row;
  try {
    const key = await keys.cardById(row.data_key_id, merchant_account_id);
    const { number, holder } = openCard(Buffer.from(row.sealed, 'hex'), row, key);
    const head = Buffer.from('{"card_number":"');
    const rest = Buffer.from(
      `","card_validity_month":"${String(row.exp_month).padStart(2, '0')}","card_validity_year":"${row.exp_year}","cardholder_name":${JSON.stringify(holder.toString('utf8'))},"customer_scheme_name":"${row.scheme}","card_unique_id":"${row.card_unique_id}","token_sha256":"${token_hash}"}\n`,
    );
    const line = privateBytes(head.length + number.length + rest.length);
    line.set(head);
    line.set(number, head.length);
    line.set(rest, head.length + number.length);
    number.fill(0);
    holder.fill(0);
    rest.fill(0);
    return line;
  } catch (error) {
    if (!(error instanceof RecordUnreadable)) throw error;
    const object = `vault.cards.sealed ${token_hash}`;
    const detail = { merchant_account_id, during: 'export' };
    await audit.note(db, { action: 'record failed to open', object, result: 'failed', detail });
    return undefined;
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) if (Buffer.isBuffer(chunk)) hash.update(chunk);
  return hash.digest('hex');
}
