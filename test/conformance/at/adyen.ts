// The simulated Adyen, by its control: src/simulators/adyen/control.ts. It tells by itself what became of what it took.
import type { World } from '../../world.ts';
import type { At, Away, Driver, Payment, Trouble, Twist } from './contract.ts';

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
  twists: [],
  turned_away: ['credentials', 'rights'],
  refuses: true,
  cards: { good: '4111111111111111', declined: { '4444333322221111': '420188' } },
  // its name, which Adyen repeats in what it says
  names: ['merchant_account'],
  drive: (w) => driverOf(w),
};

type Booked = {
  readonly psp: string;
  readonly reference: string;
  readonly amount: { readonly currency: string };
  readonly state: string;
  readonly held: number;
  readonly captured: number;
  readonly refunded: number;
};

function driverOf({ service }: World): Driver {
  const control = async (path: string, body?: object): Promise<unknown> => {
    const url = service.simulators?.get('adyen')?.control_url ?? '';
    const said = body && { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${url}/control${path}`, said);
    if (answer.status !== 200) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json();
  };
  return {
    arm: async (wrong, on) => void (await control('/faults', { on, ...FAULTS[wrong] })),
    listen: async (open) => void (await control('/connections', { open })),
    // what was not taken fits no later call of a story
    clear: async () => undefined,
    books: async (order_id) => {
      const { payments } = (await control('/books')) as { readonly payments: readonly Booked[] };
      return payments.filter(({ reference }) => reference.startsWith(order_id)).map(paymentOf);
    },
    // without its messages nothing ends
    hold: async () => undefined,
    retell: async () => undefined,
  };
}

const paymentOf = ({ reference, amount, state, held, captured, refunded }: Booked): Payment => ({
  ours: reference.split('-')[1] ?? '',
  currency: amount.currency,
  held: BigInt(state === 'held' ? held - captured : 0),
  captured: BigInt(captured),
  refunded: BigInt(refunded),
});
