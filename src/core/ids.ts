// Ids of the contract (2.11): 12 bytes as 24 lower-case hex. 32 bits Unix seconds, 10 bits milliseconds, 10 bits of the
// shard, 44 random bits: later ids sort later, and nothing counts a merchant's volume.

const ID = /^[0-9a-f]{24}$/;
const TOKEN = /^[0-9a-f]{64}$/;

/** True for a text of the form of an id; whether the object exists is another question. */
export function isId(text: string): boolean {
  return ID.test(text);
}

/** True for a text of the form of a token or a page handle. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

const OF_PAGES = 'page-';

/** The id of the key of an account's hosted pages: by it the vault tells that key from the keys of merchants. */
export function pageKeyId(merchant_account_id: string): string {
  return OF_PAGES + merchant_account_id;
}

export function isPageKeyId(text: string): boolean {
  return text.startsWith(OF_PAGES) && isId(text.slice(OF_PAGES.length));
}

const OF_DESKS = 'desk-';

/** The id of the key that a back office takes cards by telephone with. */
export function deskKeyId(merchant_account_id: string): string {
  return OF_DESKS + merchant_account_id;
}

export function isDeskKeyId(text: string): boolean {
  return text.startsWith(OF_DESKS) && isId(text.slice(OF_DESKS.length));
}

/** Which database an object lives in, so that an id alone leads there; there is one (decision 0095). */
const SHARD = 0;

/** Builds an id from a moment and 6 random bytes, of which 44 bits are taken. */
export function makeId(now_ms: number, random: Uint8Array): string {
  const seconds = Math.floor(now_ms / 1000);
  const middle = ((now_ms % 1000) << 6) | (SHARD >> 4);
  let id = seconds.toString(16).padStart(8, '0') + Math.trunc(middle).toString(16).padStart(4, '0');
  for (let i = 0; i < 6; i++) {
    const byte = random[i] ?? 0;
    id += (i === 0 ? ((SHARD & 15) << 4) | (byte & 15) : byte).toString(16).padStart(2, '0');
  }
  return id;
}

/** The moment an id was made at. */
export function momentOf(id: string): Date {
  return new Date(parseInt(id.slice(0, 8), 16) * 1000 + (parseInt(id.slice(8, 12), 16) >> 6));
}

/** No id is lower: a walk over ids begins behind it. */
export const LOWEST_ID = '0'.repeat(24);
/** No id is higher. */
export const HIGHEST_ID = 'f'.repeat(24);

/** The lowest id of a moment: ids follow time, so a range of dates is a range of ids. */
export function idAt(moment_ms: number): string {
  return makeId(Math.min(Math.max(0, moment_ms), LAST_MS), new Uint8Array(6));
}
const LAST_MS = 0xffff_ffff * 1000;

/** The name of a credential of a contract with a provider: lower case, digits and _, 40 characters at most. */
export const isCredentialName = (text: string): boolean => /^[a-z][a-z0-9_]{0,39}$/.test(text);

/** Its value, which stands in a header as it is: 1 to 4,096 visible characters of ASCII, with blanks between them. */
export const isCredential = (text: string): boolean => /^[\x21-\x7e](?:[\x20-\x7e]{0,4094}[\x21-\x7e])?$/.test(text);
