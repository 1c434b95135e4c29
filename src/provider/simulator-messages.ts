// Messages of the simulated provider (src/sandbox/later/messages.ts is their definition), read as data. The signature is
// checked by whoever received them.
import { findResult } from '../core/results.ts';
import type { Message, Outcome, Signing } from './contract.ts';
import { declined, digits, matches, parse } from './simulator.ts';

const SIGNING: Signing = {
  timestamp_header: 'x-simulator-timestamp',
  signature_header: 'x-simulator-signature',
};

const ID = /^[0-9a-f]{24}$/;
const REFERENCE = /^[A-Za-z0-9_-]{1,64}$/;
const ABOUT = ['authorize', 'capture', 'refund', 'cancel'] as const;

export const simulatorMessages = { signing: SIGNING, read };

/** Undefined: a dispute, or not as agreed. */
function read(body: Uint8Array): Message | undefined {
  const said = parse(body);
  const about = ABOUT.find((kind) => kind === said?.get('kind'));
  if (!said || !about) return undefined;
  const [event_ref, merchant_account_id, order_id] = ['id', 'merchant_account_id', 'order_id'].map((m) => said.get(m));
  const our_reference = said.get('reference');
  if (!matches(event_ref, /^.{1,255}$/) || !matches(merchant_account_id, ID) || !matches(order_id, ID))
    return undefined;
  if (!matches(our_reference, ID)) return undefined;
  const news = newsOf(said, about, our_reference);
  return news && { event_ref, merchant_account_id, order_id, our_reference, about, news };
}

type Said = NonNullable<ReturnType<typeof parse>>;

function newsOf(said: Said, about: Message['about'], our_reference: string): Message['news'] | undefined {
  const reference = said.get('provider_ref');
  if (!matches(reference, REFERENCE)) return undefined;
  switch (said.get('status')) {
    case 'approved':
      return approved(said, reference, our_reference);
    case 'declined':
      return declined(said, about, reference);
    case 'pending':
      return { kind: 'pending', reference };
    case 'failed': {
      const name = findResult(String(said.get('code')))?.name;
      return name && { kind: 'corrected', result: name, reference };
    }
    case 'lapsed':
      return { kind: 'lapsed' };
    default:
      return undefined;
  }
}

function approved(said: Said, reference: string, our_reference: string): Outcome | undefined {
  const [amount_minor, currency] = [digits(said.get('amount')), said.get('currency')];
  const [code, text, authorization_code] = [said.get('code'), said.get('text'), said.get('authorization_code')];
  if (amount_minor === undefined || !matches(currency, /^[A-Z]{3}$/)) return undefined;
  if (!matches(code, /^\d{6}$/) || !matches(text, /^.{0,255}$/su)) return undefined;
  return {
    kind: 'approved',
    reference,
    our_reference,
    amount_minor,
    currency,
    authorization_code: matches(authorization_code, /^[A-Z0-9]{6}$/) ? authorization_code : '',
    captured: said.get('captured') === true,
    provider_code: code,
    provider_text: text,
  };
}
