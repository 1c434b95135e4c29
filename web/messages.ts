// What the two sides of the card frame may say to each other. Nothing that is typed is among it: from the frame come
// validity, scheme and size, and at the end a token.

/**
 * Frame to page, before anything else: sent to the one origin that framed it. `nonce` is the page's own, from the
 * address.
 */
export type Hello = { readonly kind: 'hello'; readonly nonce: string };

/** Page to frame, with the one port of a new MessageChannel: everything after goes through it. */
export type Welcome = { readonly kind: 'welcome'; readonly nonce: string };

export type Theme = 'light' | 'dark';

/** How the page wants the fields to look: values of the variables in STYLE_VARIABLES, by their short name. */
export type Look = { readonly theme: Theme; readonly variables: Readonly<Record<string, string>> };

/** A saved card that waits for its cvc: its token and scheme. */
export type SavedChoice = { readonly token: string; readonly scheme: string };

export type ToFields =
  | {
      readonly kind: 'configure';
      readonly look: Look;
      /** Schemes the payer may use; empty: every one. */
      readonly schemes: readonly string[];
      readonly holder: boolean;
      readonly holder_name: string;
      readonly checkout_id: string;
    }
  | { readonly kind: 'look'; readonly look: Look }
  | { readonly kind: 'choose'; readonly saved: SavedChoice | undefined }
  | { readonly kind: 'tokenize'; readonly id: number; readonly token_type: string }
  | { readonly kind: 'unlock' }
  /** Declined: another try with what was typed, but for the code. */
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
  /** Enter was pressed in a field. */
  | { readonly kind: 'enter' }
  | {
      readonly kind: 'token';
      readonly id: number;
      readonly token: string;
      readonly payment_method_name: string;
      readonly token_type: string;
    }
  /** Something is missing or wrong, and said beside its field; nothing was sent. */
  | { readonly kind: 'incomplete'; readonly id: number }
  /** The vault refused, or could not be reached. */
  | { readonly kind: 'refused'; readonly id: number; readonly reason: Reason; readonly code: string };

/** Why there is no token, as far as the payer can be told. `card`: the fields say which. */
export type Reason = 'card' | 'setup' | 'session' | 'saved_card' | 'busy' | 'offline' | 'unknown';

/** The page's style variables (`--florin-…`, with the brand's name) that reach into the frame, and their name there. */
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
