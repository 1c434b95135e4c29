// What API keys (contract 2.6) and secrets of endpoints look like, and how long an old one goes on.

export const KEY_LENGTH = { least: 24, most: 128 } as const;

const OF_A_KEY = `[A-Za-z0-9_-]{${KEY_LENGTH.least},${KEY_LENGTH.most}}`;

export const KEY_TEXT = {
  form: new RegExp(`^${OF_A_KEY}$`),
  form_or_none: new RegExp(`^(?:${OF_A_KEY})?$`),
  says: `${KEY_LENGTH.least} to ${KEY_LENGTH.most} letters, digits, _ or -`,
} as const;

/** For how many hours at the most an old key, or an old secret of an endpoint, is good beside the new one. */
export const MOST_OVERLAP_H = 168;

/** Characters of a secret that a receiver of notifications brings. */
export const SECRET_LENGTH = { least: 8, most: 128 } as const;
