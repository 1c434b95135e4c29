// Texts about result codes that are not in their rows, for docs/codes.md and the pages at /docs.

export const CODES_LEAD =
  'A code is a text: compare it as one. First digit: where in the life of an order. Second: what produced it. Third: 0, another provider may be tried; 1, it must not. Fourth: who decided. A code that is not listed here is treated by its first digit.\n\nIn a sandbox a code is reached by its test card: `40000099`, `9`, the code, and the Luhn digit, with any expiry in the future. A card of phase 1 (risk, routing), 2 or 4 ends the order so, one of phase 3 its authentication under ask_3ds and force_3ds, one of phase 5, 6 or 7 the first capture, refund or cancel. Where a status stands behind the number, the code has two: the one under HTTP where our own rule gives it before any provider is asked, and that one where the provider gives it.';

/** The action of a caller, by the phase of the code. */
export const WHAT_TO_DO: Readonly<Record<string, string>> = {
  checkout: 'The checkout is there: go on with its `checkout_id`.',
  order:
    'Kind technical: the request itself is wrong; correct what `errors` names, or, on 429, 500 and 503, repeat it with the same Idempotency-Key. Kind risk: refused by rules; do not repeat it with the same data. Kind routing: no provider of the account takes this payment; change its contracts or the request. Kind payer_left: offer the payment again.',
  tokenization:
    'Ask the payer to correct the card, or for another one, and tokenize again. 241021: tokenize again; a one-shot token pays one order.',
  authentication: 'The payer was not authenticated. Offer to try again or another card; nothing was charged.',
  authorization:
    '421080: not decided yet; read the order or wait for its notification, and do not ship. Everything else is a decline: nothing is held. Third digit 0: the payer may try again. Third digit 1: ask for another card; trying the same one again is against the rules of the schemes.',
  capture:
    '521080: not decided yet. Otherwise nothing was captured by this request; the authorization stands unless the text says that it lapsed.',
  refund: '621080: not decided yet. Otherwise nothing was refunded by this request.',
  cancel: '721080: not decided yet. Otherwise the authorization stands.',
  success: 'Done.',
  none: 'Check method and path.',
};
