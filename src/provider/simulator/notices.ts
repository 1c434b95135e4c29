// Messages of a simulated provider, in the form of the contract for providers. Each request holds one event and is
// signed as a whole. The event names the operation by our own ids; the address that it was sent to says whose it is.
import { createHash } from 'node:crypto';
import { isId } from '../../core/ids.ts';
import type { News, Notice, Notices } from '../notices.ts';
import { type Message, type Told, readMessage } from './message.ts';
import { SIGNATURE_HEADER, TIMESTAMP_HEADER, proofOf } from './proof.ts';

export const simulatorNotices: Notices = {
  headers: [TIMESTAMP_HEADER, SIGNATURE_HEADER],
  open: (raw, headers) => [{ ...noticeOf(raw), proof: proofOf(raw, headers), of: {} }],
  accepted: { status: 200, body: '{"received":true}' },
};

function noticeOf(raw: Uint8Array): Pick<Notice, 'event_ref' | 'match' | 'news'> {
  const message = readMessage(raw);
  const ours = message && { order_id: message.order_id, operation_id: message.our_reference };
  if (!message || !ours || !Object.values(ours).every(isId))
    return { event_ref: message?.event_id ?? nameOf(raw), match: null, news: { kind: 'not_understood' } };
  const { event_id, operation, amount_minor, currency, told } = message;
  // a dispute names the capture it is about
  const kind = operation === 'dispute' ? 'capture' : operation;
  // it always says our own reference: its own is none that we look by
  const match = { kind, ours, reference: null, authorization_reference: null, amount_minor, currency };
  return { event_ref: event_id, match, news: newsOf(message, told) };
}

/** The id of a message without one of its own: equal bytes have the same. */
function nameOf(raw: Uint8Array): string {
  return `unread_${createHash('sha256').update(raw).digest('hex')}`;
}

function newsOf({ amount_minor, currency, provider_text, provider_code, provider_ref, at }: Message, told: Told): News {
  switch (told.kind) {
    case 'outcome':
      return told.outcome;
    case 'corrected':
      return { ...told, reference: provider_ref };
    case 'dispute':
      return { ...told, amount_minor, currency, reason: provider_text, reason_code: provider_code, at };
    case 'lapsed':
      return told;
  }
}
