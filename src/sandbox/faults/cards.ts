// The card numbers of contract 15.2 and 15.3 that mean something, as data: what the contract says of each, with its codes, and
// how an operation on it differs from a plain one. GET /cards answers the first half of it.
import type { ResultName } from '../../core/results.ts';
import type { Twist } from './fault.ts';

/** What a card decides about one operation that follows its authorization: the first of its kind. */
export type Planned = { readonly operation: 'capture' | 'refund' | 'cancel'; readonly twist: Twist };

export type CardRow = {
  readonly numbers: readonly string[];
  /** What happens, and the results in the order in which they are seen. */
  readonly says: string;
  readonly codes: readonly ResultName[];
  readonly authorize: Twist;
  readonly planned?: Planned;
  /** The other provider takes it plainly. */
  readonly only_at?: string;
};

const APPROVED: readonly ResultName[] = ['authorization_successful', 'capture_successful'];
const LATE: readonly ResultName[] = ['authorization_pending', ...APPROVED];
const DEAD: readonly ResultName[] = ['authorization_pending', 'provider_unreachable'];
const HOUR = 3_600;
const DAY = 24 * HOUR;

type Given = Partial<Pick<CardRow, 'authorize' | 'planned' | 'only_at'>> & { readonly codes?: readonly ResultName[] };

function row(numbers: string, says: string, { codes = APPROVED, authorize = {}, ...rest }: Given = {}): CardRow {
  return { numbers: numbers.split(' '), says, codes, authorize, ...rest };
}

const SOFT: Given = {
  authorize: { ends: 'issuer_soft_decline' },
  codes: ['authorization_pending', 'issuer_soft_decline'],
};

/** 15.2. Issuers that always want to see the payer decline softly: nothing shows an authentication to them yet. */
const WELL_KNOWN: readonly CardRow[] = [
  row(
    '4242424242424242 4111111111111111 4000056655665556 4543474002249996 4658584090000001 4917610000000000',
    'visa, approved',
  ),
  row('5555555555554444 5454545454545454 2223003122003222 2223000010479399', 'mastercard, approved'),
  row('5200828282828210 5105105105105100 5436031030606378 5199992312641465', 'mastercard, approved'),
  row('378282246310005 371449635398431 345678901234564', 'amex, approved'),
  row('30123456789019 30569309025904 36227206271667 3056930009020004', 'diners, approved'),
  row('6011111111111117 6011000990139424', 'discover, approved'),
  row('3530111333300000 3566002020360505', 'jcb, approved'),
  row('6200000000000005 6205500000000000004', 'unionpay, approved'),
  row('6759649826438453', 'maestro, approved'),
  row('6703444444444449', 'bancontact, approved'),
  row('4000002500001001 4035501000000008', 'visa and cb, approved'),
  row('5555552500001001', 'mastercard and cb, approved'),
  row('4242424242424241', 'fails Luhn: refused before it becomes a token', { codes: ['card_number_invalid'] }),
  declined('4000000000000002', 'declined by the issuer', 'issuer_declined'),
  declined('4000000000000341', 'tokenizes, every order on it is declined', 'issuer_declined'),
  declined('4000000000009995', 'not enough funds', 'funds_insufficient'),
  declined('4000000000006975', 'limit reached', 'limit_reached'),
  declined('4000000000009987', 'lost', 'card_lost'),
  declined('4000000000009979', 'stolen', 'card_stolen'),
  declined('4000000000000069', 'expired, says the issuer', 'card_expired'),
  declined('4000000000000127', 'wrong cvc, says the issuer', 'card_data_invalid'),
  declined('4000000000000119', 'the provider cannot process; the same at simulator_b', 'provider_unreachable'),
  // Our own risk rules refuse this one before any call; where they are switched off, the provider's do.
  declined('4100000000000019', 'blocked by risk', 'risk_refused'),
  row('4000000000004954', 'approved, suspicious, risk score 95', { authorize: { risk_score: 95 } }),
  row('4000000000009235', 'approved, suspicious, risk score 65', { authorize: { risk_score: 65 } }),
  row('4000002760003184 4000000000003220', 'challenge always; without authentication a soft decline', SOFT),
  row('4000002500003155', 'the same; a recurring token that authenticated once passes afterwards', SOFT),
  row('4000000000003055', 'frictionless at any amount'),
  row('4000008260003178', 'challenge, then not enough funds', { ...SOFT, codes: ['funds_insufficient'] }),
  row('4000008400001629', 'challenge, then declined', { ...SOFT, codes: ['issuer_declined'] }),
  row('4000008400001280', 'authentication wanted, the directory fails', { codes: ['acs_unreachable'] }),
  row('5300000000000006', 'frictionless when browser data were sent, else a challenge', {
    codes: ['authorization_pending'],
  }),
  row('4000000000000259', 'approved; a dispute is opened one day after capture', {
    codes: ['capture_successful'],
    planned: captured({ after_s: DAY, does: 'dispute_opened' }),
  }),
  row('4000000000007726', 'refund pending, done after 1 h', {
    codes: ['refund_pending', 'refund_successful'],
    planned: { operation: 'refund', twist: { fault: 'pending', seconds: HOUR } },
  }),
  row('4000000000005126', 'refund done, bounces after 1 h', {
    codes: ['refund_successful', 'refund_declined'],
    planned: { operation: 'refund', twist: fails(HOUR, 'refund_declined') },
  }),
];

