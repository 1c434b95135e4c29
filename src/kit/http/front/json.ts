// An answer as the bytes that go out.
import type { Answer } from '../route.ts';

export function jsonOf({ body, last }: Pick<Answer, 'body' | 'last'>): string | Buffer {
  const json = JSON.stringify(body);
  return last ? Buffer.concat([Buffer.from(`${json.slice(0, -1)},"${last.name}":`), last.json, END]) : json;
}

const END = Buffer.from('}');
