// What a simulated provider tells on its own, in the form of the contract for providers (the wire: simulator-message.ts).
import type { Message, Signing } from './contract.ts';
import { SIGNATURE_HEADER, TIMESTAMP_HEADER, type Told, readMessage } from './simulator-message.ts';

const signing: Signing = { timestamp_header: TIMESTAMP_HEADER, signature_header: SIGNATURE_HEADER };

const ID = /^[0-9a-f]{24}$/;

export const simulatorMessages = { signing, read };

/** Undefined: a dispute, which moves no operation, or not as agreed. */
function read(body: Uint8Array): Message | undefined {
  const message = readMessage(body);
  if (!message || message.operation === 'dispute' || message.told.kind === 'dispute') return undefined;
  const { event_id, merchant_account_id, order_id, our_reference, operation, provider_ref, told } = message;
  if (![merchant_account_id, order_id, our_reference].every((id) => ID.test(id))) return undefined;
  const news = newsOf(told, provider_ref);
  return { event_ref: event_id, merchant_account_id, order_id, our_reference, about: operation, news };
}

function newsOf(told: Exclude<Told, { kind: 'dispute' }>, reference: string): Message['news'] {
  if (told.kind === 'outcome') return told.outcome;
  return told.kind === 'corrected' ? { ...told, reference } : told;
}
