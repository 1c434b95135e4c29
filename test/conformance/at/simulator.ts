// The sandbox's own simulated provider, by the sandbox's part of the API (contract 15.4).
import { CURRENCIES } from '../../../src/core/money.ts';
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
  refuses: false,
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
  readonly provider: string;
  readonly reference: string;
  readonly parent: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly effects: number;
  readonly state: string;
};

function driverOf(w: World, name: string): Driver {
  return {
    arm: async (wrong, operation) => {
      const scenario = { operation, fault: FAULTS[wrong], times: 1, provider: name };
      const { status, text } = await w.shop.api('/sandbox/scenario', { body: scenario });
      if (status !== 200) throw new Error(text);
    },
    listen: async () => undefined,
    clear: async () => void (await w.shop.api('/sandbox/scenario', { method: 'DELETE' })),
    books: async (order_id) => {
      const { text } = await w.shop.api(`/sandbox/provider/books?order_id=${order_id}`);
      const { entries }: { readonly entries: readonly Entry[] } = JSON.parse(text);
      const own = entries.filter(({ provider }) => provider === name);
      return own.filter(({ kind }) => kind === 'authorize').map((payment) => paymentOf(payment, own));
    },
    // its messages are another suite's: here they come as they come
    hold: async () => undefined,
    retell: async () => undefined,
  };
}

/** Shown as numbers of the currency's main unit. */
const minorOf = ({ amount, currency, effects }: Entry): bigint =>
  BigInt(Math.round(amount * 10 ** (CURRENCIES.get(currency) ?? 0))) * BigInt(effects);

function paymentOf(payment: Entry, own: readonly Entry[]): Payment {
  const { reference, currency, state } = payment;
  const sum = (kind: string) =>
    own
      .filter((entry) => entry.kind === kind && entry.state !== 'declined')
      .reduce((total, entry) => total + minorOf(entry), 0n);
  const stands = ['held', 'captured', 'refunded'].includes(state);
  const [captured, refunded, released] = stands ? [sum('capture'), sum('refund'), sum('cancel')] : [0n, 0n, 0n];
  const held = state === 'held' ? minorOf(payment) - captured - released : 0n;
  return { ours: reference, currency, held, captured, refunded };
}
