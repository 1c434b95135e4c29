// What a simulated provider tells on its own, in the form of the contract for providers (the wire: simulator-message.ts).
import type { Dispute, Message, Signing } from './contract.ts';
import {
  type Message as Said,
  SIGNATURE_HEADER,
  TIMESTAMP_HEADER,
  type Told,
  readMessage,
} from './simulator-message.ts';

const signing: Signing = { timestamp_header: TIMESTAMP_HEADER, signature_header: SIGNATURE_HEADER };

const ID = /^[0-9a-f]{24}$/;

export const simulatorMessages = { signing, read };

/** Undefined: not as agreed. */
function read(body: Uint8Array): Message | undefined {
  const message = readMessage(body);
  if (!message) return undefined;
  const { event_id, merchant_account_id, order_id, our_reference, operation, provider_ref, told } = message;
  if (![merchant_account_id, order_id, our_reference].every((id) => ID.test(id))) return undefined;
  const whose = { event_ref: event_id, merchant_account_id, order_id, our_reference };
  // a dispute names the capture it is about
  if (told.kind === 'dispute') return { ...whose, about: 'capture', news: disputeOf(message, told.state) };
  if (operation === 'dispute') return undefined;
  return { ...whose, about: operation, news: newsOf(told, provider_ref) };
}

function disputeOf(
  { amount_minor, currency, provider_text, provider_code, at }: Said,
  state: Dispute['state'],
): Dispute {
  return { kind: 'dispute', state, amount_minor, currency, reason: provider_text, reason_code: provider_code, at };
}

function newsOf(told: Exclude<Told, { kind: 'dispute' }>, reference: string): Message['news'] {
  if (told.kind === 'outcome') return told.outcome;
  return told.kind === 'corrected' ? { ...told, reference } : told;
}
