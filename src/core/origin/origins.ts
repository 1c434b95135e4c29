// Where an address and a card come from (contract 9.4): null wherever it is not known, never guessed.

export type CardOrigin = {
  /** Name of the bank that issued the card. */
  readonly issuer: string | null;
  /** ISO 3166 code of two letters. */
  readonly country: string | null;
  /** Charge cards are credit cards. */
  readonly funding: Funding | null;
};

export const FUNDINGS = ['credit', 'debit', 'prepaid'] as const;
export type Funding = (typeof FUNDINGS)[number];

/** Of a card no more than these digits is known outside the vault. */
export type CardDigits = { readonly first6: string | null; readonly last4: string | null };

export type Origins = {
  /** ISO 3166 code of the country of an IP address. */
  countryOf(ip: string): string | null;
  cardOf(card: CardDigits): CardOrigin;
};

export const NO_ORIGIN: CardOrigin = { issuer: null, country: null, funding: null };

/** Asks one after the other until one knows. */
export function firstOf(...sources: readonly Origins[]): Origins {
  return {
    countryOf: (ip) => firstKnown(sources.map((source) => source.countryOf(ip))),
    cardOf: (card) => {
      const found = sources.map((source) => source.cardOf(card));
      return {
        issuer: firstKnown(found.map((one) => one.issuer)),
        country: firstKnown(found.map((one) => one.country)),
        funding: firstKnown(found.map((one) => one.funding)),
      };
    },
  };
}

const firstKnown = <T extends string>(values: readonly (T | null)[]): T | null =>
  values.find((value) => value !== null) ?? null;
