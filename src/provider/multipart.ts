// A form with files in it (RFC 7578), as a text of which each character is one byte: that is how a template carries
// bytes.
import { Buffer } from 'node:buffer';
import { ENDINGS, type FileField, type FileType } from '../core/dispute/evidence.ts';
import { BOUNDARY } from './contract.ts';

type Part = {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly type?: string;
  /** Absent: a field, and no file. */
  readonly file_name?: string;
};

/** Undefined: a part holds the boundary itself, and cannot be sent so. */
export function multipart(parts: readonly Part[]): string | undefined {
  const written = parts.map(({ name, content, type, file_name }) => {
    const bytes = Buffer.from(content).toString('latin1');
    const file = file_name === undefined ? '' : `; filename="${file_name}"`;
    const head = `content-disposition: form-data; name="${name}"${file}${type === undefined ? '' : `\r\ncontent-type: ${type}`}`;
    return { bytes, text: `--${BOUNDARY}\r\n${head}\r\n\r\n${bytes}\r\n` };
  });
  if (written.some(({ bytes }) => bytes.includes(BOUNDARY))) return undefined;
  return `${written.map(({ text }) => text).join('')}--${BOUNDARY}--\r\n`;
}

/** A file's name there is ours: what a person called it says nothing. */
export const fileNameOf = ({ field, type }: { readonly field: FileField; readonly type: FileType }): string =>
  `${field}.${ENDINGS[type]}`;
