// The meaning of a card number at the simulated provider. It is asked once, while the request is read: the books store
// the decision, never the number.
import { luhn } from '../../core/card.ts';
import { findResult, type ResultName, type ResultRow } from '../../core/results.ts';
import { CARDS, type CardRow, type Planned } from './cards.ts';
import { PLAIN, type Twist } from './fault.ts';

/** What a card decides: its authorization, and the first follow-up operation of one kind. */
export type Behaviour = {
  readonly authorize: Twist;
  /** The authorization if the payer was authenticated. */
  readonly authenticated: Twist;
  /** A recurring payment needs no proof once there was one. */
  readonly remembers: boolean;
  readonly planned: Planned | null;
};

/** The same number at the same provider always behaves the same. */
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
/** Asked for by an issuer or an acquirer that has not seen the payer. */
const SOFT: readonly ResultName[] = [
  'issuer_soft_decline',
  'authentication_required',
  'acquirer_authentication_required',
];
const INVALID = ends('card_number_invalid');

const BY_NUMBER: ReadonlyMap<string, CardRow> = new Map(
  CARDS.flatMap((row) => row.numbers.map((number) => [number, row] as const)),
);

/** 40000099, 9, the code, the Luhn digit. */
const CODE_NUMBER = /^400000999(\d{6})\d$/;

function isCardNumber(number: string): boolean {
  return number.length >= 14 && number.length <= 19 && luhn(Buffer.from(number, 'latin1'));
}

/**
 * 15.3: 2xxxxx, 4xxxxx and 15xxxx end the authorization, 5, 6, 7 the first capture, refund, cancel; what fits no row is
 * no card.
 */
function ofCode(code: ResultRow | undefined): Behaviour {
  if (code === undefined || code.name.endsWith('_pending')) return INVALID;
  const { phase, kind, name } = code;
  if (SOFT.includes(name)) return { ...ends(name), authenticated: PLAIN };
  if (phase === 'tokenization' || phase === 'authorization' || kind === 'routing') return ends(name);
  if (phase === 'capture' || phase === 'refund' || phase === 'cancel') {
    // Technical ones are our own rules: refused before a provider is asked, so no provider answers with them.
    if (kind === 'technical') return INVALID;
    return { ...APPROVED, planned: { operation: phase, twist: { ends: name } } };
  }
  // Risk and authentication end elsewhere: the provider would approve.
  return phase === 'authentication' || kind === 'risk' ? APPROVED : INVALID;
}
