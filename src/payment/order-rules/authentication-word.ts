// How the payer's authentication ended, in one word (contract 4.1): the same in answers and in notifications. Pure.
import { findResult, type ResultName } from '../../core/results.ts';

export type AuthenticationWord = '' | 'success' | 'attempted' | 'accepted' | 'not_available' | 'failed';

const FAILED: ReadonlySet<ResultName | undefined> = new Set<ResultName>([
  'authentication_incorrect',
  'authentication_declined',
  'payer_left_authentication',
  'authentication_timed_out',
]);

type Made = { readonly state: string; readonly trans_status: string | null; readonly code: string | null };

/** Of an authentication that we made; "": it has not ended. */
export function madeWord({ state, trans_status, code }: Made): AuthenticationWord {
  if (state === 'successful') return trans_status === 'A' ? 'attempted' : 'success';
  if (state !== 'declined') return '';
  return FAILED.has(findResult(code ?? '')?.name) ? 'failed' : 'not_available';
}

type Elsewhere = {
  /** What the merchant said of an authentication made elsewhere; undefined: nothing. */
  readonly said: { readonly pares_status?: string | undefined } | undefined;
  /** An exemption was asked for, and the issuer approved. */
  readonly exempted: boolean;
};

/** Of an authentication made elsewhere, or an exemption that the issuer accepted by approving. */
export function elsewhereWord({ said, exempted }: Elsewhere): AuthenticationWord {
  if (said) return said.pares_status === 'Y' ? 'success' : said.pares_status === 'A' ? 'attempted' : 'not_available';
  return exempted ? 'accepted' : '';
}
