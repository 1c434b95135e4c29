// What the payment host asks the vault for the wallets of a hosted page: a part of the table in verbs.ts.
import { isId } from '../ids.ts';
import { object, only, orNull, text } from './form.ts';

const PART = { peers: ['payment'] } as const;
const merchant_account_id = text(isId);
const country = text((given) => /^[A-Z]{2}$/.test(given));

const WALLETS = object(
  {},
  {
    /** Apple Pay can be shown to payers of this account: everything is there that Apple asks of it. */
    apple_pay: object({ country }),
    /** Google Pay, too: the frame that its script runs in, and who the account is to Google. */
    google_pay: object({
      frame_url: text((given) => URL.canParse(given)),
      merchant_id: text(),
      public_key: text((given) => /^[A-Za-z0-9+/]{87}=$/.test(given)),
      country,
    }),
  },
);

export const WALLET_VERBS = {
  /** Wallets whose own sheet may be opened on an account's hosted page. */
  wallets: {
    ...PART,
    method: 'GET',
    path: '/internal/wallets/:merchant_account_id',
    deadline_ms: 2000,
    request: object({ merchant_account_id }),
    answer: WALLETS,
  },
  /** Has a session of Apple Pay for the account's hosted page, as Apple wrote it; null: there is none to be had. */
  walletSession: {
    ...PART,
    method: 'PUT',
    path: '/internal/wallets/:merchant_account_id/session',
    deadline_ms: 12_000,
    request: object({
      merchant_account_id,
      /** Of the merchant, on the payer's sheet. */
      display_name: text((given) => given.length > 0 && given.length <= 128),
    }),
    answer: only('session', orNull(text())),
  },
} as const;
