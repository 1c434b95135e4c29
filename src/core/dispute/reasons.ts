// Why payers' banks take money back, in words, what usually wins, and which evidence says it: by family of reason. The
// codes are the schemes' own; providers without codes say one of Stripe's words, or a sentence.
import type { FileField, TextField } from './evidence.ts';

export const FAMILIES = [
  'fraud',
  'not_received',
  'not_as_described',
  'credit_not_processed',
  'cancelled_recurring',
  'duplicate',
  'processing',
  'other',
] as const;
export type Family = (typeof FAMILIES)[number];

export type FamilyWords = {
  readonly title: string;
  /** What the payer claims. */
  readonly claim: string;
  /** What the merchant has to show, the strongest evidence first. */
  readonly wins: string;
  readonly texts: readonly TextField[];
  readonly files: readonly FileField[];
};

export const FAMILY_WORDS: Readonly<Record<Family, FamilyWords>> = {
  fraud: {
    title: 'Not made by the cardholder',
    claim: 'The cardholder says that another person paid with the card.',
    wins: 'A payment that was authenticated with 3-D Secure usually lies with the bank: say so. Else show that the cardholder took part: the same address, device or account as in earlier payments that were not disputed, proof of delivery or use, and what was written with them.',
    texts: ['customer_purchase_ip', 'access_activity_log', 'uncategorized_text'],
    files: ['customer_communication', 'shipping_documentation', 'uncategorized_file'],
  },
  not_received: {
    title: 'Not received',
    claim: 'The cardholder says that goods or services never came.',
    wins: 'A proof of delivery with carrier, tracking number and the address that was asked for; for a service, the day and what shows that it was used. If the promised day is still to come, say so.',
    texts: [
      'shipping_carrier',
      'shipping_tracking_number',
      'shipping_date',
      'shipping_address',
      'service_date',
      'uncategorized_text',
    ],
    files: ['shipping_documentation', 'service_documentation', 'customer_communication'],
  },
  not_as_described: {
    title: 'Not as described',
    claim: 'The cardholder says that what came was wrong, broken or false.',
    wins: 'The description the cardholder saw, the return policy they agreed to, and that they did not send it back or took a replacement.',
    texts: ['product_description', 'refund_policy_disclosure', 'refund_refusal_explanation', 'uncategorized_text'],
    files: ['refund_policy', 'customer_communication', 'uncategorized_file'],
  },
  credit_not_processed: {
    title: 'Refund not received',
    claim: 'The cardholder says that a refund was promised and did not come.',
    wins: 'The refund with its date and reference, if it was made; else the policy that shows that none was due, and where the cardholder agreed to it.',
    texts: ['refund_policy_disclosure', 'refund_refusal_explanation', 'uncategorized_text'],
    files: ['refund_policy', 'receipt', 'customer_communication'],
  },
  cancelled_recurring: {
    title: 'Subscription was cancelled',
    claim: 'The cardholder says that they had cancelled before this payment.',
    wins: 'The terms of cancelling that the cardholder agreed to, that no cancellation came in time, and that the service was used afterwards.',
    texts: [
      'cancellation_policy_disclosure',
      'cancellation_rebuttal',
      'access_activity_log',
      'service_date',
      'uncategorized_text',
    ],
    files: ['cancellation_policy', 'customer_communication', 'service_documentation'],
  },
  duplicate: {
    title: 'Paid twice',
    claim: 'The cardholder says that one purchase was charged more than once.',
    wins: 'Both payments with what each was for, and the two receipts; if it was one purchase and you refunded one payment, the refund.',
    texts: ['duplicate_charge_id', 'duplicate_charge_explanation', 'uncategorized_text'],
    files: ['duplicate_charge_documentation', 'receipt', 'shipping_documentation'],
  },
  processing: {
    title: 'Wrong in processing',
    claim: 'The bank says that amount, currency, account or authorization was wrong, or that the payment came late.',
    wins: 'The authorization code with amount, currency and time, and the receipt. If it really was wrong, accepting costs the least.',
    texts: ['uncategorized_text', 'product_description'],
    files: ['receipt', 'uncategorized_file'],
  },
  other: {
    title: 'Other reason',
    claim: 'The reason is none that is known here: read it, and ask the provider what the bank wants to see.',
    wins: 'What the payer bought, that they got it, and what was written with them.',
    texts: ['product_description', 'uncategorized_text'],
    files: ['receipt', 'customer_communication', 'uncategorized_file'],
  },
};

/** Visa's by their group, Mastercard's whole, and the words of providers. */
const CODES: readonly (readonly [pattern: RegExp, family: Family])[] = [
  [/^10(?:\.\d+)?$/, 'fraud'],
  [/^(?:4837|4840|4849|4863|4870|4871)$/, 'fraud'],
  [/^(?:fraudulent|unrecognized|UNAUTHORISED)$/i, 'fraud'],
  [/^13\.1$/, 'not_received'],
  [/^(?:product_not_received|MERCHANDISE_OR_SERVICE_NOT_RECEIVED)$/i, 'not_received'],
  [/^13\.2$/, 'cancelled_recurring'],
  [/^(?:4841|subscription_canceled|CANCELED_RECURRING_BILLING)$/i, 'cancelled_recurring'],
  [/^13\.[345]$/, 'not_as_described'],
  [/^(?:product_unacceptable|MERCHANDISE_OR_SERVICE_NOT_AS_DESCRIBED)$/i, 'not_as_described'],
  [/^13\.[67]$/, 'credit_not_processed'],
  [/^(?:4860|credit_not_processed)$/i, 'credit_not_processed'],
  [/^12\.6(?:\.\d)?$/, 'duplicate'],
  [/^(?:duplicate|DUPLICATE_TRANSACTION)$/i, 'duplicate'],
  [/^1[12](?:\.\d+)*$/, 'processing'],
  [/^(?:4808|4812|4831|4834|4842|4846)$/, 'processing'],
  [/^(?:bank_cannot_process|incorrect_account_details|insufficient_funds|INCORRECT_AMOUNT)$/i, 'processing'],
];

/** 4853 stands for several: the sentence beside it says which. */
const SENTENCES: readonly (readonly [pattern: RegExp, family: Family])[] = [
  [/fraud|unauthori[sz]ed|not recogni[sz]e|no cardholder authori[sz]ation/i, 'fraud'],
  [/not (?:been )?received|non[- ]?receipt/i, 'not_received'],
  [/recurring|subscription/i, 'cancelled_recurring'],
  [/credit not|refund not/i, 'credit_not_processed'],
  [/not as described|defective|counterfeit|misrepresent/i, 'not_as_described'],
  [/duplicate|paid by other means/i, 'duplicate'],
  [/late presentment|incorrect|processing/i, 'processing'],
];

/** The family of a dispute, by its code, else by its words; `other` if neither is known. */
export function familyOf({ reason, reason_code }: { readonly reason: string; readonly reason_code: string }): Family {
  const code = reason_code.trim();
  const by_code =
    CODES.find(([pattern]) => pattern.test(code)) ?? CODES.find(([pattern]) => pattern.test(reason.trim()));
  return (by_code ?? SENTENCES.find(([pattern]) => pattern.test(reason)))?.[1] ?? 'other';
}
