// The disputes desk: what is disputed and until when, what is said and shown against it, and the answer.
import { Readable } from 'node:stream';
import { MOST_FILE_BYTES, isFileField } from '../../core/dispute/evidence.ts';
import { oneOf, text, textOfForm } from '../../core/fields.ts';
import { HIGHEST_ID, isId } from '../../core/ids.ts';
import { toCount, toSum } from '../../core/money.ts';
import { refuseField } from '../../core/refusals.ts';
import { required } from '../../core/shape.ts';
import { withTransaction } from '../../kit/database.ts';
import type { Answer } from '../../kit/http/route.ts';
import { answerDispute } from '../../payment/dispute/desk/answer.ts';
import { answerByHand } from '../../payment/dispute/desk/by-hand.ts';
import { addFile, changeTexts, openFile, removeFile } from '../../payment/dispute/desk/evidence.ts';
import { listFiles } from '../../payment/dispute/desk/evidence-store.ts';
import { findDispute, listDisputes, listOpenDisputes, sumUnanswered } from '../../payment/dispute/desk/store.ts';
import type { AuditAction } from '../audit/audit.ts';
import {
  type BackofficeContext,
  type BackofficeRequest,
  type BackofficeRoute,
  backofficeRoute,
  unknown,
} from '../context.ts';
import { fileHeaders } from '../file.ts';
import { REASON } from '../reason.ts';
import type { DisputeDetail, DisputePage, DisputesDue, EvidenceFileForm } from '../wire/disputes.ts';
import { readDetail, viewRow } from './detail.ts';

const PAGE = 50;
const CURSOR = textOfForm(/^(?:[0-9a-f]{24}|\d{1,14}-[0-9a-f]{24})$/, 'one of ours');
/** More than a file may be, so that a file that is too large gets an error in words. */
const CONTENT_BYTES = Math.ceil(MOST_FILE_BYTES / 3) * 4 + 500_000;

const SEEN = textOfForm(/^(?:[0-9a-f]{24}|none)$/, 'the id of the file that was seen, or none');

export function disputeRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  return [...readRoutes(context), ...evidenceRoutes(context), ...answerRoutes(context)];
}

function readRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  return [
    backofficeRoute(context, {
      route: 'GET /disputes',
      right: 'read',
      query: { show: oneOf('needs_answer', 'open', 'won', 'lost', 'all'), cursor: CURSOR },
      handle: (asked) => list(context, asked, asked.query),
    }),
    backofficeRoute(context, {
      route: 'GET /disputes/due',
      right: 'read',
      handle: async ({ db }): Promise<DisputesDue> => ({
        due: (await sumUnanswered(db)).map(({ currency, disputes, amount_minor, next_due_at }) => ({
          currency,
          count: toCount(disputes),
          amount_minor: toSum(amount_minor),
          next_due_at: next_due_at.toISOString(),
        })),
      }),
    }),
    backofficeRoute(context, {
      route: 'GET /disputes/:id',
      right: 'read',
      handle: (asked) => readDetail(context, asked),
    }),
  ];
}

type Asked = BackofficeRequest;
type Listing = { readonly show?: 'needs_answer' | 'open' | 'won' | 'lost' | 'all'; readonly cursor?: string };

async function list(
  { tools }: BackofficeContext,
  { db }: Asked,
  { show = 'needs_answer', cursor }: Listing,
): Promise<DisputePage> {
  const by_due = show === 'needs_answer' || show === 'open';
  const room = PAGE + 1;
  const [ms, after = HIGHEST_ID] = cursor?.includes('-') ? cursor.split('-') : [undefined, cursor];
  const from = ms === undefined ? {} : { due_at: new Date(Number(ms)) };
  const found = by_due
    ? await listOpenDisputes(db, { ...from, after, unanswered: show === 'needs_answer', room })
    : await listDisputes(db, { before: after, states: show === 'all' ? ['opened', 'won', 'lost'] : [show], room });
  const rows = found.slice(0, PAGE);
  const last = found.length > PAGE ? rows.at(-1) : undefined;
  const next = last && (by_due ? `${last.due_at?.getTime()}-${last.id}` : last.id);
  const now = tools.clock.now();
  return { disputes: rows.map((row) => viewRow(row, now)), next_cursor: next ?? null };
}

function evidenceRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  return [
    backofficeRoute(context, {
      route: 'PUT /disputes/:id/evidence',
      right: 'money',
      own: ['texts', 'was'],
      body_bytes: 1_000_000,
      handle: (asked) => putTexts(context, asked),
    }),
    backofficeRoute(context, {
      route: 'GET /disputes/:id/evidence',
      right: 'money',
      handle: (asked) => takeAllOut(context, asked),
    }),
    backofficeRoute(context, {
      route: 'PUT /disputes/:id/files',
      right: 'money',
      body: { field: required(text(64)), name: required(text(255)), content: required(text(CONTENT_BYTES)), was: SEEN },
      body_bytes: CONTENT_BYTES + 1024,
      handle: (asked) => putFile(context, asked, asked.body),
    }),
    backofficeRoute(context, {
      route: 'GET /disputes/:id/files/:field',
      right: 'money',
      handle: (asked) => takeOut(context, asked),
    }),
    backofficeRoute(context, {
      route: 'DELETE /disputes/:id/files/:field',
      right: 'money',
      query: { was: SEEN },
      handle: (asked) => takeAway(context, asked, asked.query),
    }),
  ];
}

