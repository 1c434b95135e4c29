// What provider folders read answers with: functions, and the outcomes of what proves nothing.
import { type JsonObject, JsonNumber, type JsonValue, parseJson } from '../core/json.ts';
import type { Outcome } from './contract.ts';

export const UNREADABLE = { kind: 'unknown', why: 'unreadable' } as const satisfies Outcome;
export const PROVIDER_ERROR = { kind: 'unknown', why: 'provider_error' } as const satisfies Outcome;
/** The provider did not look at the request. */
export const NOT_HEARD = { ...PROVIDER_ERROR, unheard: true } as const satisfies Outcome;

export type Declined = Extract<Outcome, { kind: 'declined' }>;

const MOST = 262_144;
const MOST_OF_OURS = 65_536;
/** A provider nests deeper, and says more at once, than a caller of ours may. */
const LIMITS = { depth: 16, members: 10_000, list: 200 };

/** An answer as an object; undefined: it is none. Numbers keep the text they were written in. */
export function objectOf(bytes: Uint8Array): JsonObject | undefined {
  return bytes.length > MOST ? undefined : parsed(bytes, LIMITS);
}

/** The same of our own simulators, which say no more at once than a caller of ours may. */
export function smallObjectOf(bytes: Uint8Array): JsonObject | undefined {
  return bytes.length > MOST_OF_OURS ? undefined : parsed(bytes);
}

function parsed(bytes: Uint8Array, limits?: typeof LIMITS): JsonObject | undefined {
  try {
    const value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes), limits);
    return value instanceof Map ? value : undefined;
  } catch {
    // not JSON: the caller says what that means
    return undefined;
  }
}

export function at(said: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  let value = said;
  for (const name of path) value = value instanceof Map ? value.get(name) : undefined;
  return value;
}

/** Empty where there is no text, or one that no database keeps. */
export function textAt(said: JsonValue | undefined, ...path: readonly string[]): string {
  const value = at(said, ...path);
  return typeof value === 'string' && value.length <= 4096 && !value.includes('\0') ? value : '';
}

/** An integer as it was written: 10.0, 1e3 and -0 are not amounts, and nothing goes through a double. */
export function minorAt(said: JsonValue | undefined, ...path: readonly string[]): bigint | undefined {
  const value = at(said, ...path);
  return value instanceof JsonNumber && /^(?:0|[1-9]\d{0,14})$/.test(value.text) ? BigInt(value.text) : undefined;
}
