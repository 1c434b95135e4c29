// Stripe, API version 2023-08-16: bodies are forms, the first step makes an empty intent (the shell), an authorization
// is captured once, and Stripe can be asked about everything.
//
// | operation | steps                                                | what it means                                  |
// |-----------|------------------------------------------------------|------------------------------------------------|
// | authorize | shell → card (through the vault) → confirm (→ look)  | we know the intent's id before money can move; |
// |           |                                                      | `look` is sent once the payer came back        |
// |           | shell → token (through the vault) → confirm (→ look) | a payment method that Stripe keeps             |
// | capture   | capture                                              | once; Stripe releases the rest                 |
// | refund    | refund                                               | of the intent; done at once, or pending until  |
// |           |                                                      | a message                                      |
// | cancel    | cancel                                               | refused if the intent is captured              |
// | reversal  | cancel (→ undo)                                      | a cancelled shell refuses a later              |
// |           |                                                      | confirmation; if the intent is captured, all   |
// |           |                                                      | of it is refunded                              |
// | inquiry   | look, refund_by_id or refunds                        | moves nothing, as often as needed              |
//
// A message about an intent only makes us look, so the order of messages does not matter. Messages about refunds and
// disputes say themselves what happened.
import { type Capabilities, type Credential, STILL_SENT_S } from '../capabilities.ts';
import { type Facts, type Kept, type Provider, VALUE, type Written } from '../contract.ts';
import { bodyOf } from './bodies.ts';
import { books } from './books.ts';
import { disputing } from './disputing.ts';
import { open } from './messages.ts';
import { read } from './read.ts';
import { settlement } from './settlement.ts';
import { STEPS, type StepName } from './steps.ts';
import { intentOf } from './words.ts';

const CAN: Capabilities = {
  captures: 'one',
  rest_after_last_capture: 'released',
  ends: { capture: 'answer', refund: 'either', cancel: 'answer', reversal: 'either' },
  inquiry: ['authorize', 'capture', 'refund', 'cancel', 'reversal'],
  reversal: 'by_shell',
  sale: 'one_call',
  key_kept_h: 24,
  three_ds: ['redirect'],
  scheme_choice: true,
  exemptions: false,
  psp_token: true,
  network_token: false,
  traces: false,
  answer_deadline_s: 30,
  in_flight_s: STILL_SENT_S + 30,
  notice_wait_s: 0,
};

const CREDENTIALS: readonly Credential[] = [
  {
    name: 'secret_key',
    required: true,
    use: 'send',
    help: 'Secret or restricted key, sk_… or rk_…. Stripe must have allowed its account to send card numbers.',
  },
  {
    name: 'webhook_secret',
    required: false,
    use: 'check',
    help: 'Signing secret, whsec_…, of the webhook endpoint that points here.',
  },
];

export const stripe: Provider = {
  name: 'stripe',
  table: 'stripe',
  display_name: 'Stripe',
  steps: STEPS,
  can: CAN,
  credentials: CREDENTIALS,
  first,
  write: (step, facts, kept) => (isStep(step) ? write(step, facts, kept) : undefined),
  read: (step, answer, facts, kept) =>
    isStep(step) ? read(step, answer, { facts, kept }) : { kind: 'unknown', why: 'unreadable' },
  notices: { open, headers: ['stripe-signature'], accepted: { status: 200, body: '{"received":true}' } },
  books,
  settlement,
  disputing,
  disputes_at: 'Stripe Dashboard, Payments, Disputes',
};

const isStep = (name: string): name is StepName => Object.hasOwn(STEPS, name) && !name.startsWith('dispute');

function first(facts: Facts): StepName | undefined {
  const { kind, about } = facts;
  if (kind === 'authorize') return 'shell';
  // an authorization without a shell cannot be asked about, and there is nothing to undo
  if (intentOf({ facts, kept: {} }) === '') return undefined;
  if (kind === 'reversal') return 'cancel';
  if (kind !== 'inquiry') return kind;
  if (about?.kind === 'refund') return about.reference === null ? 'refunds' : 'refund_by_id';
  return about?.kind === 'reversal' && about.kept['undo'] !== undefined ? 'refunds' : 'look';
}

function write(step: StepName, facts: Facts, kept: Kept): Written | undefined {
  const intent = intentOf({ facts, kept });
  const { path } = STEPS[step];
  const values: Record<string, string> = {};
  if (path.includes('{intent}') || step === 'refunds') values['intent'] = intent;
  if (path.includes('{refund}')) values['refund'] = facts.about?.reference ?? '';
  if (!Object.values(values).every((value) => VALUE.test(value))) return undefined;
  const body = bodyOf(step, facts, { intent, payment_method: kept['payment_method'] ?? '' });
  return body && { values, body };
}
