// A simulated PayPal, what was said to it and by it, and the driver that speaks to it.
import { paypal } from '../../src/provider/paypal/paypal.ts';
import { type OpenPaypal, openPaypal } from '../../src/simulators/paypal/paypal.ts';
import { type Ask, NOON_MS, asking } from '../providers/asked.ts';
import type { Values, Wire } from '../providers/driver.ts';

export type Exchange = {
  readonly method: string;
  readonly path: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly body: string;
};

export type Played = OpenPaypal & {
  /** Everything since it was opened. */
  readonly exchanges: Exchange[];
  readonly wire: (number?: string, more?: Values) => Wire;
  readonly ask: Ask;
};

const GOOD = '4032037064388131';
export const CHALLENGE = '4868719460707704';

export async function playPaypal(): Promise<Played> {
  const exchanges: Exchange[] = [];
  let hang = () => {};
  const open = await openPaypal({
    port: 0,
    control_port: 0,
    clock: () => NOON_MS,
    seen: ({ method, path, text, headers }, { reply: { status, body }, way }) => {
      exchanges.push({ method, path, text, headers, status, body });
      if (way === 'silence') setImmediate(() => hang());
    },
  });
  const ask = asking(open.control_url);
  const token = await tokenOf(open.url);
  return {
    ...open,
    exchanges,
    ask,
    wire: (number = GOOD, more = {}) => ({
      provider: paypal,
      base_url: open.url,
      hangs: (end) => (hang = end),
      values: { ...CARD, 'card.number': number, 'secret.access_token': token, ...more },
    }),
  };
}

const CARD: Values = { 'card.cvc?': '123', 'card.holder?': 'Zoë & Søn "quoted"', 'card.expiry': '2034-12' };

async function tokenOf(url: string): Promise<string> {
  const answer = await fetch(`${url}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('client_shop:secret_shop').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}
