// Messages from PayPal: https://developer.paypal.com/api/rest/webhooks/. PayPal signs the number of the transmission,
// its time, the webhook's id and a CRC-32 of the body. Anyone who has once seen a good message can easily make another
// body with the same checksum, so a message about money is not believed: it only makes us look.
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { at, objectOf, textAt } from '../answer.ts';
import {
  NOT_NAMED,
  type Dispute,
  type Hearsay,
  type Match,
  type News,
  type Notice,
  type SignatureRecipe,
} from '../notices.ts';
import { captureOf } from './books.ts';
import { crc32 } from './crc32.ts';
import { moneyAt } from './money.ts';
import { oursIn } from './names.ts';

export const HEADERS = [
  'paypal-transmission-id',
  'paypal-transmission-time',
  'paypal-transmission-sig',
  'paypal-cert-url',
  'paypal-auth-algo',
] as const;

type Given = Readonly<Record<string, string | undefined>>;
type Meaning = Pick<Notice, 'match' | 'news'>;
/** `at`: when it happened. */
type Event = { readonly resource: JsonObject; readonly at: string };

export function open(raw: Uint8Array, headers: Given): readonly Notice[] {
  const said = objectOf(raw);
  const [event_ref, type, resource] = [textAt(said, 'id'), textAt(said, 'event_type'), at(said, 'resource')];
  if (event_ref === '' || type === '' || !(resource instanceof Map)) return [];
  const means = MEANINGS.get(type) ?? notUnderstood;
  const event = { resource, at: textAt(said, 'create_time') };
  return [{ event_ref, proof: recipe(raw, headers), of: {}, ...means(event) }];
}

const ALGORITHM = 'SHA256withRSA';

/** The certificate comes from a host of its own, which the operator's file names: not the one that is called. */
function recipe(raw: Uint8Array, headers: Given): SignatureRecipe {
  const [id, time, given, url, algorithm] = HEADERS.map((name) => headers[name] ?? '');
  return {
    kind: 'certificate',
    url: url ?? '',
    host: 'certificates',
    over: [`${id}|${time}|`, { secret: 'webhook_id' }, `|${crc32(raw)}`],
    given: algorithm === ALGORITHM ? (given ?? '') : '',
  };
}

const LOOK: News = { kind: 'look' };

const NEEDS_A_PERSON = { news: { kind: 'not_understood' } } as const;
const notUnderstood = (): Meaning => ({ match: null, news: { kind: 'not_understood' } });

const MEANINGS: ReadonlyMap<string, (event: Event) => Meaning> = new Map([
  ['CHECKOUT.ORDER.APPROVED', ofOrder],
  ['CHECKOUT.ORDER.COMPLETED', ofOrder],
  ['PAYMENT.AUTHORIZATION.CREATED', ofAuthorization],
  ['PAYMENT.AUTHORIZATION.VOIDED', voided],
  ['PAYMENT.CAPTURE.COMPLETED', taken],
  ['PAYMENT.CAPTURE.PENDING', ofCapture],
  ['PAYMENT.CAPTURE.DECLINED', saying('not_done', ofCapture)],
  ['PAYMENT.CAPTURE.DENIED', saying('not_done', ofCapture)],
  ['PAYMENT.CAPTURE.REFUNDED', saying('done', ofRefund)],
  // PayPal takes it back by itself: a dispute has messages of its own, and for whatever else it is a person must look
  ['PAYMENT.CAPTURE.REVERSED', (event) => ({ ...ofCapture(event), ...NEEDS_A_PERSON })],
  ['CUSTOMER.DISPUTE.CREATED', ofDispute],
  ['CUSTOMER.DISPUTE.UPDATED', ofChangedDispute],
  ['CUSTOMER.DISPUTE.RESOLVED', ofDispute],
]);

function saying(says: Hearsay, means: (event: Event) => Meaning): (event: Event) => Meaning {
  return (event) => ({ ...means(event), news: { kind: 'look', says } });
}

function ofOrder({ resource }: Event): Meaning {
  const units = at(resource, 'purchase_units');
  const unit = Array.isArray(units) ? units[0] : undefined;
  return { match: { ...NOT_NAMED, ...named(unit, resource), kind: 'authorize' }, news: LOOK };
}

