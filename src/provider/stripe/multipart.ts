// A form with a file in it (RFC 7578), as a text of which each character is one byte: that is how a template carries bytes.
import { Buffer } from 'node:buffer';
import { ENDINGS, type FileType } from '../../core/dispute/evidence.ts';
import { BOUNDARY } from '../contract.ts';

type Shown = { readonly field: string; readonly type: FileType; readonly content: Uint8Array };

/** Undefined: the file holds the boundary itself, and cannot be sent so. Its name there is ours: what a person called it says nothing. */
export function multipart(
  texts: Readonly<Record<string, string>>,
  { field, type, content }: Shown,
): string | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1');
  if (bytes.includes(BOUNDARY)) return undefined;
  const parts = Object.entries(texts).map(
    ([name, text]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  );
  const head = `content-disposition: form-data; name="file"; filename="${field}.${ENDINGS[type]}"\r\ncontent-type: ${type}`;
  return `${parts.join('')}--${BOUNDARY}\r\n${head}\r\n\r\n${bytes}\r\n--${BOUNDARY}--\r\n`;
}
