// What PayPal shows of an order: its authorization, its captures and refunds. For what was done at PayPal's own site.
import type { JsonValue } from '../../core/json.ts';
import { at, objectOf, textAt } from '../answer.ts';
import type { PaymentBooks, Shown, ShownPart } from '../books.ts';
import { type Facts, VALUE } from '../contract.ts';
import { moneyAt } from './money.ts';
import { orderOf, ourReferenceIn } from './names.ts';
import { partsOf, unitOf } from './order-parts.ts';

export const books: PaymentBooks = {
  first: (facts) => (VALUE.test(orderOf({ facts, kept: {} })) ? 'look' : undefined),
  read: (_, { status, body }, facts) => {
    const said = status === 200 ? objectOf(body) : undefined;
    if (said === undefined || textAt(said, 'id') !== orderOf({ facts, kept: {} })) return undefined;
    if (unitOf(said) === undefined) return undefined;
    const hold = holdOf(partsOf(said, 'authorizations'), facts);
    const parts = [
      ...partsOf(said, 'captures').map((one) => partOf('capture', one, facts)),
      ...partsOf(said, 'refunds').map((one) => partOf('refund', one, facts)),
    ];
    if (hold === undefined || parts.includes(undefined)) return undefined;
    return { kind: 'shown', hold, parts: parts.filter((one) => one !== undefined) };
  },
};

const HELD = new Set(['CREATED', 'PARTIALLY_CAPTURED']);

/** Of a sale nothing is held. Undefined: how the authorization stands is not said. */
function holdOf(all: readonly JsonValue[], { about, authorization_reference }: Facts): Shown['hold'] | undefined {
  if (about?.with_capture === true) return 'gone';
  const one = all.find((each) => textAt(each, 'id') === authorization_reference);
  const status = textAt(one, 'status');
  if (HELD.has(status)) return 'held';
  if (status === 'CAPTURED') return 'gone';
  if (status !== 'VOIDED') return undefined;
  const [ends, ended] = [Date.parse(textAt(one, 'expiration_time')), Date.parse(textAt(one, 'update_time'))];
  return ended >= ends ? 'lapsed' : 'gone';
}

const STATES: ReadonlyMap<string, ShownPart['state']> = new Map([
  ['COMPLETED', 'done'],
  ['PARTIALLY_REFUNDED', 'done'],
  ['REFUNDED', 'done'],
  ['PENDING', 'open'],
  ['DECLINED', 'failed'],
  ['FAILED', 'failed'],
  ['CANCELLED', 'failed'],
]);

/** A capture of ours has its own id as invoice; without one it is the sale's, or was made at the site. */
function partOf(kind: ShownPart['kind'], said: JsonValue, { currency }: Facts): ShownPart | undefined {
  const [reference, state, money] = [
    textAt(said, 'id'),
    STATES.get(textAt(said, 'status')),
    moneyAt(at(said, 'amount')),
  ];
  if (!VALUE.test(reference) || state === undefined || money?.currency !== currency) return undefined;
  const ours = kind === 'capture' ? textAt(said, 'invoice_id') : ourReferenceIn(textAt(said, 'custom_id'));
  const of = kind === 'refund' ? captureOf(said) : null;
  return { kind, reference, ours: ours === '' ? null : ours, amount_minor: money.amount_minor, state, of };
}

/** The id at the end of the link to the capture that was refunded. */
export function captureOf(refund: JsonValue): string | null {
  const links = at(refund, 'links');
  const up = Array.isArray(links) ? links.find((one) => textAt(one, 'rel') === 'up') : undefined;
  return /\/captures\/([A-Za-z0-9_-]{1,128})$/.exec(textAt(up, 'href'))?.[1] ?? null;
}
