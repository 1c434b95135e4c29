// The authentication data of an authorization, as the issuer judges them. It accepts only a proof that its own
// directory issued for this card, order and amount; any other proof counts as fraud.
import { isRecord, matches } from '../entry.ts';
import { cardMark } from './ways.ts';
import type { Register } from './register.ts';

/** `none`: the request has no proof. `forged`: the proof is not ours, or not for this payment. */
export type Proof = 'none' | 'proved' | 'forged';
type Wrong = { readonly member: string };

export type Payment = {
  readonly merchant_account_id: string;
  readonly order_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly number: string;
};

/** Reads the members `three_ds`, `three_ds_data` and `sca_exemption`; returns the name of a wrong one. */
export function readProof(body: Record<string, unknown>, payment: Payment, register: Register): Proof | Wrong {
  const { three_ds = null, three_ds_data = null, sca_exemption = null } = body;
  if (sca_exemption !== null && !isText(sca_exemption, 32)) return { member: '/sca_exemption' };
  const outside = three_ds_data === null ? 'none' : readOutside(three_ds_data);
  if (typeof outside !== 'string' || three_ds === null) return outside;
  if (!isRecord(three_ds)) return { member: '/three_ds' };
  const { version, trans_status, ds_transaction_id } = three_ds;
  const { eci = null, authentication_value = null } = three_ds;
  if (!matches(version, /^2\.[1-3]\.\d$/)) return { member: '/three_ds/version' };
  if (!matches(trans_status, /^[YACDNRUI]$/)) return { member: '/three_ds/trans_status' };
  if (!matches(ds_transaction_id, UUID)) return { member: '/three_ds/ds_transaction_id' };
  if (eci !== null && !matches(eci, /^0[0-7]$/)) return { member: '/three_ds/eci' };
  if (authentication_value !== null && !matches(authentication_value, VALUE))
    return { member: '/three_ds/authentication_value' };
  if (trans_status !== 'Y' && trans_status !== 'A') return authentication_value === null ? 'none' : 'forged';
  const claim = { version, trans_status, ds_transaction_id, eci, authentication_value };
  return isIssued(claim, payment, register) ? 'proved' : 'forged';
}

type Claim = {
  readonly version: string;
  readonly trans_status: string;
  readonly ds_transaction_id: string;
  readonly eci: string | null;
  readonly authentication_value: string | null;
};

function isIssued(claim: Claim, payment: Payment, register: Register): boolean {
  const known = register.findByDirectoryId(claim.ds_transaction_id);
  const { asked, ended } = known ?? {};
  if (known === undefined || !asked || !ended) return false;
  const is_same_proof =
    ended.authentication_value !== null &&
    ended.authentication_value === claim.authentication_value &&
    ended.status === claim.trans_status &&
    ended.eci === claim.eci &&
    asked.version === claim.version;
  const is_same_payment =
    known.merchant_account_id === payment.merchant_account_id &&
    known.order_id === payment.order_id &&
    known.card_mark === cardMark(payment.merchant_account_id, payment.number) &&
    asked.amount === payment.amount &&
    asked.currency === payment.currency;
  return is_same_proof && is_same_payment;
}

/** An authentication made elsewhere (contract 7.1, 3ds_data) cannot be looked up, so a correct form is accepted. */
const OUTSIDE = [
  'network_score',
  'cavv',
  'cavv_algorithm',
  'ucaf_aav',
  'eci',
  'x_id',
  'pares_status',
  'directory_veres',
  'version',
];
/** ECI values for authenticated or attempted, at Mastercard and at other schemes. */
const SHIFTED: readonly unknown[] = ['01', '02', '05', '06'];

function readOutside(data: unknown): Proof | Wrong {
  if (!isRecord(data)) return { member: '/three_ds_data' };
  const wrong = Object.entries(data).find(([name, value]) => !OUTSIDE.includes(name) || !isText(value, 64));
  if (wrong !== undefined) return { member: `/three_ds_data/${wrong[0]}` };
  const { cavv = '', ucaf_aav = '', eci } = data;
  return (cavv !== '' || ucaf_aav !== '') && SHIFTED.includes(eci) ? 'proved' : 'none';
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
/** 20 bytes in base64. */
const VALUE = /^[A-Za-z0-9+/]{27}=$/;
const isText = (value: unknown, most: number): value is string => typeof value === 'string' && value.length <= most;
