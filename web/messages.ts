// The messages between the two sides of the card frame. None contains typed text: the frame sends validity, scheme and
// size, and at the end a token.

/**
 * From frame to page, before anything else, to the one origin that framed it. `nonce` is the page's own, from the
 * address.
 */
export type Hello = { readonly kind: 'hello'; readonly nonce: string };

/** From page to frame, with the one port of a new MessageChannel, which carries all later messages. */
export type Welcome = { readonly kind: 'welcome'; readonly nonce: string };

export type Theme = 'light' | 'dark';

/** The look of the fields, as the page wants it: values of the variables in STYLE_VARIABLES, by their short names. */
export type Look = { readonly theme: Theme; readonly variables: Readonly<Record<string, string>> };

/** A saved card whose cvc is needed: its token and scheme. */
export type SavedChoice = { readonly token: string; readonly scheme: string };

export type ToFields =
  | {
      readonly kind: 'configure';
      readonly look: Look;
      /** The schemes that the payer may use; empty: all. */
      readonly schemes: readonly string[];
      readonly holder: boolean;
      readonly holder_name: string;
      readonly checkout_id: string;
      /** A key that no address may hold (`isPrivate`); empty: the frame's own address names the key. */
      readonly key: string;
    }
  | { readonly kind: 'look'; readonly look: Look }
  | { readonly kind: 'choose'; readonly saved: SavedChoice | undefined }
  | { readonly kind: 'tokenize'; readonly id: number; readonly token_type: string }
  | { readonly kind: 'unlock' }
  /** The frame has the focus: to the first field that is wrong. */
  | { readonly kind: 'focus' }
  /** The payment was declined: another try with the typed values, except the code. */
  | { readonly kind: 'again' }
  | { readonly kind: 'clear' };

export type Validity = { readonly empty: boolean; readonly valid: boolean };

export type FromFields =
  | { readonly kind: 'ready' }
  | { readonly kind: 'height'; readonly pixels: number }
  | {
      readonly kind: 'change';
      readonly complete: boolean;
      readonly scheme: string;
      readonly fields: Readonly<Record<string, Validity>>;
    }
  /** The payer pressed Enter in a field. */
  | { readonly kind: 'enter' }
  | {
      readonly kind: 'token';
      readonly id: number;
      readonly token: string;
      readonly payment_method_name: string;
      readonly token_type: string;
    }
  /** A field is missing or wrong, and shows its error; nothing was sent. */
  | { readonly kind: 'incomplete'; readonly id: number }
  /** The vault refused, or could not be reached. */
  | {
      readonly kind: 'refused';
      readonly id: number;
      readonly reason: Reason;
      readonly code: string;
      /** False: the request has certainly not left the browser. */
      readonly left: boolean;
    };

/** Why there is no token, as far as the payer can be told. `card`: the fields show which of them is wrong. */
export type Reason = 'card' | 'setup' | 'session' | 'saved_card' | 'busy' | 'offline' | 'unknown';

/** Made here, a private key tells itself by its prefix; one that was imported may not. */
export function isPrivate(key: string): boolean {
  return /^[A-Z]{2,6}_PR_/.test(key);
}

/** What is said of it to whoever builds the page. */
export const PRIVATE_KEY_IN_PAGE =
  'publicapikey is a private key: anyone who opens this page can capture and refund with it. Put a public key here, then rotate the private one.';

/**
 * The page's style variables (`--florin-…`, with the brand's name) that apply inside the frame, by their names there.
 */
export const STYLE_VARIABLES = [
  'font-family',
  'font-size',
  'color-text',
  'color-soft',
  'color-field',
  'color-ground',
  'color-line',
  'color-accent',
  'color-error',
  'radius',
  'gap',
  'padding',
  'line-width',
] as const;
