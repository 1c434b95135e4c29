// Wire: single sign-on of an account.

/** The role of a person who was not invited. */
export type SignOnRole = 'administrator' | 'developer' | 'operator' | 'reader';

export type SignOnSettings = {
  readonly issuer: string;
  readonly client_id: string;
  readonly domains: readonly string[];
  /** People who are no owners may also come in by password or passkey. */
  readonly passwords: boolean;
  /** Null: who was not invited is refused. */
  readonly new_role: SignOnRole | null;
};
export type SignOn = {
  /** Null: there is none. */
  readonly settings: SignOnSettings | null;
  /** The address to which the provider sends people back. */
  readonly redirect_uri: string;
  /** The address to which the provider may send people after they signed out. */
  readonly sign_out_uri: string;
};
/** `client_secret`: kept where it is left out. */
export type SignOnForm = Omit<SignOnSettings, 'new_role'> & {
  readonly client_secret?: string;
  readonly new_role?: SignOnRole;
  readonly reason: string;
};

export type SignOnAsk = { readonly email: string };
/** `host`: who asks for the password then; null: this address has no single sign-on here. */
export type SignOnOffer = { readonly host: string | null };
export type SignOnStart = { readonly url: string };
/** `query`: of the address that the provider sent the browser back to, which names the account. */
export type SignOnReturn = { readonly account_id: string; readonly query: string };
/** `provider_url`: where to go on to, so that the session ends at the provider as well. */
export type SignedOut = { readonly done: true; readonly provider_url: string | null };
