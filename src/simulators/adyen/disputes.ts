// Disputes of the simulated Adyen: its Disputes API v30, and the end of a defence. A text in a document decides the
// end: winning_evidence or losing_evidence; without one the bank does not decide.
import type { Books, Dispute, Payment } from './books.ts';
import { tell } from './messages.ts';
import { type Said, objectIn } from '../said.ts';
import { type Reply, textIn } from './said.ts';

export const DISPUTES = '/ca/services/DisputeService/v30/';

/** The documents that a defence needs: one reason names a claim, the other is general. */
const REASONS = [
  {
    code: 'GoodsNotReturned',
    documents: [
      ['TIDorInvoice', 'Optional'],
      ['GoodsNotReturned', 'Required'],
    ],
  },
  {
    code: 'SupplyDefenseMaterial',
    documents: [
      ['TIDorInvoice', 'Optional'],
      ['DefenseMaterial', 'Required'],
    ],
  },
] as const;
const TYPES = ['application/pdf', 'image/jpg', 'image/jpeg', 'image/tiff'];

const DONE: Reply = { status: 200, said: { disputeServiceResult: { success: true } } };
const failed = (errorMessage: string): Reply => ({
  status: 200,
  said: { disputeServiceResult: { errorMessage, success: false } },
});

/** Returns the payment's dispute, or makes one. */
export function openDispute(books: Books, payment: Payment, value: number): Dispute {
  const known = [...books.disputes.values()].find((one) => one.payment === payment.psp);
  return (
    known ??
    books.keepDispute({
      psp: books.pspReference(),
      account: payment.account,
      payment: payment.psp,
      value,
      state: 'open',
      documents: {},
      defences: 0,
    })
  );
}

/** Changes the dispute's state as the event says. */
export function movedBy(dispute: Dispute, event: string): void {
  const state = MOVES.get(event);
  if (state !== undefined) dispute.state = state;
}

const MOVES: ReadonlyMap<string, Dispute['state']> = new Map([
  ['CHARGEBACK', 'open'],
  ['INFORMATION_SUPPLIED', 'defended'],
  ['CHARGEBACK_REVERSED', 'won'],
  ['SECOND_CHARGEBACK', 'lost'],
  ['DISPUTE_DEFENSE_PERIOD_ENDED', 'lost'],
]);

type Asked = { readonly books: Books; readonly account: string; readonly said: Said };

export function disputeCall(name: keyof typeof CALLS, { books, account, said }: Asked): Reply {
  const dispute = books.disputes.get(textIn(said, 'disputePspReference'));
  if (dispute?.account !== account) return failed('Dispute not found.');
  if (dispute.state !== 'open') return failed('This dispute cannot be defended.');
  return CALLS[name](books, dispute, said);
}

const CALLS = {
  retrieveApplicableDefenseReasons: (_books: Books, dispute: Dispute): Reply => ({
    status: 200,
    said: { ...reasonsOf(dispute), ...DONE.said },
  }),
  supplyDefenseDocument: (_books: Books, dispute: Dispute, said: Said) => supply(dispute, said),
  defendDispute: defend,
  acceptDispute: (books: Books, dispute: Dispute) => {
    moveOn(books, dispute, ['DISPUTE_DEFENSE_PERIOD_ENDED', 'Accepted']);
    return DONE;
  },
};

function reasonsOf({ documents }: Dispute): Said {
  const defenseReasons = REASONS.map(({ code, documents: types }) => ({
    defenseDocumentTypes: types.map(([type, requirementLevel]) => ({
      available: documents[type] !== undefined,
      defenseDocumentTypeCode: type,
      requirementLevel,
    })),
    defenseReasonCode: code,
    satisfied: types.every(([type, level]) => level !== 'Required' || documents[type] !== undefined),
  }));
  return { defenseReasons };
}

const MOST_BYTES: Readonly<Record<string, number>> = { 'application/pdf': 2 * 1024 * 1024 };
const MOST = 10 * 1024 * 1024;

function supply(dispute: Dispute, { defenseDocuments }: Said): Reply {
  const given = Array.isArray(defenseDocuments) ? defenseDocuments : [];
  const documents = given.map((one: unknown) => {
    const document = objectIn({ one }, 'one');
    const content = Buffer.from(textIn(document, 'content'), 'base64');
    return { type: textIn(document, 'contentType'), place: textIn(document, 'defenseDocumentTypeCode'), content };
  });
  if (documents.length === 0) return failed('No defense documents were supplied');
  if (!documents.every(({ type }) => TYPES.includes(type))) return failed('Unsupported content type');
  if (!documents.every(({ type, content }) => content.length <= (MOST_BYTES[type] ?? MOST)))
    return failed('The defense document is too large');
  for (const { place, type, content } of documents)
    dispute.documents = { ...dispute.documents, [place]: { type, size: content.length, says: sayingOf(content) } };
  return DONE;
}

const sayingOf = (content: Buffer): Dispute['documents'][string]['says'] =>
  (['winning', 'losing'] as const).find((one) => content.includes(`${one}_evidence`)) ?? null;

function defend(books: Books, dispute: Dispute, said: Said): Reply {
  const reason = REASONS.find(({ code }) => code === textIn(said, 'defenseReasonCode'));
  if (reason === undefined) return failed('Invalid defense reason');
  const missing = reason.documents.filter(([type, level]) => level === 'Required' && !dispute.documents[type]);
  if (missing.length > 0) return failed('Required defense documents are missing');
  dispute.defences += 1;
  moveOn(books, dispute, ['INFORMATION_SUPPLIED', 'Pending']);
  const says = Object.values(dispute.documents).map((one) => one.says);
  if (says.includes('winning')) moveOn(books, dispute, ['CHARGEBACK_REVERSED', 'Pending']);
  else if (says.includes('losing')) moveOn(books, dispute, ['SECOND_CHARGEBACK', 'Lost']);
  return DONE;
}

function moveOn(books: Books, dispute: Dispute, [code, disputeStatus]: readonly [string, string]): void {
  const payment = books.payments.get(dispute.payment);
  movedBy(dispute, code);
  if (payment) tellDispute(books, payment, { dispute, code, more: { disputeStatus } });
}

type Telling = {
  readonly dispute: Dispute;
  readonly code: string;
  readonly reason?: string;
  readonly more?: Readonly<Record<string, string>>;
};

/** All events of one dispute have the dispute's reference. */
export function tellDispute(books: Books, payment: Payment, { dispute, code, reason, more }: Telling): void {
  tell(books, payment.account, {
    code,
    success: true,
    psp: dispute.psp,
    original: payment.psp,
    reference: payment.reference,
    amount: { currency: payment.amount.currency, value: dispute.value },
    method: payment.brand,
    ...(reason !== undefined && { reason }),
    ...(more && { more }),
  });
}
