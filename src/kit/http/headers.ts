// Request headers of the contract (2.7, 2.8, 2.9) and the one answer header that carries names from a request (2.1).
import { maskDigits } from '../../core/digits.ts';
import type { FieldProblem } from '../../core/refusals.ts';

export const NEWEST_VERSION = '2.3.0';

/** `x.y.z`, `x.y`, `x`, empty or absent; majors 1 and 2 (contract 2.7). Undefined: not a version we speak. */
export function readVersion(text: string | undefined): string | undefined {
  if (text === undefined || text.trim() === '') return NEWEST_VERSION;
  const match = /^(\d{1,4})(?:\.(\d{1,4}))?(?:\.(\d{1,4}))?$/.exec(text.trim());
  if (!match || (Number(match[1]) !== 1 && Number(match[1]) !== 2)) return undefined;
  return [match[1], match[2] ?? '0', match[3] ?? '0'].map(Number).join('.');
}

/** The mistakes in the headers that every keyed route checks. */
export function headerProblems(
  version: string | undefined,
  idempotency_key: string | undefined,
): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (readVersion(version) === undefined)
    problems.push({
      field: 'version',
      refusal: 'parameter_invalid',
      message: 'must be a version such as 2.3.0, with major 1 or 2',
    });
  if (idempotency_key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(idempotency_key))
    problems.push({
      field: 'Idempotency-Key',
      refusal: 'parameter_invalid',
      message: 'must be 1 to 255 visible ASCII characters',
    });
  return problems;
}

/** Prefer (RFC 7240): seconds to wait and what was honoured. With both, wait=N holds; anything else is ignored. */
export function readPrefer(
  text: string | undefined,
): { readonly wait_s: number; readonly applied: string } | undefined {
  if (text === undefined) return undefined;
  const wanted = text.split(/[,;]/).map((part) => part.trim().toLowerCase());
  for (const part of wanted) {
    const match = /^wait\s*=\s*"?(\d+)"?$/.exec(part);
    if (match) {
      const seconds = Math.min(25, Number(match[1]));
      return { wait_s: seconds, applied: `wait=${seconds}` };
    }
  }
  return wanted.includes('respond-async') ? { wait_s: 0, applied: 'respond-async' } : undefined;
}

const MOST_IGNORED = 20;
const LONGEST_IGNORED = 64;

/**
 * x-ignored-fields: at most 20 names of at most 64 characters. A run of 12 or more digits is shown as `#`, also in
 * groups or encoded: a whole form that came as one name holds the card as it was typed.
 */
export function ignoredFields(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  return names.slice(0, MOST_IGNORED).map(shownName).join(', ');
}

function shownName(name: string): string {
  const seen = name.slice(0, 16 * LONGEST_IGNORED).replace(/\p{Cf}+/gu, '');
  const masked = maskDigits(seen).replace(/#{12,}/g, '#');
  return [...masked]
    .slice(0, LONGEST_IGNORED)
    .join('')
    .replace(/[^\x20-\x7e]/g, '?');
}

/** True for a content type that is JSON in UTF-8, and for an absent one (contract 2.1). */
export function isJsonType(content_type: string | undefined): boolean {
  if (content_type === undefined || content_type === 'application/json' || content_type.trim() === '') return true;
  const [type = '', ...parameters] = content_type.split(';').map((part) => part.trim().toLowerCase());
  if (type !== 'application/json') return false;
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return charset === undefined || /^charset="?utf-8"?$/.test(charset);
}

/**
 * True for a content-encoding other than none. Some name the charset here: such a body is not packed (compatibility).
 */
export function isPacked(content_encoding = ''): boolean {
  return content_encoding.split(',').some((coding) => !/^(?:identity|utf-?8)?$/i.test(coding.trim()));
}
