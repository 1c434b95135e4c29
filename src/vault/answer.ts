// The answer of POST /token (contract 6.1, 6.4), from the card's row.
import { twoDigits } from '../core/dates.ts';
import { result } from '../core/results.ts';
import type { UsedKeyRow } from './store.ts';

export type Answered = Omit<UsedKeyRow, 'fingerprint' | 'token_sealed' | 'token_hash' | 'spent'>;

/** The body of a success. A partner's token shows the card fields that came with it. */
export function answerOf(card: Answered, token: Buffer): Readonly<Record<string, unknown>> {
  return {
    result: result('tokenization_successful'),
    created_date: card.created_at.toISOString(),
    token: token.toString('hex'),
    token_type: card.kind,
    token_kind: card.partner === null ? (card.token_kind ?? 'card') : 'psp_token',
    ...(card.subscription_id !== null && { subscription_id: card.subscription_id }),
    customer_scheme_name: card.scheme,
    bin_scheme_name: (card.schemes ?? card.scheme).split(',')[0],
    ...known('card_6_digits', card.first6),
    ...known('card_4_digits', card.last4),
    ...known('card_validity_month', expiryPart(card.exp_month)),
    ...known('card_validity_year', expiryPart(card.exp_year)),
    ...known('card_unique_id', card.card_unique_id),
    ...known('checkout_id', card.checkout_id),
  };
}

function known(name: string, value: string | null): Readonly<Record<string, string>> {
  return value === null ? {} : { [name]: value };
}

function expiryPart(value: number | null): string | null {
  return value === null ? null : twoDigits(value);
}