function ofAuthorization({ resource }: Event): Meaning {
  return { match: { ...NOT_NAMED, ...named(resource, resource), kind: 'authorize' }, news: LOOK };
}

/** An authorization was voided: by us, at PayPal's site, or because its time is over. */
function voided(event: Event): Meaning {
  const { resource, at: moment } = event;
  const [ends, ended] = [Date.parse(textAt(resource, 'expiration_time')), Date.parse(moment)];
  const meant = ofAuthorization(event);
  return { ...meant, news: { kind: 'look', says: ended >= ends ? 'lapsed' : 'undone' } };
}

/** `captured`: a sale, or what was held is captured at PayPal's site. */
function taken(event: Event): Meaning {
  const { match } = ofCapture(event);
  return { match, news: { kind: 'look', says: match?.kind === 'authorize' ? 'captured' : 'done' } };
}

/**
 * A capture with our invoice id is a capture of a hold; without it, it is a sale, or was made at PayPal's site. All
 * carry the custom id of the order.
 */
function ofCapture({ resource }: Event): Meaning {
  const { ours, reference } = named(resource, resource);
  const operation_id = textAt(resource, 'invoice_id');
  const held = textAt(resource, 'supplementary_data', 'related_ids', 'authorization_id') || null;
  if (operation_id === '') return { match: { ...NOT_NAMED, kind: 'authorize', ours, reference }, news: LOOK };
  const capture = ours && { order_id: ours.order_id, operation_id };
  const match = { ...NOT_NAMED, kind: 'capture', ours: capture, reference, authorization_reference: held } as const;
  return { match, news: LOOK };
}

function ofRefund({ resource }: Event): Meaning {
  // one that was made at PayPal's site names nothing of ours, but its capture
  const of = captureOf(resource);
  return {
    match: { ...NOT_NAMED, ...named(resource, resource), kind: 'refund', authorization_reference: of },
    news: LOOK,
  };
}

/** Our ids that PayPal repeats, and its own. */
const named = (of_ours: JsonValue | undefined, of_theirs: JsonObject): Pick<Match, 'ours' | 'reference'> => ({
  ours: oursIn(textAt(of_ours, 'custom_id')),
  reference: textAt(of_theirs, 'id') || null,
});

/**
 * A changed dispute: the message may bring another reason, or an end that did not arrive before; it does not open one.
 */
function ofChangedDispute(event: Event): Meaning {
  const { match, news } = ofDispute(event);
  return { match, news: news.kind === 'dispute' ? { ...news, opens_none: true } : news };
}

/** `outcome_code` of one that is resolved; one that has none is open. */
const ENDS: ReadonlyMap<string, Dispute['state']> = new Map([
  ['', 'opened'],
  ['RESOLVED_SELLER_FAVOUR', 'won'],
  ['RESOLVED_WITH_PAYOUT', 'won'],
  ['CANCELED_BY_BUYER', 'won'],
  ['RESOLVED_BUYER_FAVOUR', 'lost'],
  ['ACCEPTED', 'lost'],
]);

function ofDispute({ resource, at: moment }: Event): Meaning {
  const transactions = at(resource, 'disputed_transactions');
  const capture = Array.isArray(transactions) ? textAt(transactions[0], 'seller_transaction_id') : '';
  const money = moneyAt(at(resource, 'dispute_amount'));
  const state = ENDS.get(textAt(resource, 'dispute_outcome', 'outcome_code'));
  const happened = Date.parse(moment);
  if (capture === '' || !money || state === undefined || Number.isNaN(happened)) return notUnderstood();
  const reason = textAt(resource, 'reason');
  const reference = textAt(resource, 'dispute_id');
  const due_ms = Date.parse(textAt(resource, 'seller_response_due_date'));
  return {
    match: { ...NOT_NAMED, kind: 'capture', reference: capture },
    news: {
      kind: 'dispute',
      state,
      ...money,
      reason,
      // of a card payment the bank's own code comes, too
      reason_code: textAt(resource, 'external_reason_code') || reason,
      at: new Date(happened).toISOString(),
      ...(reference !== '' && { reference }),
      ...(!Number.isNaN(due_ms) && { due_at: new Date(due_ms).toISOString() }),
    },
  };
}
