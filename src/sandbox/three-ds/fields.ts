// The elements of the messages that the simulated directory and bank read (EMV 3-D Secure 2.2.0 and 2.3.1, browser
// channel), written by hand: which are required, their form, and the differences of the versions. A test compares them
// with the schemas.
import { isRecord } from '../entry.ts';
import type { Version } from './versions.ts';

type Check = (value: unknown) => boolean;
type Fields = Readonly<Record<string, Check>>;
type Said = Readonly<Record<string, unknown>>;
export type Table = {
  readonly fields: Fields;
  readonly required: readonly string[];
  /** Elements that the content of this message makes required. */
  alsoRequired(said: Said): readonly string[];
};

/** The length counts characters, not UTF-16 units. */
const text =
  (most = Number.POSITIVE_INFINITY, least = 0): Check =>
  (value) => {
    // a character has at most two units, so a text that is far too long need not be counted
    if (typeof value !== 'string' || value.length > 2 * most) return false;
    const { length } = Array.from(value);
    return length >= least && length <= most;
  };
const form =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const oneOf = (words: string): Check => {
  const known: readonly unknown[] = words.split(' ');
  return (value) => known.includes(value);
};
const flag: Check = (value) => typeof value === 'boolean';
const list: Check = (value) => Array.isArray(value);
const both =
  (one: Check, other: Check): Check =>
  (value) =>
    one(value) && other(value);
