// Reads the members of a request's body.
export type Said = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Said =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined if the text is not a JSON object. */
export function parse(text: string): Said | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function objectIn(said: Said, name: string): Said {
  const value = said[name];
  return isObject(value) ? value : {};
}

/** Undefined if the member is no text. */
export function textIn(said: Said, name: string): string | undefined {
  const value = said[name];
  return typeof value === 'string' ? value : undefined;
}
