// Why a wallet's payload is not taken. Each text completes "wallet_payload …" and says what to do; none repeats what
// was sent.
export const WALLET_REFUSALS = {
  malformed: 'is no payload of this wallet: send what the wallet gave, unchanged',
  version: 'is of a version that is not taken: ask Google Pay for ECv2, Apple Pay for EC_v1',
  signature:
    'is not signed by the wallet for this merchant: send it unchanged, check the merchant id that is set here, and do not mix test and production',
  signer_expired: "is signed with a key of the wallet's that has expired: ask the payer to confirm in the wallet again",
  recipient:
    'is encrypted for another merchant or key: check the merchant id and the private key that are set for this wallet',
  expired: 'is too old: ask the payer to confirm in the wallet again',
  early: "is signed ahead of our time: set the clock of the vault's host",
  used: 'was used before, and a payload pays once: ask the payer to confirm in the wallet again',
  method: 'holds no card to pay with: ask the wallet for cards only',
  not_set: 'cannot be opened: this account has no key for this wallet yet; `florin wallet-keys` sets one',
} as const;

export type WalletReason = keyof typeof WALLET_REFUSALS;

/** A payload that is not taken. */
export class WalletRefused extends Error {
  readonly reason: WalletReason;

  constructor(reason: WalletReason, options?: ErrorOptions) {
    super(WALLET_REFUSALS[reason], options);
    this.reason = reason;
  }
}
