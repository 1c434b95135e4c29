// Requests as objects, and answers.
export type Said = Readonly<Record<string, unknown>>;
export type Reply = { readonly status: number; readonly said: Said };

export function parse(body: string): Said | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Said =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function objectIn(said: Said, name: string): Said {
  const value = said[name];
  return isObject(value) ? value : {};
}

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
