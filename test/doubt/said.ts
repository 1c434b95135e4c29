// What a simulated provider tells on its own, signed with its real secret: for news that it would not tell by itself.
import { expect } from 'vitest';
import { until } from '../client.ts';
import type { World } from '../world.ts';
import { mail } from './mail.ts';

export type News = {
  readonly order_id: string;
  /** Our id of the operation. */
  readonly reference: string;
  readonly kind: 'authorize' | 'capture' | 'refund' | 'cancel' | 'dispute';
  readonly status: string;
  /** The provider's own id of the message; one of its own unless given. */
  readonly id?: string;
} & Readonly<Record<string, unknown>>;

export type Ended = { readonly state: string; readonly reason: string | null };

let count = 0;

/**
 * Where the operation is: a payment goes past a provider that answered too late, or not at all, a moment before, as it
 * does on a slow machine.
 */
async function providerOf({ sql }: World, { reference }: News): Promise<string> {
  const [row] = await sql<{ provider: string }>(
    `SELECT provider FROM payment.operations WHERE encode(id, 'hex') = $1`,
    [reference],
  );
  return row?.provider ?? 'simulator';
}

/** Sends one message of its provider, and answers how the inbox ended it. */
export async function says(w: World, news: News): Promise<Ended> {
  const id = news.id ?? `evt_said_${process.pid}_${++count}`;
  const provider = await providerOf(w, news);
  const body = JSON.stringify({
    id,
    provider,
    amount: 2500,
    currency: 'EUR',
    captured: false,
    provider_ref: 'ref_1',
    authorization_code: '',
    state: 'held',
    code: '',
    text: '',
    at: new Date().toISOString(),
    ...news,
  });
  expect((await mail(w, body, provider)).status).toBe(200);
  return until(async () => {
    const [event] = await w.sql<Ended>(
      `SELECT state, reason FROM payment.provider_events WHERE event_ref = $1 AND merchant_account_id = decode($2, 'hex')`,
      [id, w.account],
    );
    return event && event.state !== 'received' ? event : undefined;
  });
}

/** Our ids of the operations of this kind, oldest first. */
export async function operationsOf(w: World, order_id: string, kind: string): Promise<readonly string[]> {
  const rows = await w.sql<{ id: string }>(
    `SELECT encode(id, 'hex') AS id FROM payment.operations WHERE order_id = decode($1, 'hex') AND kind = $2 ORDER BY id`,
    [order_id, kind],
  );
  return rows.map(({ id }) => id);
}
