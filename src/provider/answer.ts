// Functions with which provider folders read answers.
import { type JsonObject, JsonNumber, type JsonValue, parseJson } from '../core/json.ts';

const MOST = 262_144;
/** A provider nests deeper, and says more at once, than a caller of ours may. */
const LIMITS = { depth: 16, members: 10_000, list: 200 };

/** An answer as an object; undefined: it is none. Numbers keep the text they were written in. */
export function objectOf(bytes: Uint8Array): JsonObject | undefined {
  if (bytes.length > MOST) return undefined;
  try {
    const value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes), LIMITS);
    return value instanceof Map ? value : undefined;
  } catch {
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
