// The sandbox's card numbers (contract 15.2, 15.3), as data: what each is for and how it ends. The one table of them:
// the vault refuses all of them in production and says in a sandbox when a number is none of them; GET /sandbox/cards
// answers it; how the simulated provider acts on them is src/sandbox/faults/cards.ts.
import { RESULTS, type ResultName, type ResultRow, findResult } from '../results.ts';

export type SandboxCard = {
  readonly numbers: readonly string[];
  readonly outcome: string;
  /**
   * The results in the order of events; both, if authorize and direct_capture end differently. Empty: the number is no
   * card.
   */
  readonly results: readonly ResultName[];
};

const row = (numbers: string, outcome: string, ...results: ResultName[]): SandboxCard => ({
  numbers: numbers.split(' '),
  outcome,
  results,
});

const PAID = ['authorization_successful', 'capture_successful'] as const;

/** 15.2, but for the number that fails Luhn. */
export const WELL_KNOWN_CARDS: readonly SandboxCard[] = [
  row(
    '4242424242424242 4111111111111111 4000056655665556 4543474002249996 4658584090000001 4917610000000000',
    'approved (visa)',
    ...PAID,
  ),
  row(
    '5555555555554444 5454545454545454 2223003122003222 2223000010479399 5200828282828210 5105105105105100 5436031030606378 5199992312641465',
    'approved (mastercard)',
    ...PAID,
  ),
  row('378282246310005 371449635398431 345678901234564', 'approved (amex)', ...PAID),
  row('30123456789019 30569309025904 36227206271667 3056930009020004', 'approved (diners)', ...PAID),
  row('6011111111111117 6011000990139424', 'approved (discover)', ...PAID),
  row('3530111333300000 3566002020360505', 'approved (jcb)', ...PAID),
  row('6200000000000005 6205500000000000004', 'approved (unionpay)', ...PAID),
  row('6759649826438453', 'approved (maestro)', ...PAID),
  row('6703444444444449', 'approved (bancontact)', ...PAID),
  row('4000002500001001 4035501000000008', 'approved, co-badged (visa and cb)', ...PAID),
  row('5555552500001001', 'approved, co-badged (mastercard and cb)', ...PAID),
  row('4000000000000002', 'declined by issuer', 'issuer_declined'),
  row('4000000000000341', 'tokenizes, every order declined', 'issuer_declined'),
  row('4000000000009995', 'not enough funds', 'funds_insufficient'),
  row('4000000000006975', 'limit reached', 'limit_reached'),
  row('4000000000009987', 'lost', 'card_lost'),
  row('4000000000009979', 'stolen', 'card_stolen'),
  row('4000000000000069', 'expired, says the issuer', 'card_expired'),
  row('4000000000000127', 'wrong security code, says the issuer', 'card_data_invalid'),
  row('4000000000000119', 'provider cannot process; cascades, same at simulator_b', 'provider_unreachable'),
  row('4100000000000019', 'blocked by risk', 'risk_refused'),
  row('4000000000004954', 'approved, is_suspicious, risk score 95', ...PAID),
  row('4000000000009235', 'approved, is_suspicious, risk score 65', ...PAID),
  row(
    '4000002760003184 4000000000003220',
    'challenge always under ask_3ds and force_3ds; under no_3ds soft decline, then challenge',
    'authorization_pending',
    'issuer_soft_decline',
  ),
  row(
    '4000002500003155',
    'as before, but a recurring token that authenticated once passes afterwards',
    'authorization_pending',
    'issuer_soft_decline',
  ),
  row('4000000000003055', 'frictionless at any amount', ...PAID),
  row('4000008260003178', 'challenge, then not enough funds', 'funds_insufficient'),
  row('4000008400001629', 'challenge, then declined', 'issuer_declined'),
  row('4000008400001280', 'authentication wanted, directory fails', 'acs_unreachable'),
  row('5300000000000006', 'frictionless when browser data were sent, else challenge', 'authorization_pending'),
  row('4000000000000259', 'approved; dispute.opened one day after capture', 'capture_successful'),
  row('4000000000007726', 'every refund pending, done after 1 h', 'refund_pending', 'refund_successful'),
  row('4000000000005126', 'refund done, bounces after 1 h', 'refund_successful', 'refund_declined'),
];

