// The browser side of the vault as it is served: script, style sheet, and the parts of the field frame, with this
// deployment's names in them and the hashes that policy, manifest and file names are made of. One build for all
// (contract 1.2, 12).
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { SCHEMES, SCHEME_NAMES, logoFiles } from '../../core/card.ts';
import { spaced } from '../../core/payer/language.ts';
import { sha256 } from '../../kit/crypto.ts';
import { bundle } from '../../kit/web/bundle.ts';

const ELEMENTS = new URL('../../../web/elements/', import.meta.url);
const SOURCES = [
  'web/elements',
  'web/messages.ts',
  'web/fields-frame.ts',
  'src/core/card.ts',
  'src/core/money.ts',
  'src/core/payer/language.ts',
];

/** The built scripts, before they have the names of a deployment. */
export type Bundles = { readonly outside: string; readonly inside: string };

export async function buildElements(): Promise<Bundles> {
  const [outside, inside] = await Promise.all(
    ['web/elements/outside/start.ts', 'web/elements/inside/start.ts'].map((entry) =>
      bundle({ entry, sources: SOURCES }),
    ),
  );
  return { outside: outside ?? '', inside: inside ?? '' };
}

/** A served file: its bytes, its SHA-256 in hex for names and tags, and in base64 for policies. */
export type Asset = {
  readonly body: Buffer;
  readonly gzip: Buffer;
  readonly hash: string;
  readonly integrity: string;
};

export type Texts = {
  readonly inside: Readonly<Record<string, string>>;
  readonly outside: Readonly<Record<string, unknown>>;
};

export type Assets = {
  readonly script: Asset;
  readonly style: Asset;
  readonly frame_script: Asset;
  readonly frame_style: Asset;
  readonly texts: ReadonlyMap<string, Texts>;
};

export type Names = { readonly brand: string; readonly environment: string; readonly vault_url: string };

export function makeAssets(bundles: Bundles, { brand, environment, vault_url }: Names): Assets {
  const texts = readTexts();
  const outside = Object.fromEntries([...texts].map(([language, text]) => [language, text.outside]));
  const style = shrink(readFileSync(new URL('outside/client.css', ELEMENTS), 'utf8')).replaceAll(
    'florin-',
    `${brand}-`,
  );
  const build = { brand, environment, vault_url, schemes: schemeMarks(), texts: outside, style };
  const script = `(()=>{"use strict";const FLORIN_BUILD=${JSON.stringify(build)};${bundles.outside.trim()}})();\n`;
  return {
    script: asset(script),
    style: asset(style),
    frame_script: asset(bundles.inside.trim()),
    frame_style: asset(shrink(readFileSync(new URL('inside/fields.css', ELEMENTS), 'utf8'))),
    texts,
  };
}

export function asset(text: string): Asset {
  const body = Buffer.from(text);
  const integrity = `sha256-${createHash('sha256').update(body).digest('base64')}`;
  return { body, gzip: gzipSync(body, { level: 9 }), hash: sha256(body), integrity };
}

/** Schemes as the browser needs them: name, stem of their logo files, the mark that stands beside the card number. */
export function schemeMarks() {
  const rows = SCHEME_NAMES.map((name) => {
    const { display_name, logo_stem } = SCHEMES[name];
    return [name, { name: display_name, stem: logo_stem, mark: logoFiles(name).logo_colorbg }];
  });
  return Object.fromEntries(rows);
}

function readTexts(): ReadonlyMap<string, Texts> {
  const folder = new URL('texts/', ELEMENTS);
  return new Map(
    readdirSync(folder).map((file) => {
      const language = file.replace(/\.json$/, '');
      const asShown = (_: string, value: unknown) => (typeof value === 'string' ? spaced(value, language) : value);
      const texts: Texts = JSON.parse(readFileSync(new URL(file, folder), 'utf8'), asShown);
      return [language, texts];
    }),
  );
}

/** Comments and line ends go; what is between quotes has neither. */
function shrink(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/: /g, ':')
    .trim();
}
