// Evidence against a dispute: texts and files that people put together, sealed under the money zone's key, never with a
// card number.
import { holdsCardNumber } from '../../../core/card.ts';
import {
  FILE_FIELDS,
  FILE_TYPES,
  type FileField,
  type FileType,
  MOST_FILE_BYTES,
  MOST_TEXT,
  TEXT_FIELDS,
  type Texts,
  fileTypeOf,
  isTextField,
} from '../../../core/dispute/evidence.ts';
import { Refusal, refuseField } from '../../../core/refusals.ts';
import { open, seal, sha256 } from '../../../kit/crypto.ts';
import { type InCommit, type TenantRunner, storable, withTransaction } from '../../../kit/database.ts';
import { evidenceSealing } from '../../sealings.ts';
import type { Tools } from '../../tools.ts';
import { cardNumberIn } from './scan.ts';
import { deleteFile, findContent, findEvidence, insertFile, listFiles, putEvidence } from './evidence-store.ts';
import { lockUnanswered } from './store.ts';

export type Whose = { readonly merchant_account_id: string; readonly dispute_id: string };

/** Empty where nothing was said. `db`: of a transaction that changes it. */
export async function readTexts(
  tools: Tools,
  { merchant_account_id, dispute_id }: Whose,
  db: TenantRunner = tools.db.tenant(merchant_account_id),
): Promise<Texts> {
  const row = await findEvidence(db, dispute_id);
  if (!row) return {};
  const sealing = evidenceSealing(tools.secret_key, merchant_account_id, dispute_id);
  const said: unknown = JSON.parse(open(Buffer.from(row.texts_sealed, 'hex'), sealing).toString('utf8'));
  return typeof said === 'object' && said !== null ? said : {};
}

type Texting = Whose & {
  /** The texts by field; an empty text removes the one before. */
  readonly texts: Readonly<Record<string, string>>;
  /** Of the same fields what the person saw: where another text is there by now, nothing is changed. */
  readonly was?: Readonly<Record<string, string>> | undefined;
  readonly by: string;
  readonly also: InCommit;
};

/**
 * Changes what is given and leaves the rest. Refused: unknown fields, what is too long, card numbers, and once it is
 * answered.
 */
export async function changeTexts(tools: Tools, { texts, was, by, also, ...whose }: Texting): Promise<void> {
  for (const [field, text] of Object.entries(texts)) {
    if (!isTextField(field)) throw refuseField(`texts.${field}`, 'parameter_invalid', 'is no field of evidence');
    if (text.length > MOST_TEXT)
      throw refuseField(`texts.${field}`, 'parameter_invalid', `is longer than ${MOST_TEXT} characters`);
    if (holdsCardNumber(text))
      throw refuseField(
        `texts.${field}`,
        'parameter_invalid',
        `${TEXT_FIELDS[field].label} holds a card number: its first six and last four digits say as much`,
      );
  }
  await withTransaction(tools.db, whose.merchant_account_id, async (tx) => {
    await requireUnanswered(tx, whose.dispute_id);
    const said: Readonly<Record<string, string | undefined>> = await readTexts(tools, whose, tx);
    const other = Object.keys(was ?? {}).find((field) => isTextField(field) && (said[field] ?? '') !== was?.[field]);
    if (other !== undefined && isTextField(other))
      throw new Refusal('change_conflict', {
        detail: `somebody has changed “${TEXT_FIELDS[other].label}” meanwhile: look at it again before you save`,
      });
    const merged = Object.entries({ ...said, ...texts }).filter(([, text]) => text !== '');
    const plain = Buffer.from(JSON.stringify(Object.fromEntries(merged)));
    const sealing = evidenceSealing(tools.secret_key, whose.merchant_account_id, whose.dispute_id);
    const texts_sealed = seal(plain, tools.chance.bytes(12), sealing);
    await putEvidence(tx, { dispute_id: whose.dispute_id, texts_sealed, by });
    await also(tx);
  });
}

async function requireUnanswered(tx: TenantRunner, dispute_id: string): Promise<void> {
  if (!(await lockUnanswered(tx, dispute_id)))
    throw new Refusal('change_conflict', {
      detail: 'the dispute has ended, or an answer was given: what was said against it does not change any more',
    });
}

