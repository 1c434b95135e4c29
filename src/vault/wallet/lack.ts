/** Something that is missing before a wallet may be shown on the hosted page, and what to do about it. */
export type Lack = { readonly says: string; readonly fix: string };
