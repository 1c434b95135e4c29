// Answers to disputes by PayPal's Disputes API v1 (https://developer.paypal.com/docs/api/customer-disputes/v1/). All
// evidence goes in one call, as a form: `input` says it, the files stand beside. After it the dispute is PayPal's to
// review, and takes no more.
//
// | step             | what it does                                                                           |
// |------------------|-----------------------------------------------------------------------------------------|
// | dispute          | how it stands, what may be done with it (its links), and what was submitted so far      |
// | dispute_evidence | all evidence, once                                                                       |
// | dispute_accept   | nothing is said against it: PayPal gives the payer the money back                        |
import { type FileField, TEXT_FIELDS, type TextField } from '../../core/dispute/evidence.ts';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { at, objectOf, textAt } from '../answer.ts';
import { type Answer, VALUE, type Written } from '../contract.ts';
import type { DisputeAbout, DisputeAsk, DisputeReading, Disputing } from '../disputing.ts';
import { fileNameOf, multipart } from '../multipart.ts';

const TEXTS: readonly TextField[] = [
  'uncategorized_text',
  'product_description',
  'shipping_carrier',
  'shipping_tracking_number',
  'service_date',
  'refund_refusal_explanation',
  'cancellation_rebuttal',
  'duplicate_charge_explanation',
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

export const disputing: Disputing = {
  texts: TEXTS,
  files: FILES,
  types: ['application/pdf', 'image/png', 'image/jpeg'],
  // PayPal takes 2,000 characters of notes; the names of our fields stand in them, too
  most_text: 1_600,
  most_file_bytes: 9_000_000,
  counts: ['dispute_evidence', 'dispute_accept'],
  look: 'dispute',
  step: ({ kind }, kept) =>
    kept[SUBMITTED] === undefined ? 'dispute' : kind === 'submit' ? 'dispute_evidence' : 'dispute_accept',
  sends: (step, { files }) => (step === 'dispute_evidence' ? files.map(({ field }) => field) : []),
  write,
  read,
};

/** Kept: how often the merchant had given evidence before. */
const SUBMITTED = 'submitted';

function write(step: string, ask: DisputeAsk): Written | undefined {
  if (!VALUE.test(ask.reference)) return undefined;
  const values = { dispute: ask.reference };
  if (step === 'dispute_accept')
    return {
      values,
      body: [JSON.stringify({ note: 'The merchant accepts the claim.', accept_claim_type: 'REFUND' })],
    };
  if (step !== 'dispute_evidence') return { values, body: [] };
  const input = { name: 'input', type: 'application/json', content: JSON.stringify({ evidences: evidencesOf(ask) }) };
  const files = ask.files.flatMap((file, i) =>
    file.content === undefined
      ? []
      : [{ name: `file${i + 1}`, file_name: fileNameOf(file), type: file.type, content: file.content }],
  );
  if (files.length < ask.files.length) return undefined;
  const body = multipart([input, ...files]);
  return body === undefined ? undefined : { values, body: [body] };
}

/** A tracking number is what PayPal itself can look up; all else goes in words, with the files. */
function evidencesOf({ texts, files }: DisputeAsk): readonly object[] {
  const { shipping_carrier: carrier = '', shipping_tracking_number: tracking_number = '' } = texts;
  const notes = TEXTS.flatMap((field) => {
    const text = texts[field] ?? '';
    return text === '' ? [] : [`${TEXT_FIELDS[field].label}: ${text}`];
  }).join('\n');
  const tracking_info = [{ carrier_name: 'OTHER', carrier_name_other: carrier || 'Other', tracking_number }];
  const documents = files.map((file) => ({ name: fileNameOf(file) }));
  return [
    ...(tracking_number === '' ? [] : [{ evidence_type: 'PROOF_OF_FULFILLMENT', evidence_info: { tracking_info } }]),
    {
      evidence_type: 'OTHER',
      ...(notes !== '' && { notes }),
      ...(documents.length > 0 && { documents }),
    },
  ];
}

function read(step: string, { status, body }: Answer, about: DisputeAbout): DisputeReading {
  const said = objectOf(body);
  if (status >= 500 || status === 409 || status === 429 || said === undefined) return { kind: 'unknown' };
  if (status >= 400) return about.sent ? { kind: 'unknown' } : { kind: 'refused', text: whyOf(said, status) };
  if (step !== 'dispute') return { kind: 'taken' };
  return textAt(said, 'dispute_id') === about.ask.reference ? looked(said, about) : { kind: 'unknown' };
}

const whyOf = (said: JsonObject, status: number): string => {
  const details = at(said, 'details');
  const issue = Array.isArray(details) ? textAt(details[0], 'description') || textAt(details[0], 'issue') : '';
  return issue || textAt(said, 'message') || `PayPal answered ${status}`;
};

/** States of a lost dispute; accepting one loses it, whatever PayPal calls that. */
const LOST = ['ACCEPTED', 'RESOLVED_BUYER_FAVOUR'];

function looked(said: JsonObject, { ask, kept, sent }: DisputeAbout): DisputeReading {
  const submitted = submittedIn(said);
  const is_open = offers(said, ask.kind === 'submit' ? 'provide-evidence' : 'accept-claim');
  if (!sent) {
    if (is_open) return { kind: 'next', keep: { [SUBMITTED]: String(submitted) } };
    const status = textAt(said, 'status').replaceAll('_', ' ').toLowerCase();
    return { kind: 'refused', text: `PayPal takes no such answer now: the dispute is ${status}` };
  }
  const outcome = textAt(said, 'dispute_outcome', 'outcome_code');
  const is_taken = ask.kind === 'submit' ? submitted > Number(kept[SUBMITTED]) : LOST.includes(outcome);
  if (is_taken) return { kind: 'taken' };
  return is_open ? { kind: 'next', keep: {} } : { kind: 'unknown' };
}

function submittedIn(said: JsonObject): number {
  const evidences = at(said, 'evidences');
  if (!Array.isArray(evidences)) return 0;
  return evidences.filter((one: JsonValue) => textAt(one, 'source') === 'SUBMITTED_BY_SELLER').length;
}

/** Links say what may be done. */
function offers(said: JsonObject, action: string): boolean {
  const links = at(said, 'links');
  return Array.isArray(links) && links.some((one: JsonValue) => textAt(one, 'href').endsWith(`/${action}`));
}
