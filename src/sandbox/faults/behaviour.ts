// The meaning of a card number at the simulated provider. It is looked up once, while the request is read; the books
// store the decision, never the number.
import { luhn } from '../../core/card.ts';
import { findResult, type ResultName, type ResultRow } from '../../core/results.ts';
import { CARDS, type CardRow, type Planned } from './cards.ts';
import { PLAIN, type Twist } from './fault.ts';

/** What a card decides: its authorization, and one kind of follow-up operation. */
export type Behaviour = {
  readonly authorize: Twist;
  /** The authorization of an authenticated payer. */
  readonly authenticated: Twist;
  /** True: after one proof, recurring payments need none. */
  readonly remembers: boolean;
  readonly planned: Planned | null;
};

/** The same number at the same provider always gives the same behaviour. */
export function behaviourOf(number: string, provider: string): Behaviour {
  if (!isCardNumber(number)) return INVALID;
  const code = CODE_NUMBER.exec(number)?.[1];
  if (code !== undefined) return ofCode(findResult(code));
  const row = BY_NUMBER.get(number);
  if (row === undefined || (row.only_at !== undefined && row.only_at !== provider)) return APPROVED;
  const { authorize, authenticated = authorize, remembers = false, planned = null } = row;
  return { authorize, authenticated, remembers, planned };
}

const whatever = (authorize: Twist): Behaviour => {
  return { authorize, authenticated: authorize, remembers: false, planned: null };
};
const APPROVED = whatever(PLAIN);
const ends = (name: ResultName): Behaviour => whatever({ ends: name });
/** An issuer or an acquirer declines with these to ask for authentication. */
const SOFT: readonly ResultName[] = [
  'issuer_soft_decline',
  'authentication_required',
  'acquirer_authentication_required',
];
const INVALID = ends('card_number_invalid');

const BY_NUMBER: ReadonlyMap<string, CardRow> = new Map(
  CARDS.flatMap((row) => row.numbers.map((number) => [number, row] as const)),
);

/** 40000099, 9, the code, the Luhn digit (contract 15.3). */
export const CODE_NUMBER = /^400000999(\d{6})\d$/;

function isCardNumber(number: string): boolean {
  return number.length >= 14 && number.length <= 19 && luhn(Buffer.from(number, 'latin1'));
}

/**
 * Contract 15.3: 2xxxxx, 4xxxxx and 15xxxx end the authorization; 5, 6 and 7 end the first capture, refund or cancel; a
 * number for any other code is no card.
 */
function ofCode(code: ResultRow | undefined): Behaviour {
  if (code === undefined || code.name.endsWith('_pending')) return INVALID;
  const { phase, kind, name } = code;
  if (SOFT.includes(name)) return { ...ends(name), authenticated: PLAIN };
  if (phase === 'tokenization' || phase === 'authorization' || kind === 'routing') return ends(name);
  if (phase === 'capture' || phase === 'refund' || phase === 'cancel') {
    // technical codes are our own rules: we refuse before a provider is called, so no provider answers with them
    if (kind === 'technical') return INVALID;
    return { ...APPROVED, planned: { operation: phase, twist: { ends: name } } };
  }
  // risk and authentication are decided elsewhere, so the provider approves
  return phase === 'authentication' || kind === 'risk' ? APPROVED : INVALID;
}
