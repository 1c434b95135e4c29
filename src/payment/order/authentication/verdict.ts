// What the end of an authentication means for its order (contract 10.1), as a pure function.
import type { ResultName } from '../../../core/results.ts';
import type { Authenticated, Demand, Proof } from '../../../provider/three-ds/contract.ts';

export type Verdict =
  /** The authorization is sent: with evidence, or without. `result` says why there is none. */
  | { readonly kind: 'goes_on'; readonly proof: Proof | undefined; readonly result: ResultName | undefined }
  | { readonly kind: 'waits'; readonly acs_url: string | null; readonly acs_transaction_id: string }
  | {
      readonly kind: 'ends';
      readonly status: 'authentication_declined' | 'authorization_declined';
      readonly result: ResultName;
    };

const WITHOUT = {
  information: 'authentication_failed',
  broken: 'authentication_failed',
  not_enrolled: 'card_not_enrolled',
  unreachable: 'acs_unreachable',
} as const satisfies Partial<Record<Authenticated['kind'], ResultName>>;

const ENDS = {
  rejected: 'authentication_incorrect',
  declined: 'authentication_declined',
  left: 'payer_left_authentication',
  timed_out: 'authentication_timed_out',
} as const satisfies Partial<Record<Authenticated['kind'], ResultName>>;

/** `asked_payer`: the payer was already sent to the bank. */
export function decideAuthentication(
  seen: Authenticated,
  { demand, asked_payer }: { readonly demand: Demand; readonly asked_payer: boolean },
): Verdict {
  switch (seen.kind) {
    case 'authenticated':
      return { kind: 'goes_on', proof: seen.proof, result: undefined };
    case 'challenge':
      return { kind: 'waits', acs_url: seen.acs_url, acs_transaction_id: seen.acs_transaction_id };
    case 'rejected':
    case 'declined':
    case 'left':
    case 'timed_out':
      return { kind: 'ends', status: 'authentication_declined', result: ENDS[seen.kind] };
    case 'information':
    case 'broken':
    case 'not_enrolled':
    case 'unreachable': {
      const result = WITHOUT[seen.kind];
      if (demand === 'ask_3ds') return { kind: 'goes_on', proof: undefined, result };
      // the issuer's soft decline cannot be answered, so it stands (contract 7.2)
      if (demand === 'soft_decline' && !asked_payer)
        return { kind: 'ends', status: 'authorization_declined', result: 'issuer_soft_decline' };
      return { kind: 'ends', status: 'authentication_declined', result };
    }
  }
}
