// Our side as the simulated directory and bank meet it: a server that sends AReqs by the standard, and a browser
// without one, which follows the bank's forms. Knows their wire form and nothing of src.
import { newId } from '../../providers/wire.ts';

export type Said = Readonly<Record<string, unknown>>;
export type Page = {
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
  readonly heading: string;
  /** The bank's notice, if there is one. */
  readonly notice: string;
  /** Fields of the form that leads back; empty on a page that asks. */
  readonly back: Readonly<Record<string, string>>;
  readonly back_to: string;
};
export type Given = Readonly<Record<string, unknown>>;

export const MERCHANT = '66bf18d2aaaaaaaaaaaaaaaa';
export const NOTIFICATION_URL = 'https://pay.example:8443/3ds/back';

const OF_2_3 = {
  acceptLanguage: ['fr-FR'],
  acquirerCountryCode: '250',
  acquirerCountryCodeSource: '01',
  threeDSRequestorChallengeInd: ['01'],
};

/** 10.00 EUR; what belongs to one version only is in that version. */
export function areqOf(version: string, given: Given = {}): Said {
  return {
    acctNumber: '4242424242424242',
    acquirerBIN: '400551',
    acquirerMerchantID: 'M-1881',
    browserAcceptHeader: 'text/html',
    browserColorDepth: '24',
    browserIP: '192.0.2.7',
    browserJavaEnabled: false,
    browserJavascriptEnabled: true,
    browserLanguage: 'fr-FR',
    browserScreenHeight: '900',
    browserScreenWidth: '1440',
    browserTZ: '-60',
    browserUserAgent: 'Mozilla/5.0',
    cardExpiryDate: '3012',
    cardholderName: 'Ada Lovelace',
    deviceChannel: '02',
    email: 'ada@example.com',
    mcc: '5732',
    merchantCountryCode: '250',
    merchantName: 'Lamps & <Sons>',
    messageCategory: '01',
    messageType: 'AReq',
    messageVersion: version,
    notificationURL: NOTIFICATION_URL,
    purchaseAmount: '1000',
    purchaseCurrency: '978',
    purchaseDate: '20261121110000',
    purchaseExponent: '2',
    threeDSCompInd: 'U',
    threeDSRequestorAuthenticationInd: '01',
    threeDSRequestorID: 'florin',
    threeDSRequestorName: 'Florin',
    threeDSRequestorURL: 'https://shop.example',
    threeDSServerTransID: '00000000-0000-4000-8000-000000000000',
    transType: '01',
    ...(version === '2.3.1' ? OF_2_3 : { threeDSRequestorChallengeInd: '01' }),
    ...given,
  };
}

export const base64Url = (message: object): string => Buffer.from(JSON.stringify(message)).toString('base64url');

export function readBase64Url(text: string | undefined): Said {
  const said: Said = JSON.parse(Buffer.from(text ?? '', 'base64url').toString());
  return said;
}

export function creqOf(ares: Said, given: Given = {}): Said {
  const { acsTransID, threeDSServerTransID, messageVersion } = ares;
  const head = { messageType: 'CReq', messageVersion, acsTransID, threeDSServerTransID };
  return { ...head, challengeWindowSize: '05', ...given };
}

export type Challenge = { readonly number?: string; readonly version?: string; readonly areq?: Given };

export function askingOf(url: () => string) {
  const post = async (path: string, body: object): Promise<{ status: number; said: Said }> => {
    const response = await fetch(url() + path, { method: 'POST', body: JSON.stringify(body) });
    return { status: response.status, said: JSON.parse(await response.text()) };
  };
  const preauth = async (number: string, given: Given = {}): Promise<Said> => {
    const ids = { merchant_account_id: MERCHANT, order_id: newId(), operation_id: newId() };
    return (await post('/three_ds/preauth', { ...ids, card: { number }, ...given })).said;
  };
  const authenticate = async (areq: object): Promise<Said> => (await post('/three_ds/authenticate', areq)).said;
  /** Both questions in a row; answers the ARes, or what came instead. */
  const asks = async ({ number = '4242424242424242', version = '2.2.0', areq = {} }: Challenge, given: Given = {}) => {
    const { threeDSServerTransID } = await preauth(number, given);
    return authenticate(areqOf(version, { acctNumber: number, threeDSServerTransID, ...areq }));
  };
  const send = async (fields: Readonly<Record<string, string>>, path = '/acs/challenge'): Promise<Page> => {
    const response = await fetch(url() + path, { method: 'POST', body: new URLSearchParams(fields) });
    return pageOf(response.status, response.headers, await response.text());
  };
  return {
    post,
    preauth,
    authenticate,
    asks,
    send,
    /** Opens the challenge of this ARes. */
    challenge: (ares: Said, fields: Readonly<Record<string, string>> = {}) =>
      send({ creq: base64Url(creqOf(ares)), ...fields }),
    /** Sends one of the page's own forms. */
    presses: (ares: Said, action: string) => send({ action }, pageOfChallenge(ares)),
    types: (ares: Said, code: string) => send({ action: 'verify', code }, pageOfChallenge(ares)),
    results: async (id: unknown): Promise<{ status: number; said: Said }> => {
      const response = await fetch(`${url()}/three_ds/results/${String(id)}`);
      return { status: response.status, said: JSON.parse(await response.text()) };
    },
  };
}

const pageOfChallenge = ({ acsTransID }: Said): string => `/acs/challenge/${String(acsTransID)}`;

function pageOf(status: number, headers: Headers, html: string): Page {
  const inside = (pattern: RegExp) => textOf(pattern.exec(html)?.[1] ?? '');
  const form = /<form id="back"[^>]*>.*?<\/form>/s.exec(html)?.[0] ?? '';
  const back = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => {
    return [name, textOf(value)] as const;
  });
  return {
    status,
    html,
    headers,
    heading: inside(/<h1>([^<]*)</),
    notice: inside(/id="notice"[^>]*>([^<]*)</),
    back: Object.fromEntries(back),
    back_to: inside(/<form id="back" method="post" action="([^"]*)"/),
  };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const textOf = (html: string): string => html.replace(/&(\w+|#39);/g, (_, name: string) => ENTITIES[name] ?? '?');
