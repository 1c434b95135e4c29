// Waiting for the outcome of a payment.
import { FlorinNoAnswer, FlorinRefusal } from '../errors.ts';
import type { PaymentOutcome } from '../outcome.ts';
import { pause } from '../send/clock.ts';
import type { CallOptions, Connection, RepeatOptions } from '../send/send.ts';
import type { Order, OrderAnswer } from '../wire/schemas.ts';

/** An outcome that knows the request it came from. */
export type Waitable<Answer> = PaymentOutcome<Answer> & {
  /** The same request under the same key: has no second effect, and answers what is known by then. */
  repeat(options?: RepeatOptions): Promise<Waitable<Answer>>;
};

export type WaitOptions = {
  /** 25 unless given. */
  readonly deadline_seconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
};

type Asking = {
  readonly connection: Connection;
  outcome(order_id: string, options?: CallOptions): Promise<PaymentOutcome<Order>>;
};

const DEADLINE_SECONDS = 25;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 3000;

export async function untilDecided(
  { connection, outcome }: Asking,
  payment: string | Waitable<OrderAnswer>,
  { deadline_seconds = DEADLINE_SECONDS, signal }: WaitOptions = {},
): Promise<PaymentOutcome> {
  const { clock } = connection;
  const ends_at = clock.now() + deadline_seconds * 1000;
  let seen: PaymentOutcome | undefined = typeof payment === 'string' ? undefined : payment;
  const order_id = () => (typeof payment === 'string' ? payment : seen?.order_id);
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(LONGEST_PAUSE_MS, wait * 1.5)) {
    signal?.throwIfAborted();
    const left = (ends_at - clock.now()) / 1000;
    if (seen === undefined || isOpen(seen)) {
      const id = order_id();
      const options = { deadline_seconds: Math.max(1, left), signal };
      try {
        seen = await (id === undefined && typeof payment !== 'string'
          ? payment.repeat(options)
          : outcome(id ?? '', options));
      } catch (error) {
        // what is known stands; without any there is nothing to answer
        if (!isPassing(error) || seen === undefined) throw error;
      }
    }
    if (!isOpen(seen) || clock.now() + wait >= ends_at) return seen;
    await pause(clock, wait, signal);
  }
}

function isOpen(outcome: PaymentOutcome<unknown>): boolean {
  return outcome.kind === 'pending' || outcome.kind === 'in_doubt';
}

/** Says nothing about the payment: no answer, too many requests, not available. */
function isPassing(error: unknown): boolean {
  if (error instanceof FlorinRefusal) return error.status === 429 || error.status === 503;
  return error instanceof FlorinNoAnswer;
}
