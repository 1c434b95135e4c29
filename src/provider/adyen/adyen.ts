// Adyen: one call holds, everything after it is answered by a message only, and nothing can be asked. The table is in
// steps.ts.
//
// A sale is a hold and a capture of ours: were it captured by Adyen at once, a lost answer could not be undone by
// reference. Our reference is `order-operation`, so whatever comes back names the order, too.
import { type Capabilities, type Credential, STILL_SENT_S } from '../capabilities.ts';
import type { Facts, Kept, Provider, Written } from '../contract.ts';
import { VALUE } from '../contract.ts';
import { disputing } from './disputing.ts';
import { moneyText } from './exponents.ts';
import { open } from './messages.ts';
import { paymentOf } from './payment.ts';
import { read } from './read.ts';
import { referenceOf } from './reference.ts';
import { settlement } from './settlement.ts';
import { STEPS, type StepName } from './steps.ts';
import { templateOf } from './template.ts';

const CAN: Capabilities = {
  // as accounts are set up that capture in parts; one that is not refuses the second capture by its message
  captures: 'many',
  rest_after_last_capture: 'stays',
  ends: { capture: 'notice', refund: 'notice', cancel: 'notice', reversal: 'notice' },
  inquiry: [],
  reversal: 'by_own_reference',
  sale: 'hold_then_capture',
  key_kept_h: 168,
  three_ds: ['redirect', 'data'],
  scheme_choice: true,
  exemptions: true,
  psp_token: true,
  network_token: true,
  traces: false,
  answer_deadline_s: 30,
  in_flight_s: STILL_SENT_S + 30,
  notice_wait_s: 120,
};

const CREDENTIALS: readonly Credential[] = [
  {
    name: 'api_key',
    required: true,
    use: 'send',
    help: 'API key of a web service user that may send card numbers, and manage disputes.',
  },
  {
    name: 'merchant_account',
    required: true,
    use: 'send',
    owner: true,
    help: 'Name of the merchant account. Messages about another one are refused. What began under an earlier one goes on under it.',
  },
  {
    name: 'hmac_key',
    required: true,
    use: 'check',
    help: 'HMAC key of the standard webhook of this account, 64 hex characters. Without messages no capture, refund or cancellation ends.',
  },
];

export const adyen: Provider = {
  name: 'adyen',
  table: 'adyen',
  display_name: 'Adyen',
  disputes_at: 'Customer Area of Adyen, Revenue and risk, Disputes',
  steps: STEPS,
  can: CAN,
  credentials: CREDENTIALS,
  first,
  write: (step, facts, kept) => (isStep(step) ? write(step, facts, kept) : undefined),
  read: (step, answer, facts) => (isStep(step) ? read(step, answer, facts) : { kind: 'unknown', why: 'unreadable' }),
  notices: { open, headers: [], accepted: { status: 200, body: '[accepted]' } },
  settlement,
  disputing,
};

const isStep = (step: string): step is StepName => Object.hasOwn(STEPS, step) && !step.startsWith('dispute');

function first({ kind, with_capture, psp_token, network_token, ...facts }: Facts): StepName | undefined {
  switch (kind) {
    case 'authorize':
      if (with_capture) return undefined;
      return psp_token === true ? 'payments_token' : network_token === true ? 'payments_network_token' : 'payments';
    case 'capture':
    case 'refund':
    case 'cancel':
      return facts.authorization_reference === null ? undefined : `${kind}s`;
    case 'reversal':
      return facts.about?.kind === 'authorize' ? 'cancel_by_reference' : undefined;
    case 'inquiry':
      return undefined;
  }
}

function write(step: StepName, facts: Facts, kept: Kept): Written | undefined {
  const reference = referenceOf(facts, facts.operation_id);
  const payment = facts.authorization_reference ?? '';
  switch (step) {
    case 'payments':
    case 'payments_network_token':
    case 'payments_token':
      return withMoney(step, facts, { values: {}, members: paymentOf(step, facts, reference) });
    case 'details': {
      const redirectResult = kept['back.redirectResult'] ?? '';
      return redirectResult === ''
        ? undefined
        : { values: {}, body: templateOf(step, { details: { redirectResult } }) };
    }
    case 'captures':
      return withMoney(step, facts, { values: { payment }, members: { reference } });
    case 'refunds': {
      const merchantRefundReason = facts.refund_reason && REASONS[facts.refund_reason];
      const members = { reference, ...(merchantRefundReason && { merchantRefundReason }) };
      return withMoney(step, facts, { values: { payment }, members });
    }
    case 'cancels':
      return VALUE.test(payment) ? { values: { payment }, body: templateOf(step, { reference }) } : undefined;
    case 'cancel_by_reference': {
      const { about } = facts;
      if (about === undefined) return undefined;
      const paymentReference = referenceOf(facts, about.operation_id);
      return { values: {}, body: templateOf(step, { paymentReference, reference }) };
    }
  }
}

const REASONS = {
  requested_by_customer: 'CUSTOMER REQUEST',
  fraudulent: 'FRAUD',
  duplicate: 'DUPLICATE',
  other: 'OTHER',
} as const;

type Saying = { readonly values: Written['values']; readonly members: Readonly<Record<string, unknown>> };

function withMoney(step: StepName, facts: Facts, { values, members }: Saying): Written | undefined {
  const money = moneyText(facts);
  if (money === undefined || !Object.values(values).every((value) => VALUE.test(value))) return undefined;
  return { values, body: templateOf(step, members, money) };
}
