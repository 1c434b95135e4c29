// Answers to disputes at Stripe: https://docs.stripe.com/disputes/api. A look first, which counts the submissions so
// far; files go to a host of their own and come back as ids; one update submits all. Usually one submission is all that
// Stripe takes.
//
// | step           | what it does                                                                    |
// |----------------|---------------------------------------------------------------------------------|
// | dispute        | how it stands, and how often evidence was submitted                              |
// | dispute_file   | one file, as the form that browsers send                                         |
// | dispute_submit | all evidence, and `submit`: the bank's side begins                               |
// | dispute_close  | accepts: lost at once, and no way back                                           |
import type { FileField, TextField } from '../../core/dispute/evidence.ts';
import { minorAt, objectOf, textAt } from '../answer.ts';
import { type Answer, type Kept, VALUE, type Written } from '../contract.ts';
import type { DisputeAbout, DisputeAsk, DisputeReading, Disputing } from '../disputing.ts';
import { fileNameOf, multipart } from '../multipart.ts';
import { formText } from './bodies.ts';

/** Stripe calls these as we do. */
const TEXTS: readonly TextField[] = [
  'product_description',
  'customer_name',
  'customer_email_address',
  'customer_purchase_ip',
  'billing_address',
  'access_activity_log',
  'shipping_carrier',
  'shipping_tracking_number',
  'shipping_date',
  'shipping_address',
  'service_date',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'duplicate_charge_id',
  'duplicate_charge_explanation',
  'uncategorized_text',
];
const FILES: readonly FileField[] = [
  'receipt',
  'customer_communication',
  'customer_signature',
  'shipping_documentation',
  'service_documentation',
  'refund_policy',
  'cancellation_policy',
  'duplicate_charge_documentation',
  'uncategorized_file',
];

const SUBMISSIONS = 'submissions';
const keptName = (field: FileField) => `file_${field}`;

export const disputing: Disputing = {
  texts: TEXTS,
  files: FILES,
  types: ['application/pdf', 'image/png', 'image/jpeg'],
  most_text: 150_000,
  most_file_bytes: 4_500_000,
  counts: ['dispute_submit', 'dispute_close'],
  look: 'dispute',
  step,
  sends: (name, ask, kept) => (name === 'dispute_file' ? [nextFile(ask, kept)].filter((one) => one !== undefined) : []),
  write,
  read,
};

const nextFile = ({ files }: DisputeAsk, kept: Kept): FileField | undefined =>
  files.find(({ field }) => kept[keptName(field)] === undefined)?.field;

function step(ask: DisputeAsk, kept: Kept): string {
  if (kept[SUBMISSIONS] === undefined) return 'dispute';
  if (ask.kind === 'accept') return 'dispute_close';
  return nextFile(ask, kept) === undefined ? 'dispute_submit' : 'dispute_file';
}

function write(name: string, ask: DisputeAsk, kept: Kept): Written | undefined {
  if (name === 'dispute_file') {
    const file = ask.files.find(({ field }) => field === nextFile(ask, kept));
    if (file?.content === undefined) return undefined;
    const shown = { name: 'file', file_name: fileNameOf(file), type: file.type, content: file.content };
    const body = multipart([{ name: 'purpose', content: 'dispute_evidence' }, shown]);
    return body === undefined ? undefined : { values: {}, body: [body] };
  }
  if (!VALUE.test(ask.reference)) return undefined;
  const values = { dispute: ask.reference };
  if (name !== 'dispute_submit') return { values, body: [] };
  const told = [
    ...Object.entries(ask.texts),
    ...ask.files.map(({ field }) => [field, kept[keptName(field)] ?? ''] as const),
  ].map(([field, text]) => [`evidence[${field}]`, text] as const);
  return { values, body: [formText(Object.fromEntries([...told, ['submit', 'true']]))] };
}

function read(name: string, { status, body }: Answer, { ask, kept, sent }: DisputeAbout): DisputeReading {
  const said = objectOf(body);
  if (status >= 500 || status === 409 || status === 429 || said === undefined) return { kind: 'unknown' };
  if (status >= 400) return { kind: 'refused', text: textAt(said, 'error', 'message') || `Stripe answered ${status}` };
  if (name === 'dispute_file') {
    const field = nextFile(ask, kept);
    const id = textAt(said, 'id');
    if (field === undefined || !VALUE.test(id)) return { kind: 'unknown' };
    return { kind: 'next', keep: { [keptName(field)]: id } };
  }
  if (textAt(said, 'object') !== 'dispute' || textAt(said, 'id') !== ask.reference) return { kind: 'unknown' };
  return name === 'dispute' ? looked(said, { ask, kept, sent }) : { kind: 'taken' };
}

const ANSWERABLE = ['needs_response', 'warning_needs_response'];

function looked(said: Parameters<typeof textAt>[0], { ask, kept, sent }: DisputeAbout): DisputeReading {
  const submissions = minorAt(said, 'evidence_details', 'submission_count') ?? 0n;
  const status = textAt(said, 'status');
  if (sent) {
    const before = BigInt(kept[SUBMISSIONS] ?? '0');
    const is_taken = ask.kind === 'accept' ? status === 'lost' : submissions > before;
    return is_taken ? { kind: 'taken' } : { kind: 'next', keep: {} };
  }
  if (!ANSWERABLE.includes(status))
    return { kind: 'refused', text: `Stripe takes no answer any more: the dispute is ${status.replaceAll('_', ' ')}` };
  return { kind: 'next', keep: { [SUBMISSIONS]: String(submissions) } };
}
