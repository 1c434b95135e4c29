// Texts of requests, and answers.
import type { Said } from '../said.ts';

export type Reply = { readonly status: number; readonly said: Said };

export function textIn(said: Said, name: string): string {
  const value = said[name];
  return typeof value === 'string' ? value : '';
}

type ErrorType = 'validation' | 'security' | 'configuration';

export function refused(
  status: number,
  errorCode: string,
  [message, errorType = 'validation']: readonly [string, ErrorType?],
): Reply {
  return { status, said: { status, errorCode, message, errorType } };
}
