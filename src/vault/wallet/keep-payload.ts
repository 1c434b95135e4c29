// A wallet's payload in place of a card (contract 6.6): checked and opened here, kept as a token that pays once. Its
// cryptogram waits where a cvc does, and no longer.
import { schemesOf } from '../../core/card.ts';
import { id24, oneOf } from '../../core/fields.ts';
import { refuseField, refuseProblems } from '../../core/refusals.ts';
import { Reading, type Shape } from '../../core/shape.ts';
import { afterCommit } from '../../kit/database.ts';
import type { Answer } from '../../kit/http/route.ts';
import { answerOf } from '../answer.ts';
import { type Asking, refuseClosedCheckout } from '../asking.ts';
import { type Members, plain } from '../card/byte-fields.ts';
import { wrongNumber } from '../card/numbers.ts';
import { keepCard, tooManyTokens } from '../keep-card.ts';
import { answerEarlier, findEarlier, keepCvc } from '../repeat.ts';
import type { VaultTools } from '../tools.ts';
import { openApplePay } from './apple-pay.ts';
import { openGooglePay } from './google-pay.ts';
import { appleRecipient, googleRecipient } from './recipients.ts';
import { WALLET_REFUSALS, WalletRefused } from './refused.ts';
import { type Wallet, type WalletCard, readAppleCard, readGoogleCard } from './wallet-card.ts';

const FIELD = 'wallet_payload';
/** Apple's are 4 KB, with two certificates in them; the whole body may have 8 (src/hosts/listeners.ts). */
const MOST_BYTES = 8000;

const CHOICES = {
  token_kind: oneOf('google_pay', 'apple_pay'),
  token_type: oneOf('oneshot'),
  checkout_id: id24,
} as const satisfies Shape;
const KNOWN = new Set([FIELD, ...Object.keys(CHOICES)]);

export async function keepPayload(tools: VaultTools, asking: Asking, wallet: Wallet): Promise<Answer> {
  const { caller, members, once } = asking;
  asking.ignore(members.unknown(KNOWN));
  const earlier = once && (await findEarlier(tools, caller, once));
  if (earlier) return answerEarlier(earlier);
  const { payload, checkout_id } = readFields(members);
  const card = await refusing(() => openCard(tools, asking, { wallet, payload }));
  try {
    await refuseClosedCheckout(tools, checkout_id ?? null, caller.merchant_account_id);
    return await keep(tools, asking, { card, checkout_id });
  } finally {
    card.number.fill(0);
    card.cryptogram?.fill(0);
    card.holder.fill(0);
  }
}

function readFields(members: Members) {
  const reading = new Reading(false);
  const node = members.get(FIELD);
  if (node === undefined) reading.refuse(FIELD, 'is required', 'parameter_missing');
  else if (node.kind !== 'text' || !node.well_formed || node.bytes.length > MOST_BYTES)
    reading.refuse(FIELD, 'must be the text that the wallet gave: of Apple Pay, its payment data as JSON');
  const token_type = members.get('token_type');
  plain(token_type, CHOICES.token_type, { name: 'token_type', reading });
  const checkout_id = plain(members.get('checkout_id'), CHOICES.checkout_id, { name: 'checkout_id', reading });
  const refusal = refuseProblems(reading.problems);
  if (refusal || node?.kind !== 'text') throw refusal ?? new Error('the payload was checked');
  // what is encrypted in it is not readable yet
  return { payload: node.bytes.toString('utf8'), checkout_id };
}

/** Turns a refused payload into a refusal of the field that brought it. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WalletRefused)) throw error;
    throw refusalOf(error);
  }
}

const refusalOf = ({ reason }: WalletRefused) => refuseField(FIELD, 'card_data_invalid', WALLET_REFUSALS[reason]);

type Opening = { readonly wallet: Wallet; readonly payload: string };

async function openCard(tools: VaultTools, { caller, now }: Asking, { wallet, payload }: Opening): Promise<WalletCard> {
  if (wallet === 'google_pay') {
    const recipient = await googleRecipient(tools, caller.merchant_account_id, now);
    return readGoogleCard(openGooglePay(payload, recipient), now);
  }
  const opened = openApplePay(payload, await appleRecipient(tools, caller.merchant_account_id, now));
  return readAppleCard(opened.plain, opened);
}

type Keeping = { readonly card: WalletCard; readonly checkout_id: string | undefined };

async function keep(tools: VaultTools, asking: Asking, { card, checkout_id }: Keeping): Promise<Answer> {
  const { number, cryptogram } = card;
  const schemes = schemesOf(number);
  const [scheme] = schemes;
  const wrong = wrongNumber(number, tools.numbers);
  if (wrong !== undefined || !scheme)
    throw refuseField(
      FIELD,
      'card_number_invalid',
      `holds a card whose number ${wrong ?? 'is of no supported scheme'}`,
    );
  refuseExpired(card, asking.now);
  const kept = await keepCard(tools, asking, {
    ...card,
    token_kind: card.wallet,
    token_type: 'oneshot',
    checkout_id,
    scheme,
    schemes,
    payload: { name: card.message_id, ends: card.ends },
    ...(cryptogram && { network_token: { eci: card.eci ?? '' } }),
  }).catch((error: unknown) => {
    if (error instanceof WalletRefused) return error;
    throw error;
  });
  if (kept === undefined || kept instanceof WalletRefused) {
    // the same request may have been quicker, under the same Idempotency-Key
    const winner = asking.once && (await findEarlier(tools, asking.caller, asking.once));
    if (winner) return answerEarlier(winner);
    throw kept ? refusalOf(kept) : tooManyTokens();
  }
  const { token_hash, expires_at: until } = kept.card;
  if (cryptogram) await afterCommit(() => keepCvc(tools, asking, { token_hash, digits: cryptogram, until }));
  return { body: answerOf({ ...kept.card, partner: null, subscription_id: null }, kept.token) };
}

function refuseExpired({ exp_month, exp_year }: WalletCard, now: Date): void {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + 1];
  if (exp_month < 1 || exp_month > 12 || exp_year > year + 20)
    throw refuseField(FIELD, 'card_data_invalid', WALLET_REFUSALS.malformed);
  if (exp_year < year || (exp_year === year && exp_month < month))
    throw refuseField(FIELD, 'card_expired', 'holds a card that has expired: ask the payer for another one');
}
