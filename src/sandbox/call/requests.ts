// Reads requests to the simulated provider. It is strict, and names a wrong member but never shows its value: a card
// number must not come back in an error.
import { createHash } from 'node:crypto';
import { isRecord, matches } from '../entry.ts';
import { type Behaviour, behaviourOf } from '../faults/behaviour.ts';
import type { Twist } from '../faults/fault.ts';
import type { PaymentRequest, Card } from '../payments.ts';
import { type Proof, readProof } from '../three-ds/proof.ts';
import type { Register } from '../three-ds/register.ts';
import { cardMark } from '../three-ds/ways.ts';

/** A payment: the request, the card without its number, and how its authorization differs from a plain one. */
export type PaymentAsked = { readonly asked: PaymentRequest; readonly card: Card; readonly own: Twist };
/** The time and the provider of the request, and the authentications that the issuer knows. */
export type Reading = { readonly at: number; readonly provider: string; readonly register: Register };

/** The place of the error, as a JSON pointer. */
export type Wrong = { readonly member: string };

/** The members of every request. */
export function readAsked(body: unknown, at: number): PaymentRequest | Wrong {
  if (!isRecord(body)) return { member: '' };
  const { reference, merchant_account_id = '', order_id, order_merchant_id, amount, currency, final = false } = body;
  if (!matches(reference, REFERENCE)) return { member: '/reference' };
  if (!matches(merchant_account_id, /^[A-Za-z0-9_-]{0,60}$/)) return { member: '/merchant_account_id' };
  if (!matches(order_id, REFERENCE)) return { member: '/order_id' };
  if (!matches(order_merchant_id, TEXT)) return { member: '/order_merchant_id' };
  if (!isAmount(amount)) return { member: '/amount' };
  if (!matches(currency, /^[A-Z]{3}$/)) return { member: '/currency' };
  if (typeof final !== 'boolean') return { member: '/final' };
  return { reference, merchant_account_id, order_id, order_merchant_id, amount, currency, final, at };
}

/** Reads a payment. The card is turned into its meaning here, and only the meaning leaves this function. */
export function readPayment(body: unknown, { at, provider, register }: Reading): PaymentAsked | Wrong {
  const common = readAsked(body, at);
  if ('member' in common) return common;
  if (!isRecord(body)) return { member: '' };
  const { capture, scheme, card } = body;
  if (capture !== 'now' && capture !== 'later') return { member: '/capture' };
  if (scheme !== null && !matches(scheme, /^[a-z_]{1,32}$/)) return { member: '/scheme' };
  if (isRecord(body['token'])) return readTokenPayment(common, body['token'], capture === 'now');
  if (!isRecord(card)) return { member: '/card' };
  const { number, cvc = null, expiry_month, expiry_year, holder = null } = card;
  if (!matches(number, /^\d{12,19}$/)) return { member: '/card/number' };
  if (cvc !== null && !matches(cvc, /^(?:\d{3,4}| {3,4})$/)) return { member: '/card/cvc' };
  if (!matches(String(expiry_month), /^(?:0?[1-9]|1[0-2])$/)) return { member: '/card/expiry_month' };
  if (!matches(String(expiry_year), /^20\d\d$/)) return { member: '/card/expiry_year' };
  if (holder !== null && !matches(holder, TEXT)) return { member: '/card/holder' };
  const network_token = readNetworkToken(card);
  if ('member' in network_token) return network_token;
  const { recurring = false, previous_reference = null } = body;
  if (typeof recurring !== 'boolean') return { member: '/recurring' };
  if (previous_reference !== null && !matches(previous_reference, /^[A-Z]{15}$/))
    return { member: '/previous_reference' };
  const proof = readProof(body, { ...common, number }, register);
  if (typeof proof !== 'string') return proof;
  const behaviour = behaviourOf(number, provider);
  const { merchant_account_id } = common;
  const is_remembered =
    recurring &&
    behaviour.remembers &&
    register.hasPassed({ merchant_account_id, card_mark: cardMark(merchant_account_id, number) });
  // Blanks in place of the cvc: the vault no longer had it when the call was sent. An issuer declines them like a wrong
  // cvc.
  const own: Twist = cvc?.startsWith(' ')
    ? { ends: 'card_data_invalid' }
    : ownOf(behaviour, is_remembered && proof === 'none' ? 'proved' : proof);
  const { planned } = behaviour;
  const what = {
    sale: capture === 'now',
    planned,
    card_4_digits: number.slice(-4),
    previous_reference,
    ...network_token,
  };
  return { asked: common, card: what, own };
}

/** The books store a digest of the cryptogram, which shows that it came and which one it was, but not its value. */
function readNetworkToken({
  cryptogram = null,
  eci = null,
}: Readonly<Record<string, unknown>>): Pick<Card, 'cryptogram_digest' | 'eci'> | Wrong {
  if (cryptogram !== null && !matches(cryptogram, /^[A-Za-z0-9+/]{6,64}={0,2}$/)) return { member: '/card/cryptogram' };
  if (eci !== null && !matches(eci, /^0[0-7]$/)) return { member: '/card/eci' };
  const digest = cryptogram === null ? null : createHash('sha256').update(cryptogram).digest('hex').slice(0, 16);
  return { cryptogram_digest: digest, eci };
}

/**
 * A token of this provider in place of a card. The provider knows every token, except those that begin with `refused`.
 */
function readTokenPayment(
  asked: PaymentRequest,
  { id, customer = null }: Readonly<Record<string, unknown>>,
  sale: boolean,
) {
  if (!matches(id, /^.{1,255}$/su)) return { member: '/token/id' };
  if (customer !== null && !matches(customer, TEXT)) return { member: '/token/customer' };
  const own: Twist = id.startsWith('refused') ? { ends: 'provider_tokenization_failed' } : {};
  return {
    asked,
    card: { sale, planned: null, card_4_digits: '0000', previous_reference: null, cryptogram_digest: null, eci: null },
    own,
  };
}

function ownOf({ authorize, authenticated }: Behaviour, proof: Proof): Twist {
  if (proof === 'forged') return { ends: 'risk_refused_at_authorization' };
  return proof === 'proved' ? authenticated : authorize;
}

const REFERENCE = /^[A-Za-z0-9_-]{1,60}$/;
const TEXT = /^.{0,255}$/su;
const LARGEST_AMOUNT = 1_000_000_000_000;

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= LARGEST_AMOUNT;
