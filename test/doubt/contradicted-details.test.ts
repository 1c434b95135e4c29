// What refusals say of the money of an order that its provider contradicts (contract 14.2): an amount that is left, and
// an end that was final, are neither promised nor denied, whether asked for anew or by the repeat of a request before.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { operationsOf, says } from './said.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

type Kind = 'capture' | 'refund' | 'cancel';

const maintain = (kind: Kind, order_id: string, body: object, key: string) =>
  w.shop.api(`/payment/maintenance/${kind}/${order_id}`, {
    body,
    headers: { prefer: 'wait=10', 'idempotency-key': `${key}-${order_id}` },
  });

const HELD = { operation_type: 'authorize' };
const BUT = '; but the provider contradicts that: read the order until is_in_doubt is false';

type Case = {
  readonly card_number: string;
  readonly fields: object;
  readonly kind: Kind;
  /** Of the message that contradicts how it ended. */
  readonly said: { readonly status: string; readonly code: string; readonly captured?: true };
  readonly repeat: string | undefined;
  /** What is asked for anew, and its `detail`. */
  readonly asked: readonly (readonly [Kind, object, string])[];
};

const TOO_MUCH = { amount: '99' };
const CASES: Readonly<Record<string, Case>> = {
  'a declined capture that is approved late': {
    card_number: '4000009902000010',
    fields: HELD,
    kind: 'capture',
    said: { status: 'approved', code: '955555', captured: true },
    repeat: `capture declined by the acquirer; 25.00 of 25.00 EUR is left to capture${BUT}`,
    asked: [
      ['capture', TOO_MUCH, `amount is above the capturable amount: 25.00 of 25.00 EUR is left to capture${BUT}`],
    ],
  },
  'a declined refund that is approved late': {
    card_number: '4000009903000019',
    fields: {},
    kind: 'refund',
    said: { status: 'approved', code: '966666' },
    repeat: `refund declined by the acquirer; 25.00 of 25.00 EUR is left to refund${BUT}`,
    asked: [
      ['refund', TOO_MUCH, `amount is above the refundable amount: 25.00 of 25.00 EUR is left to refund${BUT}`],
      // nobody contradicts the capture
      ['capture', {}, 'everything captured already: 0.00 of 25.00 EUR is left to capture'],
    ],
  },
  'a declined cancel that is approved late': {
    card_number: '4000009904000018',
    fields: HELD,
    kind: 'cancel',
    said: { status: 'approved', code: '977777' },
    repeat: `cancellation declined by the acquirer; 25.00 EUR is still held${BUT}`,
    asked: [
      ['capture', TOO_MUCH, `amount is above the capturable amount: 25.00 of 25.00 EUR is left to capture${BUT}`],
    ],
  },
  'a cancel that was done and is denied': {
    card_number: '4242424242424242',
    fields: HELD,
    kind: 'cancel',
    said: { status: 'declined', code: '721288' },
    repeat: undefined,
    asked: [['cancel', {}, `the authorization is cancelled already${BUT}`]],
  },
};

test.each(Object.entries(CASES))('of %s no refusal says what is left as if it were so', async (_, one) => {
  const { card_number, fields, kind, said, repeat, asked } = one;
  const order_id = textAt(await w.shop.pay({ card_number }, fields), 'order_id');
  await maintain(kind, order_id, {}, 'first');
  const [reference = ''] = await operationsOf(w, order_id, kind);
  const end = await says(w, { order_id, reference, kind, provider_ref: `late_${order_id}`, ...said });
  expect([end.state, (await w.shop.read(order_id)).at('is_in_doubt')]).toEqual(['applied', true]);
  if (repeat !== undefined) expect(textAt(await maintain(kind, order_id, {}, 'first'), 'detail')).toBe(repeat);
  for (const [next, body, detail] of asked)
    expect(textAt(await maintain(next, order_id, body, `then-${next}`), 'detail')).toBe(detail);
});
