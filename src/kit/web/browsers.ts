// The oldest browsers that our pages are made for: newer syntax is written in theirs. Pages also use what these have
// beside syntax, so a newer method or style needs a look at what it does here (docs/guides/payment-form).
export const BROWSERS = ['chrome111', 'edge111', 'firefox115', 'safari16.4'];
