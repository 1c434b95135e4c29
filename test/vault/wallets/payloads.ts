// Payloads that a test makes with keys of its own, and what a merchant who takes them has set.
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { AppleRecipient } from '../../../src/vault/wallet/apple-pay.ts';
import type { GoogleRecipient } from '../../../src/vault/wallet/google-pay.ts';
import { WalletRefused } from '../../../src/vault/wallet/refused.ts';
import { type AppleSender, makeApplePayload } from '../../../src/vault/wallet/sandbox/apple-payload.ts';
import { demoAppleAuthority, demoKey } from '../../../src/vault/wallet/sandbox/demo-keys.ts';
import { type GoogleSender, makeGooglePayload } from '../../../src/vault/wallet/sandbox/google-payload.ts';

const FOLDER = new URL('../../../../shared/data/providers/', import.meta.url);
export const vectorsAreHere = existsSync(new URL('googlepay/', FOLDER));
export const vector = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');

export const NOW = new Date('2030-06-01T12:00:00Z');
export const later = (ms: number) => new Date(NOW.getTime() + ms);
const merchant = demoKey('test merchant');

export const google: { readonly from: GoogleSender; readonly to: GoogleRecipient } = {
  from: {
    root: demoKey('test root'),
    intermediate: demoKey('test intermediate'),
    intermediate_ends: later(1000),
    to: createPublicKey(merchant),
    recipient_id: 'merchant:0123456789',
  },
  to: {
    roots: [{ version: 'ECv2', key: createPublicKey(demoKey('test root')), expires: undefined }],
    recipient_id: 'merchant:0123456789',
    keys: [merchant],
    now: NOW,
  },
};

export const GOOGLE_MESSAGE = {
  gatewayMerchantId: 'shop-7',
  messageExpiration: String(later(60_000).getTime()),
  messageId: 'AH2Ejt-one-message',
  paymentMethod: 'CARD',
  paymentMethodDetails: {
    expirationYear: 2032,
    expirationMonth: 11,
    pan: '4895370012003478',
    authMethod: 'CRYPTOGRAM_3DS',
    eciIndicator: '05',
    cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
  },
};

export const googlePayload = (change: Partial<GoogleSender> = {}, message: object = GOOGLE_MESSAGE) =>
  makeGooglePayload(JSON.stringify(message), { ...google.from, ...change });

const authority = demoAppleAuthority();

export const apple: { readonly from: AppleSender; readonly to: AppleRecipient } = {
  from: {
    ...authority,
    signed_at: later(-30_000),
    to: createPublicKey(merchant),
    merchant_id: 'merchant.example.shop',
    transaction_id: Buffer.alloc(32, 7),
  },
  to: { root: authority.root, merchant_id: 'merchant.example.shop', keys: [merchant], now: NOW },
};

export const APPLE_MESSAGE = {
  applicationPrimaryAccountNumber: '4817499130204482',
  applicationExpirationDate: '321130',
  currencyCode: '978',
  transactionAmount: 4250,
  deviceManufacturerIdentifier: '050110030273',
  paymentDataType: '3DSecure',
  paymentData: { onlinePaymentCryptogram: 'AMwBRjPWDnAgAA7Rls7mAoABFA==', eciIndicator: '7' },
};

export const applePayload = (change: Partial<AppleSender> = {}, message: object = APPLE_MESSAGE) =>
  makeApplePayload(JSON.stringify(message), { ...apple.from, ...change });

/** Why a payload is refused; undefined: it is taken. */
export function refusalOf(open: () => unknown): string | undefined {
  try {
    open();
    return undefined;
  } catch (error) {
    if (error instanceof WalletRefused) return error.reason;
    throw error;
  }
}

export const otherKey = createPrivateKey(demoKey('another').export({ type: 'pkcs8', format: 'pem' }));

/** The same text with another base64 sign at one place. */
export function spoilt(text: string, at: number): string {
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
}