const uuid = form(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i);
const url = (most: number) => both(text(most), form(/^[a-z][a-z0-9+.-]*:\/\/[^\s<>"{}|\\^`]+$/i));

const of = (check: Check, names: string): Fields =>
  Object.fromEntries(names.split(' ').map((name) => [name, check] as const));

/** A number of two digits up to `last`, or 80 to 99, which each directory may define. */
const upTo = (last: number): Check => {
  const known = Array.from({ length: last }, (_, i) => String(i + 1).padStart(2, '0'));
  return form(new RegExp(`^(?:${known.join('|')}|[89][0-9])$`));
};

const AREQ: Fields = {
  ...of(text(), 'cardExpiryDate ds purchaseCurrency recurringExpiry'),
  ...of(text(11), 'acquirerBIN'),
  ...of(text(35), 'acquirerMerchantID'),
  ...of(text(64), 'acctID'),
  ...of(text(16), 'billAddrPostCode shipAddrPostCode'),
  ...of(text(3), 'billAddrState shipAddrState purchaseInstalData'),
  ...of(text(50), 'billAddrCity billAddrLine1 billAddrLine2 billAddrLine3'),
  ...of(text(50), 'shipAddrCity shipAddrLine1 shipAddrLine2 shipAddrLine3'),
  ...of(text(45), 'browserIP'),
  ...of(text(8, 1), 'browserLanguage'),
  ...of(text(2048), 'browserAcceptHeader browserUserAgent'),
  ...of(text(45, 2), 'cardholderName'),
  ...of(text(254), 'email'),
  ...of(text(4, 4), 'mcc'),
  ...of(text(40), 'merchantName'),
  ...of(text(2, 2), 'sdkMaxTimeout'),
  ...of(text(32), 'sdkReferenceNumber'),
  ...of(text(64_000), 'sdkEncData'),
  ...of(uuid, 'sdkAppID sdkTransID threeDSServerTransID'),
  ...of(url(256), 'notificationURL'),
  ...of(url(2048), 'threeDSRequestorURL'),
  ...of(form(/^[0-9]{13,19}$/), 'acctNumber'),
  ...of(form(/^\d{3}$/), 'billAddrCountry shipAddrCountry merchantCountryCode'),
  ...of(form(/^[0-9]{1,6}$/), 'browserScreenHeight browserScreenWidth'),
  ...of(form(/^[+-]?[0-9]{1,4}$/), 'browserTZ'),
  ...of(form(/^\d{0,48}$/), 'purchaseAmount'),
  ...of(form(/^[0-9]{14}$/), 'purchaseDate'),
  ...of(form(/^\d$/), 'purchaseExponent'),
  ...of(form(/^\d{0,4}$/), 'recurringFrequency'),
  ...of(upTo(3), 'acctType deviceChannel'),
  ...of(upTo(2), 'messageCategory'),
  ...of(oneOf('Y N'), 'addrMatch'),
  ...of(oneOf('1 4 8 15 16 24 32 48'), 'browserColorDepth'),
  ...of(oneOf('Y N U'), 'threeDSCompInd'),
  ...of(oneOf('01 03 10 11 28'), 'transType'),
  ...of(oneOf('AReq'), 'messageType'),
  ...of(text(5, 5), 'threeDSRequestorDecMaxTime'),
  ...of(upTo(2), 'payTokenSource'),
  ...of(flag, 'browserJavaEnabled browserJavascriptEnabled payTokenInd'),
  ...of(isRecord, 'acctInfo deviceRenderOptions homePhone mobilePhone workPhone merchantRiskIndicator sdkEphemPubKey'),
  ...of(list, 'messageExtension'),
};

const OF_2_2: Fields = {
  ...of(oneOf('2.2.0'), 'messageVersion'),
  ...of(upTo(3), 'threeDSReqAuthMethodInd whiteListStatusSource'),
  ...of(upTo(7), 'threeDSRequestorAuthenticationInd'),
  ...of(upTo(9), 'threeDSRequestorChallengeInd'),
  ...of(upTo(12), 'threeRIInd'),
  ...of(oneOf('Y N'), 'threeDSRequestorDecReqInd'),
  ...of(oneOf('Y N E P R U'), 'whiteListStatus'),
  ...of(isRecord, 'threeDSRequestorAuthenticationInfo threeDSRequestorPriorAuthenticationInfo'),
};

const twoDigits = form(/^\d{2}$/);

/** Differences of 2.3.1: some elements became lists, and the white list is called trust list. */
const OF_2_3: Fields = {
  ...of(oneOf('2.3.1'), 'messageVersion'),
  ...of(list, 'acceptLanguage sellerInfo threeDSRequestorChallengeInd'),
  ...of(list, 'threeDSRequestorAuthenticationInfo threeDSRequestorPriorAuthenticationInfo'),
  ...of(twoDigits, 'acquirerCountryCodeSource deviceBindingStatus sdkType spcIncompInd'),
  ...of(twoDigits, 'threeDSRequestorAuthenticationInd threeRIInd'),
  ...of(form(/^\d{3}$/), 'acquirerCountryCode recurringCurrency'),
  ...of(form(/^\d$/), 'recurringExponent'),
  ...of(form(/^\d{3,4}$/), 'cardSecurityCode'),
  ...of(form(/^\d{14}$/), 'sdkSignatureTimestamp'),
  ...of(oneOf('01 02'), 'cardSecurityCodeStatusSource'),
  ...of(oneOf('01 02 03'), 'deviceBindingStatusSource threeDSReqAuthMethodInd trustListStatusSource'),
  ...of(oneOf('Y'), 'threeDSRequestorSpcSupport'),
  ...of(oneOf('Y N U'), 'cardSecurityCodeStatus'),
  ...of(oneOf('Y N F B'), 'threeDSRequestorDecReqInd'),
  ...of(oneOf('Y N E P R U'), 'trustListStatus'),
  ...of(uuid, 'threeDSMethodId'),
  ...of(text(), 'payeeOrigin recurringDate'),
  ...of(text(45), 'appIp taxId'),
  ...of(text(48), 'recurringAmount'),
  ...of(text(64), 'deviceId userId'),
  ...of(text(4000), 'sdkServerSignedContent'),
  ...of(isRecord, 'broadInfo defaultSdkType multiTransaction payTokenInfo recurringInd splitSdkType'),
};

const ALWAYS = [
  'acctNumber',
  'browserAcceptHeader',
  'browserJavascriptEnabled',
  'browserUserAgent',
  'deviceChannel',
  'messageCategory',
  'messageType',
  'messageVersion',
  'notificationURL',
  'threeDSCompInd',
  'threeDSRequestorAuthenticationInd',
  'threeDSRequestorURL',
  'threeDSServerTransID',
];
/** Only a script can read these. */
const BY_SCRIPT = ['browserColorDepth', 'browserJavaEnabled', 'browserScreenHeight', 'browserScreenWidth', 'browserTZ'];
const PURCHASE = ['purchaseAmount', 'purchaseCurrency', 'purchaseExponent', 'purchaseDate'];
const byScript = ({ browserJavascriptEnabled }: Said, names: readonly string[]) =>
  browserJavascriptEnabled === true ? names : [];
const ofPurchase = ({ messageCategory }: Said) => (messageCategory === '01' ? PURCHASE : []);

export const AREQS: Readonly<Record<Version, Table>> = {
  '2.2.0': {
    fields: { ...AREQ, ...OF_2_2 },
    required: [...ALWAYS, 'browserLanguage'],
    alsoRequired: (said) => [...ofPurchase(said), ...byScript(said, BY_SCRIPT)],
  },
  '2.3.1': {
    fields: { ...AREQ, ...OF_2_3 },
    required: [...ALWAYS, 'acceptLanguage', 'acquirerCountryCode', 'acquirerCountryCodeSource'],
    alsoRequired: (said) => [...ofPurchase(said), ...byScript(said, [...BY_SCRIPT, 'browserLanguage'])],
  },
};

export const CREQ: Table = {
  fields: {
    ...of(oneOf('CReq'), 'messageType'),
    ...of(oneOf('2.0.1 2.1.1 2.1.0 2.2.0 2.3.0 2.3.1'), 'messageVersion'),
    ...of(uuid, 'acsTransID threeDSServerTransID'),
    ...of(text(), 'challengeWindowSize'),
    ...of(list, 'messageExtension'),
  },
  required: ['acsTransID', 'challengeWindowSize', 'messageType', 'messageVersion', 'threeDSServerTransID'],
  alsoRequired: () => [],
};

/** The first wrong element with the standard's error code; undefined if there is none. Unknown elements are ignored. */
export function findWrong(
  said: Said,
  table: Table,
): { readonly code: '201' | '203'; readonly element: string } | undefined {
  const required = [...table.required, ...table.alsoRequired(said)];
  const missing = required.find((name) => said[name] === undefined);
  if (missing !== undefined) return { code: '201', element: missing };
  const wrong = Object.entries(table.fields).find(([name, check]) => said[name] !== undefined && !check(said[name]));
  return wrong && { code: '203', element: wrong[0] };
}
