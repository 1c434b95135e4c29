// The simulated Stripe, by its control port: src/simulators/stripe/control.
import { createHmac } from 'node:crypto';
import { STEPS } from '../../../src/provider/stripe/steps.ts';
import type { World } from '../../world.ts';
import { open } from '../../authentication/payer.ts';
import { addressOf } from '../../doubt/mail.ts';
import { type Control, KINDS, KINDS_OF_TROUBLE, controlOf, steering } from './by-control.ts';
import type { At, Disputes, Driver, Payment, Signing, Tells } from './contract.ts';

const HOLD = ['shell', 'card', 'confirm'];

export const stripe: At = {
  name: 'stripe',
  with: 'stripe',
  steps: { authorize: HOLD, sale: HOLD, capture: ['capture'], refund: ['refund'], cancel: ['cancel'] },
  undoes: ['cancel', 'undo'],
  asks: 'refunds',
  troubles: KINDS_OF_TROUBLE,
  twists: ['other_amount', 'other_currency', 'other_reference'],
  turned_away: ['credentials', 'rights'],
  refuses: true,
  cuts: true,
  shows: true,
  payer: {
    finishes: 'there',
    resumes: 'look',
    acts: async ({ location }, outcome) => (await open(location ?? '', { outcome })).location ?? '',
  },
  says: {
    unlisted: {
      word: 'reason_of_tomorrow',
      // its error's own code, `card_declined`, is listed
      code: '420188',
      arm: async (w) => void (await controlOf(w, 'stripe')('POST', '/outcomes', { outcome: 'reason_of_tomorrow' })),
    },
    soft: { card: { card_number: '4000002760003184' } },
  },
  untold: [
    {
      numbers: [24],
      why: 'this version of its API has no word of a scheme’s advice',
      held_by: ['test/conformance/payment.test.ts', '24 '],
    },
    {
      numbers: [44],
      why: 'what is undone is the shell, and a confirmation that comes later is refused',
      held_by: ['test/stripe/wire.test.ts', 'a stalled process that confirms what was undone meanwhile is refused'],
    },
    {
      numbers: [49],
      why: 'whatever was sent is there as soon as it is asked for: the shell came first',
      held_by: ['test/stripe/wire.test.ts', 'at an inquiry: nothing is known'],
    },
    {
      numbers: [67],
      why: 'a message of it holds one event',
      held_by: ['test/stripe/messages.test.ts', 'a body that is no event belongs to no account'],
    },
    {
      numbers: [68],
      why: 'a capture of a card is final there; what comes later is a dispute',
      held_by: ['test/stripe/messages.test.ts', 'of a dispute: that it was opened, and how it ended'],
    },
  ],
  cards: {
    good: '4242424242424242',
    declined: {
      '4000000000000002': '420188',
      '4000000000009995': '420100',
      '4000000000009987': '421132',
      '4000000000009979': '421131',
    },
    challenge: '4000002760003184',
    unable: { card_number: '378282246310005', cvc: '1234' },
  },
  names: [],
  drive: (w) => driverOf(w),
  disputes: (w) => disputesOf(w),
  tells: (w) => tellsOf(w),
};

type Intent = {
  readonly id: string;
  readonly status: string;
  readonly currency: string;
  readonly amount_capturable: number;
  readonly amount_received: number;
  readonly metadata: { readonly order_id?: string; readonly operation_id?: string };
};
type Charge = { readonly payment_method_details: { readonly card: { readonly network: string } } };
type Refund = {
  readonly id: string;
  readonly payment_intent: string;
  readonly amount: number;
  readonly status: string;
};
type Books = { readonly intents: readonly Intent[]; readonly refunds: readonly Refund[] };

function driverOf(w: World): Driver {
  const control = controlOf(w, 'stripe');
  return {
    ...steering(control),
    arm: async (wrong, step) => {
      const { method, path } = STEPS[step as keyof typeof STEPS];
      await control('POST', '/faults', { kind: KINDS[wrong], method, path: path.replace(/\{\w+\}/, '{id}') });
    },
    heard: async (order_id) => {
      const { charges } = (await control('POST', '/books', { order_id })) as { readonly charges: readonly Charge[] };
      return { scheme: charges[0]?.payment_method_details.card.network };
    },
    books: async (order_id) => {
      const { intents, refunds } = (await control('GET', '/books')) as Books;
      return intents
        .filter(({ metadata }) => (order_id ?? metadata.order_id) === metadata.order_id)
        .map((intent) => paymentOf(intent, refunds));
    },
    tellWaiting: async () => void (await control('POST', '/messages/deliver', { reversed: true, times: 2 })),
    retell: async () => void (await control('POST', '/messages/deliver', { again: true, reversed: true })),
  };
}