/** 15.3. */
const SCENARIOS: readonly CardRow[] = [
  row('4000009901000011', 'authorization times out, was taken, told 60 s late', {
    codes: LATE,
    authorize: { fault: 'timeout_taken', afterwards: [{ after_s: 60, does: 'tell' }] },
  }),
  row('4000009901000029', 'times out, not taken', { codes: DEAD, authorize: { fault: 'timeout_not_taken' } }),
  row('4000009901000052', 'simulator refuses connections, simulator_b approves', {
    authorize: { fault: 'refuse_connection' },
    only_at: 'simulator',
  }),
  row('4000009901000045', 'closes mid-response, taken', { codes: LATE, authorize: { fault: 'close_mid_response' } }),
  row('4000009901000060', 'answers 500 after taking', { codes: LATE, authorize: { fault: 'http_500_after' } }),
  row('4000009901000078', 'answers garbage, not taken', { codes: DEAD, authorize: { fault: 'garbage' } }),
  row('4000009901000086', 'answers with another amount; reversed', {
    codes: DEAD,
    authorize: { fault: 'wrong_amount' },
  }),
  row('4000009901000037', 'answers twice', { authorize: { fault: 'answer_twice' } }),
  row('4000009901000094', 'its message comes before its answer', { authorize: { fault: 'callback_first' } }),
  row('4000009901000102', 'its messages come twice and out of order', { authorize: { fault: 'callback_twice' } }),
  row('4000009901000110', 'pending, approved after 60 s', {
    codes: LATE,
    authorize: { fault: 'pending', seconds: 60 },
  }),
  row('4000009901000128', 'pending, declined after 60 s', {
    codes: ['authorization_pending', 'issuer_declined'],
    authorize: { fault: 'pending', seconds: 60, ends: 'issuer_declined' },
  }),
  row('4000009901000136', 'commits only after our reversal; reversed again', {
    codes: DEAD,
    authorize: { fault: 'late_commit', after_reversal: true },
  }),
  follows('4000009902000010', 'capture declined', ['acquirer_capture_declined'], 'capture', {
    ends: 'acquirer_capture_declined',
  }),
  follows('4000009902000028', 'capture answer lost, taken', ['capture_pending', 'capture_successful'], 'capture', {
    fault: 'timeout_taken',
  }),
  follows(
    '4000009902000036',
    'capture pending, done after 1 day',
    ['capture_pending', 'capture_successful'],
    'capture',
    {
      fault: 'pending',
      seconds: DAY,
    },
  ),
  follows(
    '4000009902000044',
    'capture done, fails after 1 day',
    ['capture_successful', 'capture_declined'],
    'capture',
    fails(DAY, 'capture_declined'),
  ),
  row('4000009902000051', 'the authorization lapses after 1 h', {
    codes: ['authorization_successful', 'capture_after_lapse', 'cancel_after_lapse'],
    authorize: { afterwards: [{ after_s: HOUR, does: 'lapse' }] },
  }),
  follows('4000009903000019', 'refund declined', ['acquirer_refund_declined'], 'refund', {
    ends: 'acquirer_refund_declined',
  }),
  follows(
    '4000009903000027',
    'refund done, fails two days later',
    ['refund_successful', 'refund_declined'],
    'refund',
    fails(2 * DAY, 'refund_declined'),
  ),
  follows('4000009903000035', 'refund answer lost, taken', ['refund_pending', 'refund_successful'], 'refund', {
    fault: 'timeout_taken',
  }),
  follows('4000009903000043', 'refund pending, done after 1 day', ['refund_pending', 'refund_successful'], 'refund', {
    fault: 'pending',
    seconds: DAY,
  }),
  follows('4000009904000018', 'cancel declined', ['acquirer_cancel_declined'], 'cancel', {
    ends: 'acquirer_cancel_declined',
  }),
  follows('4000009904000026', 'cancel answer lost, done', ['cancel_pending', 'cancel_successful'], 'cancel', {
    fault: 'timeout_taken',
  }),
  row('4000009906000016', 'dispute 40 days after capture, lost 30 days later', {
    codes: ['capture_successful'],
    planned: captured({ after_s: 40 * DAY, does: 'dispute_opened' }, { after_s: 70 * DAY, does: 'dispute_lost' }),
  }),
  row('4000009906000024', 'dispute 40 days after capture, won 30 days later', {
    codes: ['capture_successful'],
    planned: captured({ after_s: 40 * DAY, does: 'dispute_opened' }, { after_s: 70 * DAY, does: 'dispute_won' }),
  }),
  row('4000009907000015', 'not enrolled: ask is approved, force is declined', {
    codes: [...APPROVED, 'card_not_enrolled'],
  }),
  row('4000009907000049', 'authentication unavailable: ask is approved, force is declined', {
    codes: [...APPROVED, 'acs_unreachable'],
  }),
  row('4000009907000023', 'the challenge page never answers', { codes: ['authentication_timed_out'] }),
  row('4000009907000031', 'frictionless, attempted'),
];

export const CARDS: readonly CardRow[] = [...WELL_KNOWN, ...SCENARIOS];

function declined(number: string, says: string, ends: NonNullable<Twist['ends']>): CardRow {
  return row(number, says, { codes: [ends], authorize: { ends } });
}

function follows(
  ...[number, says, codes, operation, twist]: [string, string, ResultName[], Planned['operation'], Twist]
): CardRow {
  return row(number, says, { codes, planned: { operation, twist } });
}

function captured(...afterwards: NonNullable<Twist['afterwards']>): Planned {
  return { operation: 'capture', twist: { afterwards } };
}

function fails(after_s: number, ends: NonNullable<Twist['ends']>): Twist {
  return { afterwards: [{ after_s, does: 'fail', ends }] };
}
