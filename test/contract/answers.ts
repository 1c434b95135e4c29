// Answers that the checks look at: made once, looked at by many rows.
import { type Client, type Json, type Reply, textAt } from '../client.ts';
import { findings, resolve } from '../schema.ts';

const WAIT = { prefer: 'wait=10' };
const NO_WAIT = { prefer: 'wait=0' };

let count = 0;
export const newReference = () => `contract-${process.pid}-${count++}`;

export type Fields = Readonly<Record<string, unknown>>;

export async function pay(shop: Client, card_number: string, fields: Fields = {}): Promise<Reply> {
  const amex = /^3[47]/.test(card_number);
  const terms = { operation_type: 'authorize', amount: '20.00', currency: 'EUR', order_merchant_id: newReference() };
  return shop.order(
    { token: await shop.token({ card_number, cvc: amex ? '1234' : '123' }), ...terms, ...fields },
    WAIT,
  );
}

export type Answers = Readonly<Record<string, Reply>>;

/** One answer of each kind: orders in their states, reads, maintenance, customer, checkout. */
export async function makeAnswers(shop: Client): Promise<Answers> {
  const sold = await pay(shop, '4242424242424242', { operation_type: 'direct_capture', customer_id: 'contract' });
  const held = await pay(shop, '4242424242424242');
  const given_back = await pay(shop, '4242424242424242', { operation_type: 'direct_capture' });
  const maintain = (kind: string, order: Reply, body: Fields = {}, headers = WAIT) =>
    shop.api(`/payment/maintenance/${kind}/${textAt(order, 'order_id')}`, { body, headers });
  const [capture, refund] = [await maintain('capture', held, { amount: '5' }), await maintain('refund', given_back)];
  const cancel = await maintain('cancel', await pay(shop, '4242424242424242'));
  const declined = await pay(shop, '4000000000009995');
  const asked = await pay(shop, '4242424242424242', { authentication_indicator: 'force_3ds', amount: '1000' });
  const undecided = await shop.order(
    {
      token: await shop.token({ card_number: '4000009901000110' }),
      operation_type: 'authorize',
      amount: 20,
      currency: 'EUR',
      order_merchant_id: newReference(),
    },
    NO_WAIT,
  );
  const refused = await pay(shop, '4100000000000019');
  const checkout_id = await shop.checkout();
  const orders = { sold, declined, asked, undecided, refused };
  const reads = await Promise.all(
    Object.entries({ ...orders, held, given_back }).map(
      async ([name, order]) => [`read ${name}`, await shop.read(textAt(order, 'order_id'))] as const,
    ),
  );
  return {
    ...orders,
    ...Object.fromEntries(reads),
    capture,
    refund,
    cancel,
    customer: await shop.api('/payment/information/contract'),
    checkout: await shop.api(`/payment/checkout/${checkout_id}`),
  };
}

/** Undefined: the body is a problem as contract 2.5 has it. `document`: openapi.json. */
export function problemFinding(reply: Reply, expected: readonly [status: number, code: string], document: Json) {
  const [status, code] = expected;
  if (reply.status !== status || reply.code !== code)
    return `${reply.status} ${JSON.stringify(reply.code)} instead of ${status} ${code}`;
  if (!reply.headers.get('content-type')?.startsWith('application/problem+json')) return 'is no problem+json';
  if (reply.at('status') !== status) return `status is ${JSON.stringify(reply.at('status'))}`;
  if (reply.at('detail') === reply.at('title') || reply.at('detail') === '') return 'detail is only the title';
  if (reply.at('instance') !== reply.headers.get('x-request-id')) return 'instance is not the request id';
  const slug = textAt(reply, 'type').replace(/.*\/problems\//, '');
  if (!/^[a-z-]+$/.test(slug)) return `no page ${slug}`;
  const schema = resolve('#/components/schemas/Problem', Object(document));
  const found = findings(reply.body, schema, Object(document));
  return found.length === 0 ? undefined : found.join(', ');
}
