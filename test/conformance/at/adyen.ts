// The simulated Adyen, by its control: src/simulators/adyen/control.ts. It tells by itself what became of what it took.
import { createHmac } from 'node:crypto';
import { open } from '../../authentication/payer.ts';
import { addressOf } from '../../doubt/mail.ts';
import type { World } from '../../world.ts';
import { controlOf as controlAt } from './by-control.ts';
import type { At, Away, Disputes, Driver, Payment, Tells, Trouble, Twist } from './contract.ts';

type Fault = { readonly how: string; readonly effect?: boolean };

const FAULTS: Readonly<Partial<Record<Trouble | Twist | Away, Fault>>> = {
  closed_before: { how: 'close' },
  closed_after: { how: 'close', effect: true },
  silent_before: { how: 'silence' },
  silent_after: { how: 'silence', effect: true },
  error_before: { how: 'error' },
  error_after: { how: 'error', effect: true },
  page_before: { how: 'html' },
  page_after: { how: 'html', effect: true },
  half: { how: 'half' },
  too_many: { how: 'too_many' },
  other_amount: { how: 'amount' },
  other_currency: { how: 'currency' },
  other_reference: { how: 'reference' },
  credentials: { how: 'credentials' },
  rights: { how: 'rights' },
};

export const adyen: At = {
  name: 'adyen',
  with: 'adyen',
  steps: {
    authorize: ['payments'],
    // its capture is an operation of its own
    sale: ['payments'],
    capture: ['captures'],
    refund: ['refunds'],
    cancel: ['cancels'],
  },
  undoes: [],
  troubles: Object.keys(FAULTS).slice(0, 10) as Trouble[],
  // a modification is answered with nothing but that it was taken
  twists: ['other_amount', 'other_currency', 'other_reference'],
  turned_away: ['credentials', 'rights'],
  refuses: true,
  cuts: true,
  shows: true,
  payer: {
    finishes: 'by_resume',
    resumes: 'details',
    acts: async ({ location, html, url }, outcome) => {
      const said = outcome === 'complete' ? 'passed' : 'failed';
      // led there by an address, or by a form that our page posts
      const page = location ?? formIn(html, url);
      const { location: back } = await open(`${page}/answer`, { said });
      return back ?? '';
    },
  },
  says: {
    unlisted: { word: '777', card: { cardholder_name: 'CODE_OF_TOMORROW' } },
    partial: { card: { cardholder_name: 'PARTIALLY_APPROVED' } },
    soft: { fields: { amount: '21.27' } },
    advice: { card: { cardholder_name: 'ADVICE_NEVER' } },
    failing_capture: { tell: async (w, order_id) => tellsOf(w).failCapture?.(order_id) },
  },
  untold: [
    {
      numbers: [34],
      why: 'no message of a payment comes before its payer is back: we go on with it, not Adyen',
      held_by: ['test/adyen/journeys.test.ts', 'of a payment that is decided later is the answer to it'],
    },
    {
      numbers: [44],
      why: 'its simulator decides at once, and is late by its messages alone',
      held_by: ['test/adyen/journeys.test.ts', 'minutes after the payment was undone undo it once more'],
    },
    {
      numbers: [49],
      why: 'nothing can be asked there',
      held_by: [
        'test/adyen/journeys.test.ts',
        'a technical cancel that came before the payment is repeated under a new key',
      ],
    },
    {
      numbers: [60, 61],
      why: 'its signature covers no time, and each item has one signature: two keys are two values of ours',
      held_by: ['test/adyen/messages.test.ts', 'delivered again is the same event, whatever its time'],
    },
  ],
  cards: {
    good: '4111111111111111',
    declined: { '4444333322221111': '420188' },
    challenge: '4212345678910006',
    unasked: '5201281505129736',
    unable: { card_number: '4111111111111111' },
  },
  // its name, which Adyen repeats in what it says
  names: ['merchant_account'],
  drive: (w) => driverOf(w),
  disputes: (w) => disputesOf(w),
  tells: (w) => tellsOf(w),
};

