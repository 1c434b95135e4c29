// The cards in the wallets of a sandbox, as a payer's simulated sheet offers them. They are of the lists of cards.ts.

export const WALLET_CARDS = [
  { name: 'visa', number: '4242424242424242' },
  { name: 'mastercard', number: '5555555555554444' },
  { name: 'no_funds', number: '4000000000009995' },
] as const;
