// What is kept of an assessment, with the attempt it was made of (transactions.risk). Null where nothing was assessed.

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
  /** From which score of a provider the order is suspicious, where the account had said so. */
  readonly suspicious_from?: number;
};
