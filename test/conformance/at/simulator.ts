// The sandbox's own simulated provider: armed by the sandbox's part of the API (contract 15.4), its books by its own
// control.
import { control } from '../../../src/payment/sandbox/control.ts';
import { numberOf } from '../../providers/client.ts';
import type { World } from '../../world.ts';
import type { At, Away, Driver, Payment, Trouble, Twist } from './contract.ts';

const FAULTS: Readonly<Partial<Record<Trouble | Twist | Away, string>>> = {
  closed_before: 'drop_before',
  silent_before: 'timeout_not_taken',
  silent_after: 'timeout_taken',
  error_before: 'http_500_before',
  error_after: 'http_500_after',
  page_before: 'garbage',
  half: 'close_mid_response',
  other_amount: 'wrong_amount',
  other_currency: 'wrong_currency',
  other_reference: 'wrong_reference',
};

const UNTOLD: At['untold'] = [
  {
    numbers: [20],
    why: 'the simulated bank answers with the codes of this API, and no other',
    held_by: ['test/providers-read.test.ts', 'any other is the plain decline, with the code kept'],
  },
  {
    numbers: [24],
    why: 'no scheme stands behind the simulated bank that could advise',
    held_by: ['test/conformance/payment.test.ts', '24 '],
  },
  {
    numbers: [25, 26],
    why: 'it asks for no credentials; those that it is given can be of the wrong kind',
    held_by: ['test/providers-read.test.ts', 'who is turned away for credentials is declined, unheard'],
  },
  {
    numbers: [35, 36, 37],
    why: 'its books do not show what came with an authorization',
    held_by: ['test/providers.test.ts', 'the same facts are the same bytes, as the transcripts have them'],
  },
  {
    numbers: [41],
    why: 'a process of its own, whose lines cannot be cut from outside; how a lost line is replaced is the sender’s, one for all',
    held_by: ['test/iso8583/lines.test.ts', 'a line that is lost is taken up again'],
  },
  {
    numbers: [46],
    why: 'it never says that there are too many requests',
    held_by: ['test/providers-read.test.ts', 'a good answer under a status that does not go with it is unknown'],
  },
  {
    numbers: [49],
    why: 'told at the simulator alone, by a suite of its own',
    held_by: ['test/doubt/not-found.test.ts', 'a %s that is not found at first is not sent again'],
  },
  {
    numbers: [57, 58, 59, 60, 61, 62, 63, 65, 66],
    why: 'its messages have a suite of their own over the same address',
    held_by: ['test/doubt/provider-messages.test.ts', 'the true one is believed, once; another amount is not'],
  },
  {
    numbers: [69],
    why: 'it is made to do that by a card, in a suite of its own',
    held_by: ['test/doubt/cards.test.ts', 'a refund that fails two days later can be refunded again'],
  },
  {
    numbers: [70],
    why: 'its disputes come by its own clock, in a suite of its own',
    held_by: ['test/sandbox/clock-pending.test.ts', 'captures, refunds and disputes of a day arrive in one call'],
  },
  {
    numbers: [67],
    why: 'a message of it is about one operation',
    held_by: ['test/adyen/messages.test.ts', 'with one item that is none loses no other'],
  },
];

const simulatorAt = (name: string): At => ({
  name,
  steps: {
    authorize: ['authorize'],
    sale: ['direct_capture'],
    capture: ['capture'],
    refund: ['refund'],
    cancel: ['cancel'],
  },
  undoes: [],
  troubles: Object.keys(FAULTS).slice(0, 7) as Trouble[],
  twists: ['other_amount', 'other_currency', 'other_reference'],
  turned_away: [],
  refuses: true,
  cuts: false,
  shows: false,
  says: {
    soft: { card: { card_number: '4000002760003184' } },
    late: {
      card: { card_number: '4000009901000136' },
      comes: async (w) => void (await w.shop.api('/sandbox/clock/advance', { body: { seconds: 2 } })),
    },
    failing_capture: { card: { card_number: '4000009902000044' } },
  },
  untold: UNTOLD,
  cards: {
    good: '4242424242424242',
    declined: Object.fromEntries(['420100', '421131', '421132', '420188'].map((code) => [numberOf(code), code])),
  },
  names: [],
  drive: (w) => driverOf(w, name),
});

export const simulator = simulatorAt('simulator');
export const simulator_b = simulatorAt('simulator_b');

type Entry = {
  readonly kind: string;
  readonly order_id: string;
  readonly provider: string;
  readonly reference: string;
  readonly parent: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly effects: number;
  readonly released?: number;
  readonly state: string;
};

function driverOf(w: World, name: string): Driver {
  return {
    arm: async (wrong, operation) => {
      const scenario = { operation, fault: FAULTS[wrong], times: 1, provider: name };
      const { status, text } = await w.shop.api('/sandbox/scenario', { body: scenario });
      if (status !== 200) throw new Error(text);
    },
    // one port cannot refuse some calls only: the sandbox's sender takes this answer for none
    listen: async (open) => {
      const scenario = { operation: 'authorize', fault: 'refuse_connection', times: 1, provider: name };
      if (!open) await w.shop.api('/sandbox/scenario', { body: scenario });
    },
    clear: async () => void (await w.shop.api('/sandbox/scenario', { method: 'DELETE' })),
    books: async (order_id) => {
      const own = (await entriesOf(w, order_id)).filter(({ provider }) => provider === name);
      const of = Map.groupBy(own, (entry) => entry.order_id);
      const payments = own.filter(({ kind }) => kind === 'authorize');
      return payments.map((payment) => paymentOf(payment, of.get(payment.order_id) ?? []));
    },
    // its messages are another suite's: here they come as they come
    hold: async () => undefined,
    tellWaiting: async () => undefined,
    retell: async () => undefined,
  };
}

type Page = { readonly entries: readonly Entry[]; readonly next_offset: number | null };

/** The entries of the simulator itself: the API does not show what was released. */
async function entriesOf(w: World, order_id: string | null): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  const asked = new URLSearchParams({ limit: '1000', offset: '0', ...(order_id !== null && { order_id }) });
  for (let more = true; more;) {
    const { status, body } = await control(w.service.tools, { method: 'GET', path: `/books?${asked.toString()}` });
    if (status !== 200) throw new Error(`the simulator's books: ${status}`);
    const page = body as Page;
    found.push(...page.entries);
    more = page.next_offset !== null;
    asked.set('offset', String(page.next_offset));
  }
  return found;
}

const minorOf = ({ amount, effects }: Entry): bigint => BigInt(amount) * BigInt(effects);

function paymentOf(payment: Entry, own: readonly Entry[]): Payment {
  const { reference, currency, state, released = 0 } = payment;
  const sum = (kind: string) =>
    own
      .filter((entry) => entry.kind === kind && entry.state !== 'declined')
      .reduce((total, entry) => total + minorOf(entry), 0n);
  const stands = ['held', 'captured', 'refunded'].includes(state);
  const [captured, refunded] = stands ? [sum('capture'), sum('refund')] : [0n, 0n];
  const held = stands ? minorOf(payment) - captured - BigInt(released) : 0n;
  return { ours: reference, currency, held, captured, refunded };
}
