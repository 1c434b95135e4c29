// Contradictions (contract 14.2): after the last comparison the bank's messages contradict the final state of some
// orders, with a valid signature. None may be passed over: the order is in doubt, the merchant is told, and the same
// money is not taken again.
import { createHmac, randomUUID } from 'node:crypto';
import type { Arena } from './arena.ts';
import type { Subscription } from './bank.ts';
import { pause } from './ask.ts';
import type { Violated } from './settle.ts';

type Refused = {
  readonly order_id: string;
  readonly operation_id: string;
  readonly merchant_account_id: string;
  readonly kind: 'capture' | 'refund';
  readonly amount: number;
  readonly currency: string;
  readonly provider: string;
};

/** Captures and refunds that the bank refused, of orders whose last word that was. */
const REFUSED = `
  SELECT encode(p.order_id, 'hex') AS order_id, encode(p.id, 'hex') AS operation_id,
    encode(p.merchant_account_id, 'hex') AS merchant_account_id, p.kind, p.amount_minor::float8 AS amount, p.currency, p.provider
  FROM payment.operations p
  JOIN payment.orders o ON o.id = p.order_id
  WHERE p.kind IN ('capture', 'refund')
    AND p.state = 'declined'
    AND o.live
  ORDER BY p.id DESC
  LIMIT 10`;

const HELD = `
  SELECT o.contradicted IS TRUE AND EXISTS (
    SELECT 1 FROM payment.events e WHERE e.subject_id = o.id AND e.type = 'order.contradicted') AS held
  FROM payment.orders o
  WHERE o.id = decode($1, 'hex')`;

const PATIENCE_MS = 20_000;
const LOOK_MS = 100;

/** Answers how many orders were contradicted. */
export async function contradictSome({ postgres, services, bank }: Arena, violated: Violated): Promise<number> {
  const refused = await postgres.sql<Refused>(REFUSED);
  const subscriptions = bank.subscriptions();
  const service = services.all.find((one) => one.isReady());
  if (!service) return 0;
  const said = refused.flatMap((one) => {
    const to = subscriptions.findLast(
      ({ provider, merchant_account_id }) =>
        provider === one.provider && merchant_account_id === one.merchant_account_id,
    );
    return to === undefined ? [] : [{ one, to }];
  });
  for (const { one, to } of said) await approve(service.api_url, one, to);
  const until = performance.now() + PATIENCE_MS;
  for (const { one } of said) await mustHold(one);
  return said.length;

  async function mustHold({ order_id, kind, amount }: Refused): Promise<void> {
    while (!(await postgres.sql<{ held: boolean }>(HELD, [order_id]))[0]?.held) {
      if (performance.now() > until) {
        violated(order_id, `a late approval of a declined ${kind} of ${amount} was passed over`);
        return;
      }
      await pause(LOOK_MS);
    }
  }
}

async function approve(api_url: string, one: Refused, { contract_id, secret }: Subscription): Promise<void> {
  const now = new Date();
  const body = JSON.stringify({
    id: `evt_${randomUUID()}`,
    provider: one.provider,
    reference: one.operation_id,
    order_id: one.order_id,
    kind: one.kind,
    status: 'approved',
    amount: one.amount,
    currency: one.currency,
    provider_ref: `late_${one.operation_id}`,
    authorization_code: '',
    text: '',
    ...(one.kind === 'capture' ? { code: '955555', captured: true } : { code: '966666', captured: false }),
    state: 'captured',
    at: now.toISOString(),
  });
  const timestamp = String(now.getTime());
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  await fetch(`${api_url}/provider/${one.provider}/${contract_id}/events`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-simulator-timestamp': timestamp,
      'x-simulator-signature': signature,
    },
    body,
  });
}
