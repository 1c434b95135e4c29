// Within which bounds the settings of a merchant account are: what its door refuses, and what the back office says.

/** Seconds that an answer waits for the end of an operation. */
export const WAIT_S = { least: 0, most: 25 } as const;

/** Minutes that a payer may take for 3-D Secure. */
export const CHALLENGE_MINUTES = { least: 2, most: 30 } as const;

export const RISK_SCORE = { least: 1, most: 100 } as const;

/** Characters of what an account puts on the hosted page; of its logo those of a data: address. */
export const PAGE_LENGTH = { name: 60, note: 300, link: 500, logo: 40_000 } as const;
