// The messages to an acquirer of ISO 8583, as data. Places are those of the line's wire: field numbers, and names
// within a field.
import type { LineStep } from '../contract.ts';

/** The terminal and its merchant, in every message. */
const TERMINAL = {
  '/32': 'secret.acquirer_id',
  '/41': 'secret.terminal_id',
  '/42': 'secret.merchant_id',
} as const;

const CARD = {
  '/2': 'card.number',
  '/14/month': 'card.expiry_month',
  '/14/year': 'card.expiry_year',
  '/48/security_code': 'card.cvc?',
  '/48/token_cryptogram': 'card.cryptogram?',
  '/48/token_eci': 'card.eci?',
} as const;

/** In front of the message that is followed. */
const ORIGINAL = { '/90/acquirer': 'secret.acquirer_id' } as const;

const LINE = { host: 'acquirer', line: 'iso8583', references: ['37'], effect: 'money' } as const;

export const STEPS = {
  authorize: { ...LINE, slots: { ...CARD, ...TERMINAL }, again: 'never' },
  sale: { ...LINE, slots: { ...CARD, ...TERMINAL }, again: 'never' },
  capture: { ...LINE, slots: { ...TERMINAL, ...ORIGINAL }, again: 'same_key' },
  refund: { ...LINE, slots: TERMINAL, again: 'same_key' },
  cancel: { ...LINE, slots: { ...TERMINAL, ...ORIGINAL }, again: 'same_key' },
  reversal: { ...LINE, slots: { ...TERMINAL, ...ORIGINAL }, again: 'same_key' },
} as const satisfies Readonly<Record<string, LineStep>>;

export type StepName = keyof typeof STEPS;

export function isStepName(name: string): name is StepName {
  return Object.hasOwn(STEPS, name);
}
