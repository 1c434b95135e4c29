// The AReq: what the directory is asked about a payment (EMV 3-D Secure, browser channel). The
// card number is a slot that the vault fills.
import { CURRENCY_NUMBERS } from '../../core/three-ds/currency-numbers.ts';
import { CURRENCIES } from '../../core/money.ts';
import type { Template } from '../contract.ts';
import { browserMembers, cut } from './browser.ts';
import type { Asking, AuthenticationFacts, Version } from './contract.ts';

/** Who asks, as the schemes know it. A sandbox has no such id, and the simulated directory takes any. */
const ACQUIRER = { acquirerBIN: '400000', mcc: '5999', merchantCountryCode: '250' } as const;
/** 01: the 3-D Secure server says it. */
const ACQUIRER_COUNTRY = { acquirerCountryCode: '250', acquirerCountryCodeSource: '01' } as const;

export function requestBody(facts: AuthenticationFacts, { server_id, version, method }: Asking): Template {
  const { body, at, amount_minor, currency } = facts;
  const wish = challengeIndicator(facts, version);
  const members = {
    messageType: 'AReq',
    messageVersion: version,
    messageCategory: '01',
    deviceChannel: '02',
    threeDSServerTransID: server_id,
    threeDSServerRefNumber: 'florin',
    threeDSServerURL: cut(facts.notification_url, 2048),
    threeDSRequestorID: facts.merchant_account_id,
    threeDSRequestorName: cut(facts.merchant_name, 40),
    threeDSRequestorURL: siteOf(facts.requestor_url),
    threeDSRequestorAuthenticationInd: facts.stored_card ? '02' : '01',
    threeDSRequestorChallengeInd: version === '2.3.1' ? [wish] : wish,
    threeDSCompInd: method,
    ...ACQUIRER,
    acquirerMerchantID: facts.merchant_account_id,
    merchantName: cut(facts.merchant_name, 40),
    notificationURL: facts.notification_url,
    purchaseAmount: amount_minor.toString(),
    purchaseCurrency: CURRENCY_NUMBERS.get(currency) ?? '999',
    purchaseExponent: String(CURRENCIES.get(currency) ?? 2),
    purchaseDate: fourteen(at),
    ...(version === '2.3.1' && ACQUIRER_COUNTRY),
    ...(facts.stored_card && recurring(at, version)),
    ...browserMembers(body, at, version),
    ...payerMembers(body),
  };
  // the slot stands for a whole JSON value, quotes included
  return ['{"acctNumber":', { slot: 'card.number' }, `,${JSON.stringify(members).slice(1)}`];
}

/** A saved card is charged amounts that vary, at times that vary. */
function recurring(at: Date, version: Version) {
  return version === '2.3.1'
    ? { recurringInd: { amountInd: '02', frequencyInd: '02' } }
    : { recurringExpiry: `${at.getUTCFullYear() + 5}1231`, recurringFrequency: '1' };
}

/**
 * Without the path, which may hold what browsers take and the directory does not; with a host name that cannot exist.
 */
function siteOf(address: string): string {
  return new URL(address).origin.replaceAll(/["`{}]/g, '_');
}

/** YYYYMMDDHHMMSS in UTC. */
function fourteen(at: Date): string {
  return at.toISOString().replace(/\D/g, '').slice(0, 14);
}

/** 2.2.0 has no values of its own for the last two. */
const EXEMPTIONS: Readonly<Record<Version, Readonly<Record<string, string>>>> = {
  '2.2.0': { risk_analysis: '05', trusted_beneficiary: '08', low_value: '02', corporate: '02' },
  '2.3.1': { risk_analysis: '05', trusted_beneficiary: '08', low_value: '10', corporate: '11' },
};
const PREFERENCES: Readonly<Record<string, string>> = {
  challenge_mandatory: '04',
  challenge_requested: '03',
  no_challenge: '02',
};

/**
 * What we wish of the bank. force_3ds wants an authentication, not a challenge in any case (contract 15.1), so it
 * wishes for one (03) and does not mandate it.
 */
function challengeIndicator({ demand, body }: AuthenticationFacts, version: Version): string {
  const preference = PREFERENCES[String(body['challenge_preference'])];
  const exemption = EXEMPTIONS[version][String(body['sca_exemption_reason'])];
  // an issuer that has just asked for the payer is not asked for an exemption
  if (demand === 'soft_decline') return '04';
  return preference ?? exemption ?? (demand === 'force_3ds' ? '03' : '01');
}

const MAIL = /^[^\s@]{1,64}@[^\s@]{1,189}$/;

/** Of the payer, what the merchant said and the form allows; the rest is left out. */
function payerMembers(body: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const text = (name: string) => (typeof body[name] === 'string' ? body[name] : '');
  const holder = cut(`${text('customer_first_name')} ${text('customer_last_name')}`.trim(), 45);
  const line = (name: string, member: string, most: number) =>
    text(name) === '' ? {} : { [member]: cut(text(name), most) };
  return {
    ...(holder.length >= 2 && { cardholderName: holder }),
    ...(MAIL.test(text('customer_email')) && { email: text('customer_email') }),
    ...line('customer_billing_street_name', 'billAddrLine1', 50),
    ...line('customer_billing_city', 'billAddrCity', 50),
    ...line('customer_billing_zip_code', 'billAddrPostCode', 16),
    ...line('shipping_address_street_name_line1', 'shipAddrLine1', 50),
    ...line('shipping_address_city', 'shipAddrCity', 50),
    ...line('shipping_address_zip_code', 'shipAddrPostCode', 16),
  };
}