/** A dispute of this account; another account's dispute is as unknown as one that does not exist. */
async function requireWhose({ db, account_id, params }: Asked) {
  const dispute_id = params['id'] ?? '';
  if (!isId(dispute_id) || !(await findDispute(db, dispute_id))) throw unknown('dispute');
  return { merchant_account_id: account_id, dispute_id };
}

async function putTexts(context: BackofficeContext, asked: Asked): Promise<DisputeDetail> {
  const whose = await requireWhose(asked);
  const texts = textsIn(asked, 'texts');
  // a page of the version before does not say what it saw
  const was = asked.object.has('was') ? textsIn(asked, 'was') : undefined;
  const record = { object: whose.dispute_id, detail: { texts: Object.keys(texts) } };
  await changeTexts(context.tools, {
    ...whose,
    texts,
    was,
    by: asked.principal.person.email,
    also: (tx) => asked.record(tx, { action: 'dispute evidence changed', ...record }),
  });
  return readDetail(context, asked);
}

function textsIn({ object }: Asked, name: 'texts' | 'was'): Record<string, string> {
  const given = object.get(name);
  if (!(given instanceof Map)) throw refuseField(name, 'parameter_missing', 'must be an object of texts by field');
  const texts: Record<string, string> = {};
  for (const [field, value] of given) {
    if (typeof value !== 'string') throw refuseField(`${name}.${field}`, 'parameter_invalid', 'must be a text');
    texts[field] = value.replaceAll('\0', '').trim();
  }
  return texts;
}

/** A page of the version before does not say what it saw. */
type Seen = Partial<Pick<EvidenceFileForm, 'was'>>;

async function putFile(
  context: BackofficeContext,
  asked: Asked,
  { field, name, content, was }: Omit<EvidenceFileForm, 'was'> & Seen,
): Promise<DisputeDetail> {
  const whose = await requireWhose(asked);
  if (!isFileField(field)) throw refuseField('field', 'parameter_invalid', 'is no field of evidence');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(content)) throw refuseField('content', 'parameter_invalid', 'is no base64');
  const record = { object: whose.dispute_id, detail: { file: field } };
  await addFile(context.tools, {
    ...whose,
    field,
    was,
    name,
    content: Buffer.from(content, 'base64'),
    by: asked.principal.person.email,
    also: (tx) => asked.record(tx, { action: 'dispute evidence changed', ...record }),
  });
  return readDetail(context, asked);
}

/** All evidence in one archive, for a person who answers at the provider's own site. */
async function takeAllOut({ tools }: BackofficeContext, asked: Asked): Promise<Answer> {
  const whose = await requireWhose(asked);
  const row = await findDispute(asked.db, whose.dispute_id);
  if (!row) throw unknown('dispute');
  await withTransaction(tools.db, asked.account_id, (tx) =>
    asked.record(tx, { action: 'dispute evidence taken out', object: row.id, detail: { file: 'all' } }),
  );
  const file = Readable.from(await answerByHand(tools, whose, row));
  return { body: {}, file, headers: fileHeaders(`dispute-${row.id}`, 'zip') };
}

/** Answers evidence as a file to save, never shown on a page of ours. */
async function takeOut({ tools }: BackofficeContext, asked: Asked): Promise<Answer> {
  const whose = await requireWhose(asked);
  const field = asked.params['field'];
  const row = (await listFiles(asked.db, whose.dispute_id)).find((one) => one.field === field);
  const content = row && (await openFile(tools, { ...whose, id: row.id }));
  if (!row || !content) throw unknown('file');
  await withTransaction(tools.db, asked.account_id, (tx) =>
    asked.record(tx, { action: 'dispute evidence taken out', object: whose.dispute_id, detail: { file: row.field } }),
  );
  const name = encodeURIComponent(row.name);
  return {
    body: {},
    file: Readable.from([content]),
    headers: {
      'content-type': row.type,
      'content-disposition': `attachment; filename*=UTF-8''${name}`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    },
  };
}

async function takeAway(context: BackofficeContext, asked: Asked, { was }: Seen): Promise<DisputeDetail> {
  const whose = await requireWhose(asked);
  const field = asked.params['field'] ?? '';
  const record = { object: whose.dispute_id, detail: { file: field } };
  const also = (tx: Asked['db']) => asked.record(tx, { action: 'dispute evidence removed', ...record });
  if (!isFileField(field) || !(await removeFile(context.tools, { ...whose, field, was, also }))) throw unknown('file');
  return readDetail(context, asked);
}

const ANSWERS = {
  submit: 'dispute evidence submitted',
  accept: 'dispute accepted',
  answered: 'dispute marked as answered',
} as const satisfies Readonly<Record<string, AuditAction>>;

function answerRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  return (['submit', 'accept', 'answered'] as const).map((way) =>
    backofficeRoute(context, {
      route: `POST /disputes/:id/${way}`,
      right: 'money',
      body: { reason: REASON },
      handle: async (asked) => {
        const { reason } = asked.body;
        const whose = await requireWhose(asked);
        await answerDispute(context.tools, {
          ...whose,
          kind: way === 'answered' ? 'elsewhere' : way,
          reason,
          by: asked.principal.person.email,
          also: (tx) => asked.record(tx, { action: ANSWERS[way], object: whose.dispute_id, reason }),
        });
        return readDetail(context, asked);
      },
    }),
  );
}
