// One dispute as the desk shows it: the reason in words, the evidence that usually wins, facts that are known here, and
// the answers that were sent.
import {
  FILE_FIELDS,
  type FileField,
  TEXT_FIELDS,
  type TextField,
  type Texts,
  isFileField,
  isTextField,
} from '../../core/dispute/evidence.ts';
import { FAMILY_WORDS, familyOf } from '../../core/dispute/reasons.ts';
import { isId } from '../../core/ids.ts';
import { toCount } from '../../core/money.ts';
import { listAnswers } from '../../payment/dispute/desk/answer-store.ts';
import { readTexts } from '../../payment/dispute/desk/evidence.ts';
import { type FileRow, listFiles } from '../../payment/dispute/desk/evidence-store.ts';
import { type DisputeRow, findDispute } from '../../payment/dispute/desk/store.ts';
import { wentBackTwice } from '../../payment/order-rules/blocked.ts';
import type { OrderFacts } from '../../payment/order/facts/order-facts.ts';
import { findOrder } from '../../payment/order/facts/order-store.ts';
import { type BackofficeContext, type BackofficeRequest, unknown } from '../context.ts';
import type {
  DisputeDetail,
  DisputeStage,
  EvidenceFile,
  EvidenceText,
  DisputeRow as WireRow,
} from '../wire/disputes.ts';

const ANSWERED = { submitted: 'answered', elsewhere: 'answered', accepted: 'accepted' } as const;

function stageOf({ state, answered_as, answer_state, due_at }: DisputeRow, now: Date): DisputeStage {
  if (state !== 'opened') return state;
  if (answered_as !== null) return ANSWERED[answered_as];
  if (answer_state === 'requested' || answer_state === 'in_doubt') return 'sending';
  return due_at !== null && due_at < now ? 'late' : 'needs_answer';
}

export function viewRow(row: DisputeRow, now: Date): WireRow {
  const { id, order_id, order_merchant_id, provider, state, currency, reason, reason_code, due_reckoned } = row;
  return {
    id,
    order_id,
    order_merchant_id,
    provider,
    state,
    stage: stageOf(row, now),
    amount_minor: toCount(row.amount_minor),
    currency,
    reason,
    reason_code,
    title: FAMILY_WORDS[familyOf(row)].title,
    opened_at: row.opened_at.toISOString(),
    due_at: row.due_at?.toISOString() ?? null,
    due_reckoned,
  };
}

export async function readDetail(
  { tools }: BackofficeContext,
  { db, account_id, params }: BackofficeRequest,
): Promise<DisputeDetail> {
  const dispute_id = params['id'] ?? '';
  const row = isId(dispute_id) ? await findDispute(db, dispute_id) : undefined;
  if (!row) throw unknown('dispute');
  const [said, files, answers, order] = await Promise.all([
    readTexts(tools, { merchant_account_id: account_id, dispute_id }),
    listFiles(db, dispute_id),
    listAnswers(db, dispute_id),
    findOrder(db, row.order_id),
  ]);
  const words = FAMILY_WORDS[familyOf(row)];
  const provider = tools.providers.get(row.provider);
  const stage = stageOf(row, tools.clock.now());
  const disputing = provider?.disputing;
  return {
    ...viewRow(row, tools.clock.now()),
    claim: words.claim,
    wins: words.wins,
    reference: row.reference,
    capture_id: row.operation_id,
    back_twice_minor: order ? toCount(wentBackTwice(order)) : 0,
    round: row.round,
    updated_at: row.updated_at.toISOString(),
    answered_at: row.answered_at?.toISOString() ?? null,
    answered_as: row.answered_as,
    sends: disputing !== undefined && row.reference !== null,
    provider_name: provider?.display_name ?? row.provider,
    answer_at: provider?.disputes_at ?? row.provider,
    open: stage === 'needs_answer' || stage === 'late',
    most_file_bytes: disputing?.most_file_bytes ?? 0,
    texts: textsOf({ disputing, asked: words.texts, said, known: order ? knownOf(order) : {} }),
    files: filesOf({ disputing, asked: words.files, files }),
    answers: answers.map(({ dispute_id: _, kept: __, sent_at: ___, tries: ____, created_at, ended_at, ...answer }) => ({
      ...answer,
      created_at: created_at.toISOString(),
      ended_at: ended_at?.toISOString() ?? null,
    })),
  };
}

type Known = Readonly<Partial<Record<TextField, { readonly text: string; readonly from: string }>>>;

/** Facts of the order that speak for the payment, each with where it is from. */
function knownOf(order: OrderFacts): Known {
  const { body } = order;
  const name = [body.customer_first_name, body.customer_last_name].filter(Boolean).join(' ');
  const from = 'the order';
  const authenticated = order.authentications.find(({ state }) => state === 'successful');
  const proof = authenticated && `The payment was authenticated with 3-D Secure on ${order.created_at.slice(0, 10)}.`;
  return {
    ...(name !== '' && { customer_name: { text: name, from } }),
    ...(body.customer_email !== undefined && { customer_email_address: { text: body.customer_email, from } }),
    ...(body.customer_ip !== undefined && { customer_purchase_ip: { text: body.customer_ip, from } }),
    ...(proof !== undefined && { uncategorized_text: { text: proof, from: 'the authentication' } }),
  };
}

/** The evidence that the provider accepts; undefined: nothing is sent to it from here. */
type Taken = { readonly texts: readonly TextField[]; readonly files: readonly FileField[] } | undefined;

type Telling = {
  readonly disputing: Taken;
  readonly asked: readonly TextField[];
  readonly said: Texts;
  readonly known: Known;
};

/**
 * The texts of evidence; those that the reason asks for come first, in the order of its row. If nothing is sent from
 * here, all of them help to write an answer.
 */
function textsOf({ disputing, asked, said, known }: Telling): readonly EvidenceText[] {
  const fields = disputing?.texts ?? Object.keys(TEXT_FIELDS).filter(isTextField);
  const first = asked.filter((field) => fields.includes(field));
  return [...first, ...fields.filter((field) => !first.includes(field))].map((field) => ({
    field,
    ...TEXT_FIELDS[field],
    text: said[field] ?? '',
    known: known[field] ?? null,
    asked: first.includes(field),
  }));
}

type Showing = {
  readonly disputing: Taken;
  readonly asked: readonly FileField[];
  readonly files: readonly FileRow[];
};

function filesOf({ disputing, asked, files }: Showing): readonly EvidenceFile[] {
  const fields = disputing?.files ?? Object.keys(FILE_FIELDS).filter(isFileField);
  const first = asked.filter((field) => fields.includes(field));
  return [...first, ...fields.filter((field) => !first.includes(field))].map((field) => {
    const row = files.find((one) => one.field === field);
    const file = row && { ...row, added_at: row.added_at.toISOString() };
    return { field, ...FILE_FIELDS[field], asked: first.includes(field), file: file ?? null };
  });
}
