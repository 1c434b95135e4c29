// Where cards may be sent, and in what form: pinned here, never taken from a request (vault.md 7). The money zone names a
// destination and a route; path, method and the places of card data are this table's.

export type Destination = {
  readonly base_url: string;
  readonly routes: Readonly<
    Record<string, { readonly method: 'POST'; readonly path: string; readonly slots: readonly string[] }>
  >;
};

export type Destinations = ReadonlyMap<string, Destination>;

export const MAX_BODY_BYTES = 32_768;
export const MAX_ANSWER_BYTES = 262_144;