function paymentOf({ id, currency, metadata, ...intent }: Intent, refunds: readonly Refund[]): Payment {
  const given = refunds.filter(({ payment_intent, status }) => payment_intent === id && status !== 'failed');
  return {
    ours: metadata.operation_id ?? '',
    currency: currency.toUpperCase(),
    held: BigInt(intent.amount_capturable),
    captured: BigInt(intent.amount_received),
    refunded: given.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
  };
}

let count = 0;

const eventText = (type: string, object: object): string =>
  JSON.stringify({
    id: `evt_Told${process.pid}x${++count}`,
    object: 'event',
    api_version: '2023-08-16',
    created: Math.floor(Date.now() / 1000),
    data: { object },
    type,
  });

/** https://docs.stripe.com/webhooks#verify-manually */
function sign(text: string, usual: string, { secret = usual, beside, at_s = 0 }: Signing) {
  const at = Math.floor(Date.now() / 1000) + at_s;
  const keys = beside === undefined ? [secret] : [beside, secret];
  const proofs = keys.map((key) => `v1=${createHmac('sha256', key).update(`${at}.${text}`).digest('hex')}`);
  return { 'stripe-signature': [`t=${at}`, ...proofs].join(',') };
}

async function intentIn(control: Control, order_id: string): Promise<Intent> {
  const { intents } = (await control('GET', '/books')) as Books;
  const found = intents.find(({ metadata }) => metadata.order_id === order_id);
  if (!found) throw new Error(`Stripe has no intent of ${order_id}`);
  return found;
}

type Dispute = {
  readonly id: string;
  readonly payment_intent: string;
  readonly status: string;
  readonly evidence_details: { readonly submission_count: number };
};

const STATES = { needs_response: 'open', under_review: 'answered', won: 'won', lost: 'lost' } as const;

function disputesOf(w: World): Disputes {
  const control = controlOf(w, 'stripe');
  const disputeOf = async (order_id: string) => {
    const { id } = await intentIn(control, order_id);
    const { disputes } = (await control('GET', '/books')) as { readonly disputes: readonly Dispute[] };
    return disputes.find(({ payment_intent }) => payment_intent === id);
  };
  return {
    open: async (order_id) => {
      await control('POST', '/disputes', { payment_intent: (await intentIn(control, order_id)).id });
    },
    of: async (order_id) => {
      const { status = '', evidence_details } = (await disputeOf(order_id)) ?? {};
      return { state: STATES[status as keyof typeof STATES], answers: evidence_details?.submission_count ?? 0 };
    },
    steps: { submit: 'dispute_submit', accept: 'dispute_close' },
    elsewhere: async (order_id) => {
      await control('POST', '/disputes/status', { dispute: (await disputeOf(order_id))?.id, status: 'under_review' });
    },
  };
}

function tellsOf(w: World): Tells {
  const control = controlOf(w, 'stripe');
  const books = async () => (await control('GET', '/books')) as Books;
  const secret = w.service.simulators?.get('stripe')?.credentials['webhook_secret'] ?? '';
  return {
    address: () => addressOf(w, 'stripe'),
    eventOf: async (order_id) => eventText('payment_intent.succeeded', await intentIn(control, order_id)),
    sign: (text, how) => ({ text, headers: sign(text, secret, how) }),
    another: 'whsec_another',
    unknown: () => eventText('treasury.found', { id: 'tr_1', object: 'treasury' }),
    foreign: () => eventText('payment_intent.succeeded', { id: 'pi_Foreign', object: 'payment_intent', metadata: {} }),
    failRefund: async (order_id) => {
      const { id } = await intentIn(control, order_id);
      const refund = (await books()).refunds.find(({ payment_intent }) => payment_intent === id);
      await control('POST', '/refunds/status', { refund: refund?.id, status: 'failed' });
    },
    dispute: async (order_id) => {
      await control('POST', '/disputes', { payment_intent: (await intentIn(control, order_id)).id });
    },
  };
}