type Booked = {
  readonly psp: string;
  readonly reference: string;
  readonly amount: { readonly currency: string };
  readonly state: string;
  readonly held: number;
  readonly captured: number;
  readonly refunded: number;
  readonly brand: string;
  readonly exemption: string;
  readonly cavv: string;
  readonly eci: string;
};

const NOTHING: Partial<Booked> = {};

type Control = (path: string, body?: object) => Promise<unknown>;

function controlOf(w: World): Control {
  const ask = controlAt(w, 'adyen');
  return (path, body) => ask(body ? 'POST' : 'GET', path, body);
}

async function bookedIn(control: Control): Promise<readonly Booked[]> {
  const { payments } = (await control('/books')) as { readonly payments: readonly Booked[] };
  return payments;
}

/** The address of a form that posts itself. */
function formIn(html: string, url: string): string {
  const [, action = ''] = /<form[^>]*\baction="([^"]*)"/.exec(html) ?? [];
  return new URL(action.replaceAll('&#x2F;', '/').replaceAll('&amp;', '&'), url).href;
}

function driverOf(w: World): Driver {
  const control = controlOf(w);
  return {
    arm: async (wrong, on) => void (await control('/faults', { on, ...FAULTS[wrong] })),
    listen: async (is_open) => void (await control('/connections', { open: is_open })),
    cutIdle: async () => {
      await control('/connections', { open: false });
      await control('/connections', { open: true });
    },
    heard: async (order_id) => {
      const [{ brand: scheme, exemption, cavv, eci } = NOTHING] = (await bookedIn(control)).filter(({ reference }) =>
        reference.startsWith(order_id),
      );
      return { scheme, exemption, cavv, eci };
    },
    clear: async () => void (await control('/faults/clear', {})),
    books: async (order_id) => {
      // what is due by its clock happens when it is looked at
      await control('/work', {});
      const payments = await bookedIn(control);
      return payments.filter(({ reference }) => reference.startsWith(order_id ?? '')).map(paymentOf);
    },
    hold: async (held) => void (await control('/messages', { held })),
    tellWaiting: async () => void (await control('/deliver', { order: 'reversed', times: 2 })),
    retell: async () => void (await control('/deliver', { order: 'reversed', again: true })),
  };
}

const paymentOf = ({ reference, amount, state, held, captured, refunded }: Booked): Payment => ({
  ours: reference.split('-')[1] ?? '',
  currency: amount.currency,
  held: BigInt(state === 'held' ? held - captured : 0),
  captured: BigInt(captured),
  refunded: BigInt(refunded),
});

let count = 0;

type Item = Readonly<Record<string, unknown>> & {
  readonly amount: { readonly currency: string; readonly value: number };
};

/** https://docs.adyen.com/development-resources/webhooks/verify-hmac-signatures */
function signatureOf(item: Item, secret: string): string {
  const said = (name: string) => (typeof item[name] === 'string' ? item[name] : '');
  const { value, currency } = item.amount;
  const [reference, original, account, ours] = [
    'pspReference',
    'originalReference',
    'merchantAccountCode',
    'merchantReference',
  ].map(said);
  const text = [reference, original, account, ours, value, currency, said('eventCode'), said('success')].join(':');
  return createHmac('sha256', Buffer.from(secret, 'hex')).update(text).digest('base64');
}

const bodyOf = (items: readonly object[]) =>
  JSON.stringify({ live: 'false', notificationItems: items.map((one) => ({ NotificationRequestItem: one })) });

