// A simulated Stripe, what was said to it and by it, and the driver that speaks to it.
import { stripe } from '../../src/provider/stripe/stripe.ts';
import type { Form } from '../../src/simulators/stripe/form.ts';
import { type OpenStripe, openStripe } from '../../src/simulators/stripe/stripe.ts';
import { type Ask, NOON_MS, asking } from '../providers/asked.ts';
import type { Values, Wire } from '../providers/driver.ts';

export type Exchange = {
  readonly method: string;
  readonly path: string;
  readonly form: Form;
  readonly status: number;
  readonly body: string;
};

export type Played = OpenStripe & {
  /** Everything since it was opened. */
  readonly exchanges: Exchange[];
  readonly wire: (number?: string, more?: Values) => Wire;
  readonly ask: Ask;
  readonly arm: (kind: string, path?: string) => Promise<unknown>;
};

export async function playStripe(): Promise<Played> {
  const exchanges: Exchange[] = [];
  let hang = () => {};
  const open = await openStripe({
    port: 0,
    control_port: 0,
    clock: () => NOON_MS,
    seen: ({ method, path, form }, { reply: { status, body }, way }) => {
      exchanges.push({ method, path, form, status, body });
      if (way === 'silence') setImmediate(() => hang());
    },
  });
  const ask = asking(open.control_url);
  return {
    ...open,
    exchanges,
    ask,
    arm: (kind, path) => ask('POST faults', { kind, ...(path !== undefined && { path }) }),
    wire: (number = '4242424242424242', more = {}) => ({
      provider: stripe,
      base_url: open.url,
      hangs: (end) => (hang = end),
      values: { ...CARD, 'card.number': number, ...more },
    }),
  };
}

const CARD: Values = {
  'card.cvc?': '123',
  'card.holder?': 'Zoë & Søn',
  'card.expiry_month': '12',
  'card.expiry_year': '2034',
  'secret.secret_key': 'sk_test_shop',
};
