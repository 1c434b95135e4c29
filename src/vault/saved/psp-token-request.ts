// Reads the request of POST /token with a partner's token (contract 6.4). The token, the partner's customer and the
// name stay bytes.
import { type Scheme, SCHEME_NAMES } from '../../core/card.ts';
import { oneOf, text, textOfForm } from '../../core/fields.ts';
import { refuseProblems } from '../../core/refusals.ts';
import { sandboxCard } from '../../core/sandbox/cards.ts';
import { Reading, type Shape } from '../../core/shape.ts';
import { type Members, digitsOf, plain, textBytes } from '../card/byte-fields.ts';
import type { Numbers } from '../card/numbers.ts';
import { type Rules, readExpiry, readHolder } from '../card/request.ts';

export type PspTokenRequest = {
  readonly psp_token: Buffer;
  readonly psp_customer_id: Buffer;
  readonly holder: Buffer;
  readonly partner: string;
  readonly scheme: Scheme;
  readonly first6: string | null;
  readonly last4: string | null;
  readonly exp_month: number | null;
  readonly exp_year: number | null;
};

const scheme = oneOf(...SCHEME_NAMES);

/** Fields a card does not have; as schemas they are published. */
export const PSP_TOKEN_FIELDS = {
  psp_token: text(255),
  partner: text(64),
  psp_customer_id: text(255),
  payment_method_name: scheme,
  card_6_digits: textOfForm(/^\d{6}$/, 'six digits', { pattern: '^[0-9]{6}$' }),
  card_4_digits: textOfForm(/^\d{4}$/, 'four digits', { pattern: '^[0-9]{4}$' }),
} as const satisfies Shape;

const SHARED = {
  customer_scheme_name: scheme,
  token_type: oneOf('recurring'),
  token_kind: oneOf('psp_token'),
} as const satisfies Shape;

const KNOWN = new Set([
  'card_validity_month',
  'card_validity_year',
  'cardholder_name',
  ...Object.keys(PSP_TOKEN_FIELDS),
  ...Object.keys(SHARED),
]);

type ForeignRules = Pick<Rules, 'year' | 'month' | 'numbers'> & {
  /** Is it configured for the account? */
  hasPartner(name: string): Promise<boolean>;
};

export function unknownPspTokenNames(members: Members): readonly string[] {
  return members.unknown(KNOWN);
}

/** Longer ones would not fit the record of a card; partners' tokens are short texts of ASCII. */
const MAX_TOKEN_BYTES = 255;

/** Reads the request, or throws every problem at once. */
export async function readPspTokenRequest(members: Members, rules: ForeignRules): Promise<PspTokenRequest> {
  const reading = new Reading(false);
  const read = <T>(name: string, field: Parameters<typeof plain<T>>[1]) =>
    plain(members.get(name), field, { name, reading });
  const psp_token = readPspToken(members, rules, reading);
  const partner = await readPartner(members, rules, reading);
  const method = read('payment_method_name', PSP_TOKEN_FIELDS.payment_method_name);
  const brand = read('customer_scheme_name', SHARED.customer_scheme_name);
  if (!members.get('payment_method_name') && !members.get('customer_scheme_name'))
    reading.refuse('payment_method_name', 'or customer_scheme_name is required', 'parameter_missing');
  const first6 = read('card_6_digits', PSP_TOKEN_FIELDS.card_6_digits);
  const last4 = read('card_4_digits', PSP_TOKEN_FIELDS.card_4_digits);
  read('token_type', SHARED.token_type);
  const expiry = readOptionalExpiry(members, rules, reading);
  const customer = members.get('psp_customer_id');
  const psp_customer_id = customer && textBytes(customer, 255, { name: 'psp_customer_id', reading });
  const holder = readHolder(members.get('cardholder_name'), { name: 'cardholder_name', reading });
  const refusal = refuseProblems(reading.problems);
  if (refusal) throw refusal;
  const named = brand ?? method;
  if (!psp_token || partner === undefined || named === undefined) throw new Error('the partner token was checked');
  return {
    psp_token,
    partner,
    scheme: named,
    ...expiry,
    psp_customer_id: psp_customer_id ?? NOTHING,
    holder: holder ?? NOTHING,
    first6: first6 ?? null,
    last4: last4 ?? null,
  };
}

const NOTHING = Buffer.alloc(0);

function readPspToken(members: Members, { numbers }: ForeignRules, reading: Reading): Buffer | undefined {
  const node = members.get('psp_token');
  if (!node) return reading.refuse('psp_token', 'is required', 'parameter_missing');
  const token = textBytes(node, 255, { name: 'psp_token', reading });
  if (token && token.length > MAX_TOKEN_BYTES)
    return reading.refuse('psp_token', `is longer than ${MAX_TOKEN_BYTES} bytes`);
  if (token && isRefusedCard(token, numbers))
    return reading.refuse('psp_token', 'is a test number of the sandbox', 'card_number_invalid');
  return token;
}

/** A partner's token may be all digits; what it never may be in production is a card of the sandbox (contract 15.1). */
function isRefusedCard(token: Buffer, numbers: Numbers): boolean {
  const digits = numbers === 'real' ? digitsOf(token) : undefined;
  const refused = digits !== undefined && sandboxCard(digits) !== 'unlisted';
  digits?.fill(0);
  return refused;
}

async function readPartner(members: Members, rules: ForeignRules, reading: Reading): Promise<string | undefined> {
  const node = members.get('partner');
  if (!node) return reading.refuse('partner', 'is required', 'parameter_missing');
  const name = plain(node, PSP_TOKEN_FIELDS.partner, { name: 'partner', reading });
  if (name === undefined || (await rules.hasPartner(name))) return name;
  return reading.refuse('partner', 'is not configured for this account', 'contract_unknown');
}

/** Reads the expiry date: month and year, or neither. */
function readOptionalExpiry(members: Members, rules: ForeignRules, reading: Reading) {
  if (!members.get('card_validity_month') && !members.get('card_validity_year'))
    return { exp_month: null, exp_year: null };
  const { exp_month = null, exp_year = null } = readExpiry(members, rules, reading);
  return { exp_month, exp_year };
}
