// The server behind the simulated sheet of the hosted page in a sandbox. It makes what a wallet would give to the page,
// for one of the cards of the sandbox's wallets and the sandbox's demo merchant. It needs no key: its payloads open
// only with published keys.
import { CURRENCIES } from '../../../core/money.ts';
import { WALLET_CARDS } from '../../../core/sandbox/wallet-cards.ts';
import type { PublicPath } from '../../../kit/http/public.ts';
import type { VaultTools } from '../../tools.ts';
import { demoPayload } from './demo-payload.ts';

const CRYPTOGRAM_BYTES = 20;

/** The paths behind the simulated sheet; none in production. */
export function sheetPaths(tools: Pick<VaultTools, 'chance' | 'clock' | 'environment'>): readonly PublicPath[] {
  if (tools.environment !== 'sandbox') return [];
  return [
    {
      path: '/sandbox/wallet',
      method: 'POST',
      answer: (_, { body }) => {
        const payload = payloadFor(tools, new URLSearchParams(body.toString('utf8')));
        if (payload === undefined) return { status: 400, headers: PLAIN, body: 'no such wallet, card or amount\n' };
        return { headers: PLAIN, body: payload };
      },
    },
  ];
}

const PLAIN = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

function payloadFor({ chance, clock }: Pick<VaultTools, 'chance' | 'clock'>, asked: URLSearchParams) {
  const [wallet, card, minor = '', currency = ''] = ['wallet', 'card', 'minor', 'currency'].map(
    (name) => asked.get(name) ?? '',
  );
  const number = WALLET_CARDS.find(({ name }) => name === card)?.number;
  const known = (wallet === 'google_pay' || wallet === 'apple_pay') && CURRENCIES.has(currency);
  if (!known || number === undefined || !/^[1-9]\d{0,14}$/.test(minor)) return undefined;
  const cryptogram = chance.bytes(CRYPTOGRAM_BYTES).toString('base64');
  return demoPayload(wallet, { number, cryptogram, amount_minor: BigInt(minor), currency, now: clock.now() }, chance);
}