function tellsOf(w: World): Tells {
  const control = controlOf(w);
  const { hmac_key = '', merchant_account = '' } = w.service.simulators?.get('adyen')?.credentials ?? {};
  const paymentIn = async (order_id: string) => {
    const found = (await bookedIn(control)).find(({ reference }) => reference.startsWith(order_id));
    if (!found) throw new Error(`Adyen has no payment of ${order_id}`);
    return found;
  };
  const itemOf = (eventCode: string, of: Pick<Booked, 'psp' | 'reference'>, secret = hmac_key) => {
    const item = {
      amount: { currency: 'EUR', value: 2500 },
      eventCode,
      eventDate: new Date().toISOString(),
      merchantAccountCode: merchant_account,
      merchantReference: of.reference,
      originalReference: of.psp,
      paymentMethod: 'visa',
      pspReference: `TOLD${process.pid}X${++count}`.slice(0, 16),
      reason: '',
      success: 'true',
    };
    return { ...item, additionalData: { hmacSignature: signatureOf(item, secret) } };
  };
  // of these nothing follows but that they are kept
  const PLAIN = 'NOTIFICATION_OF_CHARGEBACK';
  const FOREIGN = { psp: 'FOREIGNPAYMENT00', reference: `${'0'.repeat(24)}-${'0'.repeat(24)}` };
  return {
    address: () => addressOf(w, 'adyen'),
    eventOf: async (order_id) => bodyOf([itemOf(PLAIN, await paymentIn(order_id))]),
    sign: (text, { secret }) => {
      if (secret === undefined) return { text, headers: {} };
      const said = JSON.parse(text) as { readonly notificationItems: readonly { NotificationRequestItem: Item }[] };
      const items = said.notificationItems.map(({ NotificationRequestItem: item }) => ({
        ...item,
        additionalData: { hmacSignature: signatureOf(item, secret) },
      }));
      return { text: bodyOf(items), headers: {} };
    },
    another: 'ab'.repeat(32),
    unknown: () => bodyOf([itemOf('EVENT_OF_TOMORROW', FOREIGN)]),
    foreign: () => bodyOf([itemOf('CAPTURE', FOREIGN)]),
    failRefund: async (order_id) => failOf(control, await paymentIn(order_id), 'refund'),
    failCapture: async (order_id) => failOf(control, await paymentIn(order_id), 'capture'),
    dispute: async (order_id) => {
      const { psp } = await paymentIn(order_id);
      await control('/dispute', { psp, event: 'CHARGEBACK' });
      await control('/deliver', {});
    },
    batch: async (order_id) => {
      const payment = await paymentIn(order_id);
      return bodyOf([itemOf(PLAIN, payment, 'ab'.repeat(32)), itemOf(PLAIN, payment)]);
    },
  };
}

type Dispute = {
  readonly payment: string;
  readonly state: 'open' | 'defended' | 'won' | 'lost';
  readonly defences: number;
};

function disputesOf(w: World): Disputes {
  const control = controlOf(w);
  const pspOf = async (order_id: string) =>
    (await bookedIn(control)).find(({ reference }) => reference.startsWith(order_id))?.psp ?? '';
  const tell = async (order_id: string, event: string) => {
    await control('/dispute', { psp: await pspOf(order_id), event, more: { chargebackReasonCode: '10.4' } });
    await control('/deliver', {});
  };
  return {
    open: (order_id) => tell(order_id, 'CHARGEBACK'),
    of: async (order_id) => {
      const psp = await pspOf(order_id);
      const { disputes } = (await control('/books')) as { readonly disputes: readonly Dispute[] };
      const { state = 'open', defences = 0 } = disputes.find(({ payment }) => payment === psp) ?? {};
      return { state: state === 'defended' ? 'answered' : state, answers: defences };
    },
    steps: { submit: 'defendDispute', accept: 'acceptDispute' },
    elsewhere: (order_id) => tell(order_id, 'INFORMATION_SUPPLIED'),
  };
}

async function failOf(control: Control, { psp }: Booked, kind: 'capture' | 'refund'): Promise<void> {
  type Change = { readonly psp: string; readonly kind: string; readonly payment: string };
  const { modifications } = (await control('/books')) as { readonly modifications: readonly Change[] };
  const change = modifications.find((one) => one.kind === kind && one.payment === psp);
  await control('/fail', { psp: change?.psp });
  await control('/deliver', {});
}
