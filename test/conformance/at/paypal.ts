// The simulated PayPal, by its control port: src/simulators/paypal/control.ts.
import { generateKeyPairSync, sign as signWith } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { STEPS } from '../../../src/provider/paypal/steps.ts';
import { open } from '../../authentication/payer.ts';
import { addressOf } from '../../doubt/mail.ts';
import type { World } from '../../world.ts';
import { type Control, KINDS, KINDS_OF_TROUBLE, controlOf, steering } from './by-control.ts';
import type { At, Disputes, Driver, Payment, Tells } from './contract.ts';

export const paypal: At = {
  name: 'paypal',
  with: 'paypal',
  steps: {
    authorize: ['shell', 'card', 'authorize'],
    sale: ['shell', 'card', 'sell'],
    capture: ['capture'],
    refund: ['refund'],
    cancel: ['void'],
  },
  undoes: ['void', 'undo'],
  asks: 'look',
  troubles: KINDS_OF_TROUBLE,
  twists: ['other_amount', 'other_currency', 'other_reference'],
  turned_away: ['credentials', 'rights'],
  refuses: true,
  cards: {
    good: '4032037064388131',
    declined: {
      '4000000000000002': '420188',
      '4000000000009995': '420100',
      '4000000000009987': '421132',
      '4000000000000069': '421125',
    },
    challenge: '4868719460707704',
  },
  refuses_currencies: ['KWD'],
  cuts: true,
  shows: false,
  payer: {
    finishes: 'by_resume',
    resumes: 'back',
    acts: async ({ location }, outcome) => (await open(location ?? '', { outcome })).location ?? '',
  },
  says: {
    unlisted: { word: '9ZZZ', card: { cardholder_name: 'CCREJECT-TOMORROW' } },
    partial: { card: { card_number: '4000000000000101' } },
    soft: { card: { card_number: '4000000000003220' } },
    advice: { card: { card_number: '4000000000000341' } },
  },
  untold: [
    {
      numbers: [35, 36, 37],
      why: 'it takes no proof from elsewhere, no exemption and no choice of a scheme, and its books do not show what else came with an authorization',
      held_by: ['test/paypal/wire.test.ts', 'a hold in three calls: an empty order, the card, and the money'],
    },
    {
      numbers: [44],
      why: 'its simulator does at once what it does, or nothing',
      held_by: ['test/paypal/wire.test.ts', 'nothing is found, and a reversal finds nothing'],
    },
    {
      numbers: [49],
      why: 'whatever was sent is there as soon as it is asked for: the order came first',
      held_by: ['test/paypal/wire.test.ts', 'at the card: no money was asked for'],
    },
    {
      numbers: [60, 61],
      why: 'the time is no part of the proof that is checked, and one certificate signs',
      held_by: ['test/paypal/messages.test.ts', 'also while one webhook takes the place of another'],
    },
    {
      numbers: [67],
      why: 'a message of it holds one event',
      held_by: [
        'test/paypal/messages.test.ts',
        'a name that is none of ours names no operation, and what is no message is none',
      ],
    },
    {
      numbers: [68],
      why: 'a capture that is complete stays so; what comes later is a reversal of its own, or a dispute',
      held_by: ['test/paypal/messages.test.ts', 'what PayPal takes back by itself, a dispute that ends otherwise'],
    },
    {
      numbers: [69],
      why: 'no message comes of a refund that fails later',
      held_by: ['test/paypal/wire.test.ts', 'a refund that waits ends either way'],
    },
  ],
  names: [],
  drive: (w) => driverOf(w),
  disputes: (w) => disputesOf(w),
  tells: (w) => tellsOf(w),
};

type Amount = { readonly currency_code: string; readonly value: string };
type Part = { readonly id: string; readonly status: string; readonly amount: Amount };
type Order = {
  readonly id: string;
  readonly purchase_units: readonly {
    readonly custom_id: string;
    readonly amount: Amount;
    readonly payments?: {
      readonly authorizations?: readonly Part[];
      readonly captures?: readonly (Part & { readonly final_capture: boolean })[];
      readonly refunds?: readonly Part[];
    };
  }[];
};
type Books = { readonly orders: readonly Order[] };

function driverOf(w: World): Driver {
  const control = controlOf(w, 'paypal');
  return {
    ...steering(control),
    arm: async (wrong, step) => {
      const { method, path } = STEPS[step as keyof typeof STEPS];
      // one that is turned away for its access token is sent once more, with another
      const times = wrong === 'credentials' ? 2 : 1;
      await control('POST', '/faults', { kind: KINDS[wrong], method, path: path.replace(/\{\w+\}/, '{id}'), times });
    },
    books: async (order_id) => {
      const { orders } = (await control('GET', '/books')) as Books;
      return orders.filter((one) => one.purchase_units[0]?.custom_id.startsWith(order_id ?? '')).map(paymentOf);
    },
    tellWaiting: async () => void (await control('POST', '/deliver', { waiting: true, reversed: true, times: 2 })),
    retell: async () => void (await control('POST', '/deliver', { reversed: true })),
  };
}

