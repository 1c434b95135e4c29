// florin wallet-payload: makes a payload as Google Pay or Apple Pay would give it to a shop, for the sandbox's demo
// merchant, as the body of POST /token.
import { CURRENCIES, toMinor } from '../../core/money.ts';
import { StartError } from '../../kit/start-error.ts';
import { systemChance, systemClock } from '../../kit/clock.ts';
import { demoPayload } from '../../vault/wallet/sandbox/demo-payload.ts';
import { readWords } from '../arguments.ts';
import { openMerchant } from '../sandbox/session.ts';

const USAGE = `florin wallet-payload google_pay|apple_pay [--card NUMBER] [--amount 42.50] [--currency EUR] [--card-only]
  --card NUMBER      the network token's number; 4242424242424242 unless given
  --amount, --currency   what the payer approves; Apple Pay says it, and the order must say the same
  --card-only        Google Pay alone: the card's own number without a cryptogram, which goes through 3-D Secure
  --key KEY          a private key; the demo account's unless given

  Needs a running sandbox, for its clock. Send the line with POST {vault}/token; the token it answers pays one order.`;

export async function walletPayloadCommand(args: readonly string[]): Promise<void> {
  const texts = ['card', 'amount', 'currency', 'key'];
  const words = readWords(args, { usage: USAGE, texts, flags: ['card-only'] });
  const [wallet, ...more] = words.rest;
  if ((wallet !== 'google_pay' && wallet !== 'apple_pay') || more.length > 0) throw new StartError(`Usage: ${USAGE}`);
  const card_only = words.flag('card-only');
  if (card_only && wallet === 'apple_pay') throw new StartError('Apple Pay gives network tokens only.');
  const number = words.text('card') ?? '4242424242424242';
  if (!/^\d{14,19}$/.test(number)) throw new StartError('--card must be 14 to 19 digits.');
  const chance = systemChance(systemClock());
  const payment = {
    number,
    cryptogram: card_only ? undefined : chance.bytes(20).toString('base64'),
    ...readAmount(words.text('amount') ?? '42.50', words.text('currency') ?? 'EUR'),
    now: await sandboxNow(words.text('key')),
  };
  console.log(JSON.stringify({ token_kind: wallet, wallet_payload: demoPayload(wallet, payment, chance) }));
}

function readAmount(amount: string, currency: string) {
  if (!CURRENCIES.has(currency)) throw new StartError(`${currency} is no currency.`);
  const read = toMinor(amount, currency);
  if ('problem' in read) throw new StartError(`--amount ${read.problem}.`);
  return { amount_minor: read.minor, currency };
}

/** A payload is valid for minutes by the sandbox's own clock, which may be ahead. */
async function sandboxNow(key: string | undefined): Promise<Date> {
  const { now } = await openMerchant(key).get('/sandbox/clock');
  return new Date(String(now));
}
