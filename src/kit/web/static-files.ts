// A folder of built files, served as it is: what is in it is listed at the first request and read when it is wanted, so
// a path leads to a file of the list or to nothing. A folder's address answers with its index.html.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { sha256 } from '../crypto.ts';
import type { PublicAnswer } from '../http/public.ts';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
};

/** Packed already, or not worth it. */
const AS_IT_IS = 'application/octet-stream';

export type StaticOptions = {
  readonly folder: URL;
  /** Where the folder is served: '/docs'. */
  readonly at: string;
  /** Headers of every answer, beside type, cache and tag. */
  headers(): Readonly<Record<string, string>>;
  /** The contents of such a file never change under its name. */
  readonly lasting: RegExp;
};

export class StaticFiles {
  private readonly options: StaticOptions;
  private readonly kept = new Map<string, { readonly body: Buffer; readonly gzip?: Buffer; readonly tag: string }>();
  private listed: ReadonlySet<string> | undefined;

  constructor(options: StaticOptions) {
    this.options = options;
  }

  /** `path`: behind the address of the folder, decoded. Undefined: there is no such file. */
  answer(path: string): PublicAnswer | undefined {
    const name = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    if (this.names().has(name)) return this.file(name);
    if (!this.names().has(`${name}/index.html`)) return undefined;
    const { at, headers } = this.options;
    return { status: 308, headers: { ...headers(), location: encodeURI(`${at}/${name}/`) }, body: '' };
  }

  private names(): ReadonlySet<string> {
    this.listed ??= new Set(listOf(this.options.folder));
    return this.listed;
  }

  private file(name: string): PublicAnswer {
    const { headers, lasting } = this.options;
    const type = TYPES[name.split('.').at(-1) ?? ''] ?? AS_IT_IS;
    const { body, gzip, tag } = this.read(name, type);
    return {
      headers: {
        ...headers(),
        'content-type': type,
        'cache-control': lasting.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
        etag: tag,
      },
      body,
      ...(gzip && { gzip }),
    };
  }

  private read(name: string, type: string) {
    const known = this.kept.get(name);
    if (known) return known;
    const body = readFileSync(new URL(encodeURI(name), this.options.folder));
    const packs = type !== AS_IT_IS && type !== TYPES['png'];
    const read = { body, ...(packs && { gzip: gzipSync(body) }), tag: `"${sha256(body).slice(0, 32)}"` };
    this.kept.set(name, read);
    return read;
  }
}

function listOf(folder: URL): readonly string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const above = fileURLToPath(folder).length;
  return files.map(({ parentPath, name }) => {
    const path = parentPath.slice(above).replaceAll('\\', '/');
    return path === '' ? name : `${path}/${name}`;
  });
}
