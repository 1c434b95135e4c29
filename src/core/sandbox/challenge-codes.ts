// The codes that a payer may type at the page of the simulated bank (contract 15.1), and the result of each. This is
// the only table of them: the bank decides by it and shows it, and GET /sandbox/cards answers it.
import type { ResultName } from '../results.ts';

export type ChallengeCode = {
  readonly code: string;
  /** The bank's word, as the messages of 3-D Secure have it. */
  readonly status: 'Y' | 'A' | 'N' | 'R' | 'U';
  readonly outcome: string;
  /** How the order ends; null: it goes on. */
  readonly result: ResultName | null;
};

export const CHALLENGE_CODES: readonly ChallengeCode[] = [
  { code: '1234', status: 'Y', outcome: 'authenticated', result: null },
  { code: '7777', status: 'A', outcome: 'attempted', result: null },
  { code: '1111', status: 'N', outcome: 'not authenticated', result: 'authentication_incorrect' },
  { code: '2222', status: 'R', outcome: 'rejected by the bank', result: 'authentication_incorrect' },
  { code: '3333', status: 'U', outcome: 'could not be done', result: 'acs_unreachable' },
];
