// Disputes at the simulated PayPal: the control opens a dispute, the merchant answers it. A word in the notes decides
// its end: winning_evidence or losing_evidence; without one the dispute stays under review.
import { type Capture, type Dispute, type Evidence, keep } from '../books.ts';
import { refusal } from '../errors.ts';
import type { World } from '../world.ts';
import { type Said, objectIn, parse, textIn } from '../../said.ts';
import { disputeView } from './views.ts';

/** Plays the payer's side: opens a dispute, or ends a known one with this outcome. */
export function tellDispute(world: World, capture: Capture, outcome: string | undefined): Dispute {
  const id = `PP-D-${capture.id}`;
  const now = world.now_ms();
  const { account } = capture;
  const known = world.books.disputes.get(id);
  const dispute =
    known ??
    keep<Dispute>(world.books.disputes, {
      id,
      account,
      capture,
      created_ms: now,
      updated_ms: now,
      reason: 'UNAUTHORISED',
      status: 'WAITING_FOR_SELLER_RESPONSE',
      outcome: undefined,
      evidences: [],
    });
  if (outcome === undefined && known === undefined) tell(world, dispute, 'CREATED');
  else end(world, dispute, outcome);
  return dispute;
}

/** An undefined outcome opens the dispute again. */
function end(world: World, dispute: Dispute, outcome: string | undefined): void {
  dispute.outcome = outcome;
  dispute.status = outcome === undefined ? 'WAITING_FOR_SELLER_RESPONSE' : 'RESOLVED';
  tell(world, dispute, outcome === undefined ? 'CREATED' : 'RESOLVED');
}

function tell(world: World, dispute: Dispute, what: 'CREATED' | 'UPDATED' | 'RESOLVED'): void {
  dispute.updated_ms = world.now_ms();
  const resource = disputeView(world, dispute);
  world.tell({ type: `CUSTOMER.DISPUTE.${what}`, resource_type: 'dispute', resource, account: dispute.account });
}

function requireOpen({ status }: Dispute): void {
  if (status !== 'WAITING_FOR_SELLER_RESPONSE') throw refusal(422, 'ACTION_NOT_ALLOWED_IN_CURRENT_DISPUTE_STATE');
}

export function acceptClaim(world: World, dispute: Dispute, said: Said): void {
  requireOpen(dispute);
  if (textIn(said, 'note') === undefined) throw refusal(400, 'MISSING_REQUIRED_PARAMETER', { field: '/note' });
  end(world, dispute, 'RESOLVED_BUYER_FAVOUR');
}

/** `text` is the form; each of its characters is a byte. */
export function provideEvidence(world: World, dispute: Dispute, text: string): void {
  requireOpen(dispute);
  const evidences = evidencesIn(text);
  if (evidences === undefined) throw refusal(400, 'INVALID_REQUEST');
  dispute.evidences = [...dispute.evidences, ...evidences];
  const notes = evidences.map((one) => one.notes ?? '').join('\n');
  if (notes.includes('winning_evidence')) return end(world, dispute, 'RESOLVED_SELLER_FAVOUR');
  if (notes.includes('losing_evidence')) return end(world, dispute, 'RESOLVED_BUYER_FAVOUR');
  review(world, dispute);
}

/** The dispute was answered, and PayPal reviews it. */
export function review(world: World, dispute: Dispute): void {
  dispute.status = 'UNDER_REVIEW';
  tell(world, dispute, 'UPDATED');
}

const MOST_NOTES = 2000;
const MOST_FILE_BYTES = 10 * 1024 * 1024;
const TYPES = /^content-type: (?:application\/pdf|image\/(?:png|jpeg|gif))\r\n/m;

/** Undefined if the form is wrong, or names a file that it does not contain. */
function evidencesIn(text: string): readonly Evidence[] | undefined {
  const boundary = /^--([^\r\n]{1,70})\r\n/.exec(text)?.[1];
  const parts = boundary === undefined ? [] : text.split(`--${boundary}`).slice(1, -1);
  const input = parts.find((part) => part.includes('name="input"'));
  // the part without its own headers and without its last line break
  const written = input?.slice(input.indexOf('\r\n\r\n') + 4, -2);
  const files = parts.filter((part) => part.includes('; filename="'));
  if (!files.every((part) => TYPES.test(part.slice(0, 400)) && part.length < MOST_FILE_BYTES)) return undefined;
  const there = files.map((part) => /filename="([^"]+)"/.exec(part)?.[1] ?? '');
  const given = parse(Buffer.from(written ?? 'null', 'latin1').toString('utf8'))?.['evidences'];
  const evidences = Array.isArray(given) ? given.map((one: unknown) => evidenceOf(objectIn({ one }, 'one'))) : [];
  const named = evidences.flatMap(({ documents }) => documents);
  const is_whole = evidences.every(
    ({ notes = '', evidence_type }) => notes.length <= MOST_NOTES && evidence_type !== '',
  );
  return evidences.length > 0 && is_whole && named.every((name) => there.includes(name)) ? evidences : undefined;
}

function evidenceOf(said: Said): Evidence {
  const { documents } = said;
  const { tracking_info } = objectIn(said, 'evidence_info');
  const first: unknown = Array.isArray(tracking_info) ? tracking_info[0] : undefined;
  const named = Array.isArray(documents)
    ? documents.map((one: unknown) => textIn(objectIn({ one }, 'one'), 'name'))
    : [];
  return {
    evidence_type: textIn(said, 'evidence_type') ?? '',
    notes: textIn(said, 'notes'),
    tracking_number: textIn(objectIn({ first }, 'first'), 'tracking_number'),
    documents: named.filter((name) => name !== undefined),
  };
}
