// Answers to disputes by Adyen's Disputes API v30 (docs.adyen.com/risk-management/disputes-api). It takes documents by
// the reason of the defence. Most reasons claim something (the goods were as described, the refund was made), and who
// names one says so to the bank: we name the one that claims nothing, and leave the others to a person at Adyen.
//
// | step              | what it does                                                                |
// |-------------------|------------------------------------------------------------------------------|
// | dispute_reasons   | how it may be defended; a dispute that cannot be answered any more says so    |
// | dispute_documents | all documents at once, each in a place of its own: sent again it stands there |
// | dispute_defend    | the bank's side begins                                                        |
// | dispute_accept    | nothing is said against it: lost, and no way back                             |
//
// Nothing can be asked about a defence that was sent. While the dispute can still be defended it did not arrive; else a
// message says what became of it (`evidence` in messages.ts), and until then it is not known.
import { Buffer } from 'node:buffer';
import { FILE_FIELDS, type FileField } from '../../core/dispute/evidence.ts';
import type { JsonValue } from '../../core/json.ts';
import { at, objectOf, textAt } from '../answer.ts';
import type { Answer, Kept, Template, Written } from '../contract.ts';
import type { DisputeAbout, DisputeAsk, DisputeReading, Disputing } from '../disputing.ts';
import { jsonTemplate } from '../template.ts';
import { STEPS } from './steps.ts';

/** The reason that claims nothing, and the documents that go with it. */
const REASON = 'SupplyDefenseMaterial';
const PLACES = { uncategorized_file: 'DefenseMaterial', receipt: 'TIDorInvoice' } as const;
const FILES = Object.keys(PLACES) as readonly (keyof typeof PLACES)[];

export const disputing: Disputing = {
  texts: [],
  files: FILES,
  types: ['application/pdf', 'image/jpeg'],
  most_text: 0,
  most_file_bytes: 4_500_000,
  counts: ['dispute_defend', 'dispute_accept'],
  look: 'dispute_reasons',
  step,
  sends: (name, { files }) => (name === 'dispute_documents' ? files.map(({ field }) => field) : []),
  write,
  read,
};

/** Kept: it was looked at, the documents are there, what counts was sent more than once. */
const [LOOKED, SUPPLIED, REPEATED] = ['looked', 'supplied', 'repeated'];

function step({ kind }: DisputeAsk, kept: Kept): string {
  if (kept[LOOKED] === undefined) return 'dispute_reasons';
  if (kind === 'accept') return 'dispute_accept';
  return kept[SUPPLIED] === undefined ? 'dispute_documents' : 'dispute_defend';
}

function write(name: string, { reference, files }: DisputeAsk): Written | undefined {
  const about = { disputePspReference: reference };
  switch (name) {
    case 'dispute_reasons':
    case 'dispute_accept':
      return { values: {}, body: templateOf(name, about) };
    case 'dispute_defend':
      return { values: {}, body: templateOf(name, { ...about, defenseReasonCode: REASON }) };
    case 'dispute_documents': {
      const defenseDocuments = files.flatMap(({ field, type, content }) => {
        const place = placeOf(field);
        if (place === undefined || content === undefined) return [];
        const shown = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('base64');
        return [{ content: shown, contentType: type, defenseDocumentTypeCode: place }];
      });
      if (defenseDocuments.length < files.length) return undefined;
      return { values: {}, body: templateOf(name, { ...about, defenseDocuments }) };
    }
    default:
      return undefined;
  }
}

const templateOf = (name: keyof typeof STEPS, members: Readonly<Record<string, unknown>>): Template =>
  jsonTemplate(STEPS[name].slots, members);

const placeOf = (field: FileField): string | undefined =>
  FILES.includes(field as 'receipt') ? PLACES[field as 'receipt'] : undefined;

function read(name: string, { status, body }: Answer, { ask, kept, sent }: DisputeAbout): DisputeReading {
  const said = objectOf(body);
  if (status >= 500 || status === 429 || said === undefined) return { kind: 'unknown' };
  // what was sent may have been taken: only that it can still be done says that it was not
  if (sent)
    return at(said, 'disputeServiceResult', 'success') === true
      ? { kind: 'next', keep: { [REPEATED]: '1' } }
      : { kind: 'unknown' };
  if (status >= 400) return refused(kept, textAt(said, 'message') || `Adyen answered ${status}`);
  const success = at(said, 'disputeServiceResult', 'success');
  if (typeof success !== 'boolean') return { kind: 'unknown' };
  const text = textAt(said, 'disputeServiceResult', 'errorMessage') || 'Adyen says no, and not why';
  if (name === 'dispute_reasons') {
    if (!success) return refused(kept, text);
    const missing = ask.kind === 'submit' ? missingFor(ask, at(said, 'defenseReasons')) : undefined;
    return missing === undefined ? { kind: 'next', keep: { [LOOKED]: '1' } } : { kind: 'refused', text: missing };
  }
  if (!success) return refused(kept, text);
  return name === 'dispute_documents' ? { kind: 'next', keep: { [SUPPLIED]: '1' } } : { kind: 'taken' };
}

/** A refusal of what was sent before says nothing of the first: that one may have been taken. */
const refused = (kept: Kept, text: string): DisputeReading =>
  kept[REPEATED] === undefined ? { kind: 'refused', text } : { kind: 'unknown' };

/** Why the evidence cannot be sent so; undefined: it can. */
function missingFor({ files }: DisputeAsk, said: JsonValue | undefined): string | undefined {
  const reasons = Array.isArray(said) ? said : [];
  const ours = reasons.find((one: JsonValue) => textAt(one, 'defenseReasonCode') === REASON);
  if (ours === undefined) {
    const codes = reasons.map((one: JsonValue) => textAt(one, 'defenseReasonCode')).join(', ');
    return `Adyen wants one of these reasons for the defence, each of which claims something: ${codes}. Choose it there`;
  }
  const documents = at(ours, 'defenseDocumentTypes');
  const required = (Array.isArray(documents) ? documents : [])
    .filter((one: JsonValue) => textAt(one, 'requirementLevel') === 'Required')
    .map((one: JsonValue) => textAt(one, 'defenseDocumentTypeCode'));
  const given = files.map(({ field }) => placeOf(field));
  const missing = required.filter((code) => !given.includes(code));
  if (missing.length === 0) return undefined;
  const labels = missing.map((code) => {
    const field = FILES.find((one) => PLACES[one] === code);
    return field === undefined ? code : `“${FILE_FIELDS[field].label}”`;
  });
  return `Adyen wants a document for ${labels.join(', ')}: put what you have to say and to show into one PDF`;
}
