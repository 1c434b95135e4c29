// The payer's browser as 3-D Secure wants it told. What a merchant sent is turned into the forms of the
// messages: cut, rounded down, converted; never refused, because none of it may keep a payer from paying.
import type { Version } from './contract.ts';

type Body = Readonly<Record<string, unknown>>;
type Told = string | boolean | readonly string[];

const COLOUR_DEPTHS = [48, 32, 24, 16, 15, 8, 4, 1] as const;
const MOST_TEXT = 2048;
const MOST_LANGUAGE = 8;
const MOST_HEADER_LANGUAGE = 100;

/**
 * The browser members of an AReq. What only a script can read is sent when all of it is known; in 2.3.1 the language is
 * one of these, and the languages of the header are sent in any case.
 */
export function browserMembers(body: Body, at: Date, version: Version): Readonly<Record<string, Told>> {
  const field = (name: string) => body[`customer_browser_info_${name}`];
  const scripts = field('js_enabled') === true;
  const always = {
    browserAcceptHeader: cut(textOf(field('accept_header')) ?? '*/*', MOST_TEXT),
    browserUserAgent: cut(textOf(field('user_agent')) ?? 'unknown', MOST_TEXT),
    ...addressOf(textOf(body['customer_ip'])),
  };
  const seen = {
    browserJavaEnabled: field('java_enabled') === true,
    browserScreenHeight: pixelsOf(field('screen_height')) ?? '0',
    browserScreenWidth: pixelsOf(field('screen_width')) ?? '0',
    browserColorDepth: colourDepthOf(field('color_depth')) ?? '24',
    browserTZ: timeZoneOf(textOf(field('time_zone')), at) ?? '0',
  };
  const complete = scripts && ALWAYS_SEEN.every((name) => field(name) !== undefined);
  const language = textOf(field('language')) ?? textOf(body['locale']) ?? 'en';
  const browserLanguage = languageOf(language);
  const languages =
    version === '2.3.1'
      ? {
          acceptLanguage: [cut(language.replaceAll('_', '-'), MOST_HEADER_LANGUAGE)],
          ...(complete && { browserLanguage }),
        }
      : { browserLanguage };
  return { ...always, ...languages, browserJavascriptEnabled: complete, ...(complete && seen) };
}

/** What any script sees. Few browsers still know Java, and a time zone is not found by all. */
const ALWAYS_SEEN = ['screen_height', 'screen_width', 'color_depth'];

/**
 * One of the closed list: 30, as many Macs have, goes down to 24. Undefined: nothing was said, or no integer of 1 to
 * 64.
 */
export function colourDepthOf(value: unknown): string | undefined {
  if (!/^(?:[1-9]|[1-5]\d|6[0-4])$/.test(String(value))) return undefined;
  const depth = Number(value);
  return String(COLOUR_DEPTHS.find((listed) => listed <= depth) ?? 1);
}

function pixelsOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : textOf(value);
  return text !== undefined && /^\d{1,6}$/.test(text) ? text : undefined;
}

/** At most eight characters, cut between subtags: `zh-Hans-CN` is `zh-Hans`. */
export function languageOf(text: string): string {
  const [language = 'en', ...subtags] = text.replaceAll('_', '-').split('-');
  let whole = language.slice(0, MOST_LANGUAGE) || 'en';
  for (const subtag of subtags) {
    if (whole.length + 1 + subtag.length > MOST_LANGUAGE) break;
    whole += `-${subtag}`;
  }
  return whole;
}

/** Minutes between UTC and local time, positive west of UTC: Paris is -60 in winter and -120 in summer. */
export function timeZoneOf(text: string | undefined, at: Date): string | undefined {
  if (text === undefined) return undefined;
  const fixed = /^([+-])(\d{2}):(\d{2})$/.exec(text);
  if (fixed) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3]);
    return String(fixed[1] === '+' ? -minutes : minutes).replace('-0', '0');
  }
  const east = minutesEastOf(text, at);
  return east === undefined ? undefined : String(east === 0 ? 0 : -east);
}

function minutesEastOf(time_zone: string, at: Date): number | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: time_zone, timeZoneName: 'longOffset' });
    const name = format.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value ?? '';
    const read = /^GMT(?:([+-])(\d{2}):(\d{2}))?$/.exec(name);
    if (!read) return undefined;
    const minutes = Number(read[2] ?? 0) * 60 + Number(read[3] ?? 0);
    return read[1] === '-' ? -minutes : minutes;
  } catch {
    // no time zone of that name
    return undefined;
  }
}

/** Private and local addresses say nothing to a bank and are left out. */
function addressOf(ip: string | undefined): Readonly<Record<string, string>> {
  if (ip === undefined || ip.length > 45 || PRIVATE.test(ip)) return {};
  return { browserIP: ip };
}

const PRIVATE = /^(?:10\.|127\.|0\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|::1?$|f[cde][0-9a-f]{2}:)/i;

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** By code points: half a character is none. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : [...text].slice(0, most).join('').slice(0, most);
}
