// The simulated acquirer of ISO 8583, by its control interface: src/simulators/iso8583/control.ts. Faults are armed for
// messages by type.
import { until } from '../../client.ts';
import type { World } from '../../world.ts';
import { controlOf as controlAt } from './by-control.ts';
import type { At, Away, Driver, Payment, Trouble, Twist } from './contract.ts';

const FAULTS: Readonly<Partial<Record<Trouble | Twist | Away, string>>> = {
  closed_before: 'close_before_commit',
  closed_after: 'close_after_commit',
  silent_before: 'ignore',
  silent_after: 'drop_answer',
  page_after: 'garbage',
  other_amount: 'wrong_amount',
  other_currency: 'wrong_currency',
  other_reference: 'wrong_reference',
};

/** The message type of each step on the line. */
const TYPES: Readonly<Record<string, string>> = {
  authorize: '0100',
  sale: '0200',
  capture: '0220',
  refund: '0200',
  cancel: '0400',
  reversal: '0420',
};

export const iso8583: At = {
  name: 'iso8583',
  with: 'iso8583',
  steps: {
    authorize: ['authorize'],
    sale: ['sale'],
    capture: ['capture'],
    refund: ['refund'],
    cancel: ['cancel'],
  },
  undoes: ['reversal'],
  troubles: Object.keys(FAULTS).slice(0, 5) as Trouble[],
  twists: ['other_amount', 'other_currency', 'other_reference'],
  turned_away: [],
  refuses: true,
  cuts: true,
  shows: true,
  cards: {
    good: '4242424242424242',
    declined: {
      '4000000000000002': '420188',
      '4000000000009995': '420100',
      '4000000000009987': '421132',
      '4000000000009979': '421131',
    },
  },
  says: {
    unlisted: {
      word: 'ZZ',
      arm: async (w) => void (await controlOf(w)('outage', { ms: 3_600_000, code: 'ZZ' })),
    },
    partial: { fields: { amount: '90.10' } },
    soft: { card: { card_number: '4000002760003184' } },
    late: { arm: async (w) => void (await controlOf(w)('faults', { kind: 'late_commit', type: '0100', ms: 1500 })) },
  },
  untold: [
    {
      numbers: [24],
      why: 'field 39 has no advice beside its code',
      held_by: ['test/conformance/payment.test.ts', '24 '],
    },
    {
      numbers: [25, 26],
      why: 'who speaks is known by the line; a merchant or terminal that is not known is a code of field 39',
      held_by: ['test/iso8583/provider.test.ts', 'every code ends an authorization as its row says'],
    },
    {
      numbers: [40],
      why: 'a message is whole, or the line ends: half of one is no answer',
      held_by: ['test/iso8583/lines.test.ts', 'a line that is lost is taken up again'],
    },
    {
      numbers: [45, 46],
      why: 'trouble of the acquirer is a code of field 39, not of the line',
      held_by: ['test/iso8583/provider.test.ts', 'trouble on the way is none'],
    },
    {
      numbers: [49],
      why: 'nothing can be asked there: what is not found is undone until it can no longer come',
      held_by: [
        'test/with/iso8583.test.ts',
        'an authorization that the acquirer never received is undone too, until it can no longer arrive',
      ],
    },
  ],
  // they go with each message, and come back with each answer
  names: ['terminal_id', 'merchant_id', 'acquirer_id'],
  drive: (w) => driverOf(w),
};

type Entry = {
  readonly their_reference: string;
  readonly currency: string;
  readonly held: string;
  readonly captured: string;
  readonly refunded: string;
  readonly scheme: string;
  readonly exemption: string;
  readonly authentication_value: string;
  readonly eci: string;
};

const CURRENCIES: Readonly<Record<string, string>> = { '978': 'EUR', '392': 'JPY', '414': 'KWD', '840': 'USD' };

function controlOf(w: World): (path: string, body?: object, method?: string) => Promise<unknown> {
  const ask = controlAt(w, 'iso8583');
  return (path, body, method = 'POST') => ask(body ? method : 'GET', `/${path}`, body);
}

function driverOf(w: World): Driver {
  const control = controlOf(w);
  const signedOn = async () => ((await control('lines')) as { readonly signed_on: number }).signed_on;
  /** Waits until there are as many lines as at the beginning: each is connected again after a pause. */
  const whole = async () => {
    const lines = LINES.get(w) ?? 0;
    await until(async () => (await signedOn()) >= lines || undefined);
  };
  const remember = async () => {
    if (!LINES.has(w)) LINES.set(w, await signedOn());
  };
  const ofOrder = async (order_id: string | null): Promise<readonly Entry[]> => {
    const { entries } = (await control('books')) as { readonly entries: readonly Entry[] };
    if (order_id === null) return entries;
    const ids = await w.sql<{ id: string }>(
      `SELECT encode(id, 'hex') AS id FROM payment.operations WHERE order_id = decode($1, 'hex')`,
      [order_id],
    );
    const own = new Set(ids.map(({ id }) => id));
    return entries.filter(({ their_reference }) => own.has(their_reference));
  };
  return {
    arm: async (wrong, step) => {
      await remember();
      await control('faults', { kind: FAULTS[wrong], type: TYPES[step] });
    },
    listen: async (open) => {
      await remember();
      await control('lines/listen', { open });
      if (open) await whole();
    },
    cutIdle: async () => {
      await remember();
      await control('lines/drop', {});
    },
    heard: async (order_id) => {
      const [entry] = await ofOrder(order_id);
      return { ...entry, cavv: entry?.authentication_value };
    },
    clear: async () => {
      await control('faults', {}, 'DELETE');
      await whole();
    },
    books: async (order_id) => {
      return (await ofOrder(order_id)).map(paymentOf);
    },
    // it tells nothing by itself
    hold: async () => undefined,
    tellWaiting: async () => undefined,
    retell: async () => undefined,
  };
}

/** How many lines a world has while all is well. */
const LINES = new WeakMap<World, number>();

const paymentOf = ({ their_reference, currency, held, captured, refunded }: Entry): Payment => ({
  ours: their_reference,
  currency: CURRENCIES[currency] ?? currency,
  held: BigInt(held),
  captured: BigInt(captured),
  refunded: BigInt(refunded),
});
