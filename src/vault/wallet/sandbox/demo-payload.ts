// Payloads of a sandbox's wallets for its demo merchant: for `florin wallet-payload`, and for tests.
import { createPublicKey } from 'node:crypto';
import { HOUR_MS } from '../../../core/durations.ts';
import { CURRENCY_NUMBERS } from '../../../core/three-ds/currency-numbers.ts';
import type { Chance } from '../../../kit/clock.ts';
import { DEMO_MERCHANT } from '../recipients.ts';
import type { Wallet } from '../wallet-card.ts';
import { makeApplePayload } from './apple-payload.ts';
import { demoAppleAuthority, demoKey } from './demo-keys.ts';
import { makeGooglePayload } from './google-payload.ts';

export type DemoPayment = {
  readonly number: string;
  /** Base64. Undefined: with Google Pay the number is the card's own. */
  readonly cryptogram: string | undefined;
  /** The amount, in payloads of Apple Pay; Google Pay has none. */
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly now: Date;
};

const EXPIRY = { year: 2034, month: 12 };

/** The text for the field `wallet_payload`. */
export function demoPayload(wallet: Wallet, payment: DemoPayment, chance: Pick<Chance, 'bytes'>): string {
  return wallet === 'google_pay' ? googlePayload(payment, chance) : applePayload(payment, chance);
}

function googlePayload({ number, cryptogram, now }: DemoPayment, chance: Pick<Chance, 'bytes'>): string {
  const { name, keys } = DEMO_MERCHANT.google_pay;
  const message = {
    messageId: chance.bytes(24).toString('base64'),
    messageExpiration: String(now.getTime() + HOUR_MS),
    paymentMethod: 'CARD',
    paymentMethodDetails: {
      pan: number,
      expirationMonth: EXPIRY.month,
      expirationYear: EXPIRY.year,
      ...(cryptogram === undefined
        ? { authMethod: 'PAN_ONLY' }
        : { authMethod: 'CRYPTOGRAM_3DS', cryptogram, eciIndicator: '05' }),
    },
  };
  return makeGooglePayload(JSON.stringify(message), {
    root: demoKey('google root'),
    intermediate: demoKey('google intermediate'),
    intermediate_ends: new Date(now.getTime() + HOUR_MS),
    to: createPublicKey(firstOf(keys)),
    recipient_id: name,
  });
}

function applePayload(payment: DemoPayment, chance: Pick<Chance, 'bytes'>): string {
  const { name, keys } = DEMO_MERCHANT.apple_pay;
  const message = {
    applicationPrimaryAccountNumber: payment.number,
    applicationExpirationDate: `${EXPIRY.year % 100}${EXPIRY.month}31`,
    currencyCode: CURRENCY_NUMBERS.get(payment.currency),
    deviceManufacturerIdentifier: '040010030273',
    paymentDataType: '3DSecure',
    paymentData: { onlinePaymentCryptogram: payment.cryptogram, eciIndicator: '5' },
  };
  // digits as they are: an amount never goes through a floating point number
  const text = `${JSON.stringify(message).slice(0, -1)},"transactionAmount":${payment.amount_minor}}`;
  return makeApplePayload(text, {
    ...demoAppleAuthority(),
    signed_at: payment.now,
    to: createPublicKey(firstOf(keys)),
    merchant_id: name,
    transaction_id: chance.bytes(32),
  });
}

function firstOf<T>([first]: readonly T[]): T {
  if (first === undefined) throw new Error('the demo merchant has a key');
  return first;
}