const LATE = ['authorization_pending', ...PAID] as const;
const DEAD = ['authorization_pending', 'provider_unreachable'] as const;

/** 15.3, but for the code numbers. "Taken": the simulated provider holds the money. */
export const SCENARIO_CARDS: readonly SandboxCard[] = [
  row('4000009901000011', 'authorization times out, was taken, approved late (60 s)', ...LATE),
  row('4000009901000029', 'times out, not taken; found dead by inquiry and reversal', ...DEAD),
  row('4000009901000052', 'simulator refuses connections; simulator_b approves', ...PAID, 'provider_unreachable'),
  row('4000009901000045', 'closes mid-response, taken', ...LATE),
  row('4000009901000060', 'answers 500 after taking', ...LATE),
  row('4000009901000078', 'answers garbage, not taken', ...DEAD),
  row('4000009901000086', 'answers with another amount; in doubt, reversed', ...DEAD),
  row('4000009901000037', 'provider answers twice; one effect', ...PAID),
  row('4000009901000094', "the provider's message comes before its answer; one effect", ...PAID),
  row('4000009901000102', "the provider's messages come twice and out of order; one effect", ...PAID),
  row('4000009901000110', 'pending, then approved after 60 s', ...LATE),
  row('4000009901000128', 'pending, then declined after 60 s', 'authorization_pending', 'issuer_declined'),
  row('4000009901000136', 'commits only after our reversal; reversed again', ...DEAD),
  row('4000009902000010', 'capture declined', 'acquirer_capture_declined'),
  row('4000009902000028', 'capture answer lost, taken', 'capture_pending', 'capture_successful'),
  row('4000009902000036', 'capture pending, done after 1 day', 'capture_pending', 'capture_successful'),
  row('4000009902000044', 'capture done, fails after 1 day', 'capture_successful', 'capture_declined'),
  row(
    '4000009902000051',
    'authorization lapses after 1 h',
    ...(['authorization_successful', 'capture_after_lapse', 'cancel_after_lapse'] as const),
  ),
  row('4000009903000019', 'refund declined', 'acquirer_refund_declined'),
  row('4000009903000027', 'refund done, fails two days later', 'refund_successful', 'refund_declined'),
  row('4000009903000035', 'refund answer lost, taken', 'refund_pending', 'refund_successful'),
  row('4000009903000043', 'refund pending, done after 1 day', 'refund_pending', 'refund_successful'),
  row('4000009904000018', 'cancel declined', 'acquirer_cancel_declined'),
  row('4000009904000026', 'cancel answer lost, done', 'cancel_pending', 'cancel_successful'),
  row('4000009906000016', 'chargeback 40 days after capture, lost', 'capture_successful'),
  row('4000009906000024', 'chargeback 40 days after capture, won 30 days later', 'capture_successful'),
  row('4000009907000015', 'not enrolled; under force_3ds refused', ...PAID, 'card_not_enrolled'),
  row('4000009907000049', 'authentication unavailable; under force_3ds refused', ...PAID, 'acs_unreachable'),
  row('4000009907000023', 'challenge page never answers', 'authentication_timed_out'),
  row('4000009907000031', 'frictionless, result attempted', ...PAID),
  row('4000009908000014', "declined, Visa's code 46: never again with this card", 'issuer_declined'),
  row('5300000000000105', 'not enough funds, advice 25: wait a day; then approved', 'funds_insufficient', ...PAID),
  row('4000009908000022', 'declined at simulator, 05; simulator_b approves', 'issuer_declined', ...PAID),
  row('4000009908000048', 'not enough funds; approved from the third day on', 'funds_insufficient', ...PAID),
  row('5300000000000204', 'declined, advice 03: do not try again', 'issuer_declined'),
  row(
    '4000009908000030',
    'not allowed, code 57; the second try of the order is approved',
    'operation_not_allowed',
    ...PAID,
  ),
];

/** 15.2 lists it too: it is refused everywhere before it becomes a token, so no provider has it. */
export const MISTYPED_CARD = row(
  '4242424242424241',
  'fails Luhn: refused before it becomes a token',
  'card_number_invalid',
);

