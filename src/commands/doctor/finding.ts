// What the doctor says of one thing it looked at.
import { StartError } from '../../kit/start-error.ts';

export type Finding = {
  readonly check: string;
  /** problem: money, cards or the service are at risk now; warning: they will be. */
  readonly level: 'ok' | 'warning' | 'problem';
  readonly says: string;
  /** What to do about it; only with a warning or a problem. */
  readonly fix?: string;
};

export const ok = (check: string, says: string): Finding => ({ check, level: 'ok', says });
export const warning = (check: string, says: string, fix: string): Finding => ({ check, level: 'warning', says, fix });
export const problem = (check: string, says: string, fix: string): Finding => ({ check, level: 'problem', says, fix });

/** What a start would have said. */
export function asFinding(check: string, error: unknown, fix: string): Finding {
  if (!(error instanceof StartError)) throw error;
  return problem(check, error.message, fix);
}
