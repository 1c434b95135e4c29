// One order of a merchant that is as stubborn as they are: what it asks for is drawn, what is not answered is asked
// again under its key.
import { type Chance } from '../../chaos/chance.ts';
import type { Reply } from '../../client.ts';
import type { World } from '../../world.ts';
import type { At } from '../at/contract.ts';

/** What was asked in all, and what was said to be done: minor units. */
export type Wish = {
  readonly order_merchant_id: string;
  readonly provider: string;
  readonly amount: bigint;
  captured: bigint;
  refunded: bigint;
  said_captured: bigint;
  said_refunded: bigint;
  order_id: string | null;
};

const STORIES = ['hold', 'cancel', 'capture', 'parts', 'sale', 'refund', 'refund_part', 'refunds', 'declined'] as const;
export type Story = (typeof STORIES)[number];

export type Ordering = {
  readonly w: World;
  readonly at: At;
  readonly chance: Chance;
  readonly name: string;
  /** One of these; absent: of all. */
  readonly stories?: readonly Story[] | undefined;
};

const PREFER = { prefer: 'wait=2' };
const TRIES = 3;

/** Plays it to its end, as far as that comes; what is not decided by then is left to recovery. */
export async function playOrder({ w, at, chance, name, stories = STORIES }: Ordering): Promise<Wish> {
  const story = chance.pick(stories);
  const sold = story === 'sale' || story.startsWith('refund');
  const amount = BigInt(chance.between(200, 900) * 10);
  const wish: Wish = {
    order_merchant_id: name,
    provider: at.name,
    amount,
    captured: sold ? amount : 0n,
    refunded: 0n,
    said_captured: 0n,
    said_refunded: 0n,
    order_id: null,
  };
  const card = story === 'declined' ? chance.pick(Object.keys(at.cards.declined)) : at.cards.good;
  const token = await w.shop.token({ card_number: card });
  const paid = await stubborn(() =>
    w.shop.order(
      {
        token,
        operation_type: sold ? 'direct_capture' : 'authorize',
        amount: majorOf(amount),
        currency: 'EUR',
        order_merchant_id: name,
        merchant_contract: at.name,
        payment_channel: 'e-commerce',
        max_attempts: 1,
      },
      { ...PREFER, 'idempotency-key': name },
    ),
  );
  const order_id = paid.at('order_id');
  if (typeof order_id !== 'string') return wish;
  wish.order_id = order_id;
  if (paid.code === '955555') wish.said_captured = amount;
  let count = 0;
  const change = async (kind: 'capture' | 'refund' | 'cancel', part?: bigint, more: object = {}) => {
    if (kind === 'capture') wish.captured += part ?? amount;
    if (kind === 'refund') wish.refunded += part ?? amount;
    const headers = { ...PREFER, 'idempotency-key': `${name}-${++count}` };
    const body = part === undefined ? more : { amount: majorOf(part), ...more };
    const path = `/payment/maintenance/${kind}/${order_id}`;
    const reply = await stubborn(() => w.shop.api(path, { method: 'POST', body, headers }));
    if (reply.code === '955555') wish.said_captured += part ?? amount;
    if (reply.code === '966666') wish.said_refunded += part ?? amount;
  };
  const tenths = BigInt(chance.between(1, 9));
  // no odd cents: by some of them a simulator is told to do something else
  const part = ((amount * tenths) / 100n) * 10n;
  if (story === 'cancel') await change('cancel');
  if (story === 'capture') await change('capture');
  if (story === 'parts') {
    await change('capture', part);
    if (chance.isLucky(0.5)) await change('capture', amount - part, { final: true });
  }
  if (story === 'refund') await change('refund');
  if (story === 'refund_part') await change('refund', part);
  if (story === 'refunds') {
    await change('refund', part);
    await change('refund', amount - part);
  }
  return wish;
}

const majorOf = (minor: bigint): string => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;

/** Under one key: what had its effect has it once. */
async function stubborn(ask: () => Promise<Reply>): Promise<Reply> {
  for (let left = TRIES; ; left--) {
    const reply = await ask();
    if (left === 1 || (reply.status < 500 && reply.status !== 409)) return reply;
  }
}
