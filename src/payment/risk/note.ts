// The note on an assessment, which is stored with its attempt (transactions.risk). Null if nothing was assessed.

export type RiskNote = {
  /** Our own rules: code of the outcome, version of the rules (0: none were published), rule and what it saw. */
  readonly assessed?: {
    readonly code: string;
    readonly version: number;
    readonly rule: string | null;
    readonly says: string;
  };
  /** A rule that only marks: the order is suspicious, and why. */
  readonly marked?: string;
  /** The provider's score from which the order is suspicious, if the account had set one. */
  readonly suspicious_from?: number;
};
