// What a card number means to the simulated provider (contract 15.2 and 15.3), as data. Asked once, while the request is
// read: the books keep what was decided, never the number.
import { luhn } from '../core/card.ts';
import { findResult, type ResultName, type ResultRow } from '../core/results.ts';

export type BookedOperation = 'authorize' | 'capture' | 'refund' | 'cancel';

/**
 * How an operation on a card ends. Scenario numbers (15.3) and armed faults (15.4) become further members here: what
 * happens to the answer on its way, and when the truth comes.
 */
export type Behaviour = {
  readonly ends: ResultName;
  /** The provider's own opinion, 0 to 100, given with an approval. */
  readonly risk_score?: number;
};

/** The same number and operation behave the same, always. For capture, refund, cancel: the first one of the payment. */
export function behaviourOf(number: string, operation: BookedOperation): Behaviour {
  if (operation === 'authorize' && !isCardNumber(number)) return INVALID;
  const code = CODE_NUMBER.exec(number)?.[1];
  if (code !== undefined) return ofCode(findResult(code), operation);
  return (operation === 'authorize' ? AUTHORIZATIONS.get(number) : undefined) ?? PLAIN[operation];
}

/** How an operation ends when nothing is said about it. */
export const PLAIN: Readonly<Record<BookedOperation, Behaviour>> = {
  authorize: { ends: 'authorization_successful' },
  capture: { ends: 'capture_successful' },
  refund: { ends: 'refund_successful' },
  cancel: { ends: 'cancel_successful' },
};

const INVALID: Behaviour = { ends: 'card_number_invalid' };
const SOFT_DECLINE: Behaviour = { ends: 'issuer_soft_decline' };

/** The well-known numbers of 15.2 that the provider knows, and how an authorization on each ends. */
const WELL_KNOWN: readonly { readonly numbers: readonly string[]; readonly authorize: Behaviour }[] = [
  // visa
  row(PLAIN.authorize, '4242424242424242', '4111111111111111', '4000056655665556', '4543474002249996'),
  row(PLAIN.authorize, '4658584090000001', '4917610000000000'),
  // mastercard
  row(PLAIN.authorize, '5555555555554444', '5454545454545454', '2223003122003222', '2223000010479399'),
  row(PLAIN.authorize, '5200828282828210', '5105105105105100', '5436031030606378', '5199992312641465'),
  // amex, diners, discover
  row(PLAIN.authorize, '378282246310005', '371449635398431', '345678901234564'),
  row(PLAIN.authorize, '30123456789019', '30569309025904', '36227206271667', '3056930009020004'),
  row(PLAIN.authorize, '6011111111111117', '6011000990139424'),
  // jcb, unionpay, maestro, bancontact
  row(PLAIN.authorize, '3530111333300000', '3566002020360505', '6200000000000005', '6205500000000000004'),
  row(PLAIN.authorize, '6759649826438453', '6703444444444449'),
  // visa and mastercard that are cb cards too
  row(PLAIN.authorize, '4000002500001001', '4035501000000008', '5555552500001001'),
  // 4000000000000341 tokenizes; every order on it is declined
  row({ ends: 'issuer_declined' }, '4000000000000002', '4000000000000341'),
  row({ ends: 'funds_insufficient' }, '4000000000009995'),
  row({ ends: 'limit_reached' }, '4000000000006975'),
  row({ ends: 'card_lost' }, '4000000000009987'),
  row({ ends: 'card_stolen' }, '4000000000009979'),
  row({ ends: 'card_expired' }, '4000000000000069'),
  row({ ends: 'card_data_invalid' }, '4000000000000127'),
  row({ ends: 'provider_unreachable' }, '4000000000000119'),
  // Our own risk rules refuse this one before any call; where they are switched off, the provider's do.
  row({ ends: 'risk_refused' }, '4100000000000019'),
  row({ ends: 'authorization_successful', risk_score: 95 }, '4000000000004954'),
  row({ ends: 'authorization_successful', risk_score: 65 }, '4000000000009235'),
  // Issuers that always want to see the payer: nothing shows an authentication to them yet.
  row(SOFT_DECLINE, '4000002760003184', '4000000000003220', '4000002500003155', '4000008260003178', '4000008400001629'),
  // What is special about these comes before the authorization or long after it.
  row(PLAIN.authorize, '4000000000003055', '4000008400001280', '5300000000000006'),
  row(PLAIN.authorize, '4000000000000259', '4000000000007726', '4000000000005126'),
];

const AUTHORIZATIONS: ReadonlyMap<string, Behaviour> = new Map(
  WELL_KNOWN.flatMap(({ numbers, authorize }) => numbers.map((number) => [number, authorize] as const)),
);

/** 40000099, 9, the code, the Luhn digit. */
const CODE_NUMBER = /^400000999(\d{6})\d$/;

function row(authorize: Behaviour, ...numbers: string[]) {
  return { numbers, authorize };
}

function isCardNumber(number: string): boolean {
  return number.length >= 14 && number.length <= 19 && luhn(Buffer.from(number, 'latin1'));
}

/** 15.3: 2xxxxx and 4xxxxx end the authorization, 5, 6, 7 the first capture, refund, cancel; a code that fits no row is no card. */
function ofCode(code: ResultRow | undefined, operation: BookedOperation): Behaviour {
  const phase = code === undefined || code.name.endsWith('_pending') ? undefined : code.phase;
  if (code === undefined || phase === undefined) return operation === 'authorize' ? INVALID : PLAIN[operation];
  if (phase === 'tokenization' || phase === 'authorization') {
    return operation === 'authorize' ? { ends: code.name } : PLAIN[operation];
  }
  if (phase === 'capture' || phase === 'refund' || phase === 'cancel') {
    // Technical ones are our own rules: refused before a provider is asked, so no provider answers with them.
    if (code.kind === 'technical') return operation === 'authorize' ? INVALID : PLAIN[operation];
    return operation === phase ? { ends: code.name } : PLAIN[operation];
  }
  // Risk, routing and authentication end elsewhere: the provider would approve.
  const elsewhere = phase === 'authentication' || code.kind === 'risk' || code.kind === 'routing';
  return operation !== 'authorize' || elsewhere ? PLAIN[operation] : INVALID;
}
