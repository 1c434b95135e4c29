// The doctor's report about one check.
import { StartError, fileProblem } from '../../kit/start-error.ts';

export type Finding = {
  readonly check: string;
  /** problem: money, cards or the service are at risk now; warning: they will be at risk later. */
  readonly level: 'ok' | 'warning' | 'problem';
  readonly says: string;
  /** What to do about a warning or a problem. */
  readonly fix?: string;
};

export const ok = (check: string, says: string): Finding => ({ check, level: 'ok', says });
export const warning = (check: string, says: string, fix: string): Finding => ({ check, level: 'warning', says, fix });
export const problem = (check: string, says: string, fix: string): Finding => ({ check, level: 'problem', says, fix });

/** Reports the error that would have stopped a start. */
export function asFinding(check: string, error: unknown, fix: string): Finding {
  const says = error instanceof StartError ? error.message : fileProblem(error);
  if (says === undefined) throw error;
  return problem(check, says, fix);
}