const OWN_RANGE = '40000099';
const ZERO = 0x30;

/**
 * Listed numbers by length and last digits, so that few are compared; as bytes, because what they are compared with is
 * bytes.
 */
const LISTED = new Map<string, Uint8Array[]>();
for (const number of [...WELL_KNOWN_CARDS, ...SCENARIO_CARDS].flatMap(({ numbers }) => numbers)) {
  const place = `${number.length} ${number.slice(-4)}`;
  const digits = Uint8Array.from(number, (digit) => digit.charCodeAt(0));
  LISTED.set(place, [...(LISTED.get(place) ?? []), digits]);
}

/**
 * Where a number (ASCII digits) belongs. `listed`: in one of the tables above, or a code number of 15.3. `own_range`:
 * in the range that only the sandbox uses. `unlisted`: neither.
 */
export function sandboxCard(digits: Uint8Array): 'listed' | 'own_range' | 'unlisted' {
  const last4 = textOf(digits.subarray(digits.length - 4));
  const alike = LISTED.get(`${digits.length} ${last4}`) ?? [];
  if (alike.some((known) => known.every((digit, i) => digit === digits[i]))) return 'listed';
  if (digits.length !== 16 || textOf(digits.subarray(0, 8)) !== OWN_RANGE) return 'unlisted';
  return isCodeNumber(digits) ? 'listed' : 'own_range';
}

/**
 * Numbers that our own risk assessment decides on: the well-known one, and the code numbers of kind risk. Their result.
 */
const RISKY = new Map<string, ResultName>([
  ...WELL_KNOWN_CARDS.filter(({ results }) => kindOf(results[0]) === 'risk').flatMap(({ numbers, results }) =>
    numbers.map((number) => [number, results[0] ?? 'risk_refused'] as const),
  ),
  ...RESULTS.filter(({ kind }) => kind === 'risk').map(
    ({ code, name }) => [withCheckDigit(`${OWN_RANGE}9${code}`), name] as const,
  ),
]);

/** Could a card of these digits be one of them? Few others are: their number has to be looked at. */
export function mayBeRisky({ first6, last4 }: { readonly first6: string; readonly last4: string }): boolean {
  return RISKY_ENDS.has(`${first6} ${last4}`);
}

const RISKY_ENDS = new Set([...RISKY.keys()].map((number) => `${number.slice(0, 6)} ${number.slice(-4)}`));

/** The result that the risk rules give to this number (ASCII digits); undefined: none. */
export function sandboxRisk(digits: Uint8Array): ResultName | undefined {
  const found = [...RISKY].find(
    ([number]) => number.length === digits.length && digits.every((digit, i) => digit === number.charCodeAt(i)),
  );
  return found?.[1];
}

function kindOf(name: ResultName | undefined): string | undefined {
  return RESULTS.find((known) => known.name === name)?.kind;
}

/** The digit that makes it pass Luhn. */
function withCheckDigit(digits: string): string {
  const sum = [...digits].toReversed().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/**
 * The number that makes a payment end with a code (15.3). Undefined: none does; it is pending, a rule of our own that
 * is checked before any provider is asked, or the end of something else.
 */
export function codeNumber({ code, name, phase, kind, http }: ResultRow): string | undefined {
  const later = phase === 'capture' || phase === 'refund' || phase === 'cancel';
  const own = kind === 'technical' && (later || phase === 'order' || phase === 'none');
  const fits = /^[1-7]/.test(code) && !own && !name.endsWith('_pending') && name !== 'payer_left_order';
  return fits && http.length > 0 ? withCheckDigit(`${OWN_RANGE}9${code}`) : undefined;
}

/** `40000099`, `9`, a code of phase 1 to 7 that is not pending, the Luhn digit. */
function isCodeNumber(digits: Uint8Array): boolean {
  if (digits[8] !== ZERO + 9) return false;
  const code = findResult(textOf(digits.subarray(9, 15)));
  return code !== undefined && /^[1-7]/.test(code.code) && !code.name.endsWith('_pending');
}

function textOf(digits: Uint8Array): string {
  return String.fromCharCode(...digits);
}