type Changing = Whose & {
  readonly field: FileField;
  /** The id of the file that the person saw in this field, or `none`: where another is there by now, it stays. */
  readonly was?: string | undefined;
  readonly also: InCommit;
};

type Adding = Changing & {
  /** The name that the person gave it. */
  readonly name: string;
  readonly content: Buffer;
  readonly by: string;
};

/** Stores a file in place of the one that was in this field. Its first bytes decide its type. */
export async function addFile(tools: Tools, adding: Adding): Promise<void> {
  const { field, was, name, content, by, also, ...whose } = adding;
  const type = requireFile(field, content);
  const id = tools.chance.id();
  const sealing = evidenceSealing(tools.secret_key, whose.merchant_account_id, `${whose.dispute_id}|${id}`);
  const content_sealed = seal(content, tools.chance.bytes(12), sealing);
  await withTransaction(tools.db, whose.merchant_account_id, async (tx) => {
    await requireUnanswered(tx, whose.dispute_id);
    const there = (await listFiles(tx, whose.dispute_id)).find((one) => one.field === field);
    // the same file is sent once more where the answer to the first time was lost
    if (was !== undefined && was !== there?.id && there?.sha256 === sha256(content)) return;
    requireSeen(field, was, await deleteFile(tx, { dispute_id: whose.dispute_id, field }));
    const about = { id, dispute_id: whose.dispute_id, field, type, size: content.length, by };
    await insertFile(tx, { ...about, name: plainName(name, field), sha256: sha256(content), content_sealed });
    await also(tx);
  });
}

/** Within the transaction that took the file out: what is thrown puts it back. */
function requireSeen(field: FileField, was: string | undefined, taken: string | undefined): void {
  if (was !== undefined && was !== (taken ?? 'none'))
    throw new Refusal('change_conflict', {
      detail: `somebody has changed the file “${FILE_FIELDS[field].label}” meanwhile: look at it before you change it`,
    });
}

function requireFile(field: FileField, content: Buffer): FileType {
  const { label } = FILE_FIELDS[field];
  if (content.length === 0) throw refuseField('content', 'parameter_invalid', 'is empty');
  if (content.length > MOST_FILE_BYTES)
    throw refuseField('content', 'parameter_invalid', 'is larger than 5 MB: make it smaller, or send a part of it');
  const type = fileTypeOf(content);
  if (type === undefined)
    throw refuseField('content', 'parameter_invalid', `is none of ${FILE_TYPES.join(', ')}, whatever its name says`);
  const where = cardNumberIn(type, content);
  if (where !== undefined)
    throw refuseField(
      'content',
      'parameter_invalid',
      `${label} holds a card number ${where}: black it out, and send it anew`,
    );
  return type;
}

/** Neither folders nor what a card number in it would be. */
function plainName(name: string, field: FileField): string {
  const plain = [...storable(name)]
    .filter((sign) => sign >= ' ' && !'/\\"'.includes(sign))
    .join('')
    .slice(-120);
  return plain.trim() === '' || holdsCardNumber(plain) ? field : plain;
}

/**
 * False: there was none. What the person saw and is not there any more counts as removed, as where the answer to the
 * first time was lost.
 */
export async function removeFile(tools: Tools, { field, was, also, ...whose }: Changing): Promise<boolean> {
  return withTransaction(tools.db, whose.merchant_account_id, async (tx) => {
    await requireUnanswered(tx, whose.dispute_id);
    const removed = await deleteFile(tx, { dispute_id: whose.dispute_id, field });
    if (removed === undefined) return was !== undefined && was !== 'none';
    requireSeen(field, was, removed);
    await also(tx);
    return true;
  });
}

/** The bytes of a file. Undefined: there is no such file, or it was deleted long after the end of the dispute. */
export async function openFile(
  tools: Tools,
  { id, ...whose }: Whose & { readonly id: string },
): Promise<Buffer | undefined> {
  const { merchant_account_id, dispute_id } = whose;
  const sealed = await findContent(tools.db.tenant(merchant_account_id), { id, dispute_id });
  if (sealed === null) return undefined;
  return open(
    Buffer.from(sealed, 'hex'),
    evidenceSealing(tools.secret_key, merchant_account_id, `${dispute_id}|${id}`),
  );
}