const WHOLE = ['HUF', 'JPY', 'TWD'];
/** An amount in minor units of ISO 4217, whatever PayPal uses. */
function minorOf({ currency_code, value }: Amount): bigint {
  const minor = BigInt(value.replace('.', ''));
  return WHOLE.includes(currency_code) && currency_code !== 'JPY' ? minor * 100n : minor;
}

const sumOf = (parts: readonly Part[]): bigint => parts.reduce((sum, { amount }) => sum + minorOf(amount), 0n);

function paymentOf({ purchase_units: [unit] }: Order): Payment {
  const { authorizations = [], captures = [], refunds = [] } = unit?.payments ?? {};
  const taken = captures.filter(({ status }) => status !== 'DECLINED');
  const standing = authorizations.filter(({ status }) => status === 'CREATED' || status === 'PARTIALLY_CAPTURED');
  const captured = sumOf(taken);
  return {
    ours: unit?.custom_id.split('-')[1] ?? '',
    currency: unit?.amount.currency_code ?? '',
    held: standing.length === 0 ? 0n : sumOf(standing) - captured,
    captured,
    refunded: sumOf(refunds.filter(({ status }) => status !== 'FAILED')),
  };
}

let count = 0;

const eventText = (event_type: string, resource: object): string =>
  JSON.stringify({
    id: `WH-TOLD${process.pid}X${++count}`,
    event_version: '1.0',
    create_time: new Date().toISOString(),
    resource_type: 'capture',
    event_type,
    summary: 'told by a story',
    resource,
  });

const { privateKey: STRANGER } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

async function captureIn(control: Control, order_id: string): Promise<Part> {
  const { orders } = (await control('GET', '/books')) as Books;
  const units = orders.map(({ purchase_units }) => purchase_units[0]);
  const capture = units.find((one) => one?.custom_id.startsWith(order_id))?.payments?.captures?.[0];
  if (!capture) throw new Error(`PayPal has no capture of ${order_id}`);
  return capture;
}

type Dispute = {
  readonly dispute_id: string;
  readonly status: string;
  readonly dispute_outcome?: { readonly outcome_code: string };
  readonly evidences?: readonly { readonly evidence_type: string }[];
};

function disputesOf(w: World): Disputes {
  const control = controlOf(w, 'paypal');
  return {
    open: async (order_id) => {
      await control('POST', '/disputes', { capture: (await captureIn(control, order_id)).id });
    },
    of: async (order_id) => {
      const { id } = await captureIn(control, order_id);
      const { disputes } = (await control('GET', '/books')) as { readonly disputes: readonly Dispute[] };
      const found = disputes.find(({ dispute_id }) => dispute_id === `PP-D-${id}`);
      const code = found?.dispute_outcome?.outcome_code;
      const ended = code === 'RESOLVED_SELLER_FAVOUR' ? 'won' : 'lost';
      const state = code !== undefined ? ended : found?.status === 'UNDER_REVIEW' ? 'answered' : 'open';
      return { state, answers: found?.evidences?.length ?? 0 };
    },
    steps: { submit: 'dispute_evidence', accept: 'dispute_accept' },
    elsewhere: async (order_id) => {
      await control('POST', '/disputes', { capture: (await captureIn(control, order_id)).id, answered: true });
    },
  };
}

function tellsOf(w: World): Tells {
  const control = controlOf(w, 'paypal');
  const webhook_id = w.service.simulators?.get('paypal')?.credentials['webhook_id'] ?? '';
  return {
    address: () => addressOf(w, 'paypal'),
    eventOf: async (order_id) => eventText('PAYMENT.CAPTURE.COMPLETED', await captureIn(control, order_id)),
    sign: async (text, { secret }) => {
      const good = (await control('POST', '/sign', { text, webhook_id })) as Readonly<Record<string, string>>;
      if (secret === undefined) return { text, headers: good };
      const over = `${good['paypal-transmission-id']}|${good['paypal-transmission-time']}|${webhook_id}|${crc32(text)}`;
      const given = signWith('sha256', Buffer.from(over), secret).toString('base64');
      return { text, headers: { ...good, 'paypal-transmission-sig': given } };
    },
    another: STRANGER,
    unknown: () => eventText('TREASURY.FOUND', { id: 'TR1' }),
    foreign: () => eventText('PAYMENT.CAPTURE.COMPLETED', { id: 'FOREIGN1', status: 'COMPLETED' }),
    dispute: async (order_id) => {
      await control('POST', '/disputes', { capture: (await captureIn(control, order_id)).id });
    },
  };
}
