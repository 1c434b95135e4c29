// Every script that our payment pages run, with owner, reason and hash (PCI DSS 6.4.3, 11.6.1): a merchant, an assessor
// or a monitor compares it with what a browser got.
import type { PublicAnswer } from '../../kit/http/public.ts';
import { type Asset, type Assets, asset } from './assets.ts';
import { framePolicy } from './frame.ts';

type ScriptRow = {
  readonly name: string;
  /** The path of the script below {vault_url}; for an inline script, the document that contains it. */
  readonly path: string;
  readonly inline: boolean;
  readonly runs_on: string;
  readonly owner: string;
  readonly reason: string;
};

/** A script that another part serves on the vault's host, inline in a document of its own. */
export type PageScript = {
  readonly name: string;
  readonly path: string;
  readonly runs_on: string;
  readonly reason: string;
  readonly text: string;
};

/** A third party's, which changes without notice: there is no hash to compare, so it runs in a frame by itself. */
type ForeignScript = Omit<PageScript, 'path' | 'text'> & { readonly url: string; readonly owner: string };

/** The scripts beside our own pages, with the policies of the documents that contain them, by path. */
export type Beside = {
  readonly scripts: readonly ForeignScript[];
  readonly policies: Readonly<Record<string, string>>;
};

type Listed = { readonly brand: string; readonly page_scripts: readonly PageScript[]; readonly beside: Beside };

export function manifest(assets: Assets, { brand, page_scripts, beside }: Listed): PublicAnswer {
  const scripts = [
    described(assets.script, {
      name: 'hosted elements',
      path: `/javascript/{any}/${brand}-client.min.js`,
      inline: false,
      runs_on: "the merchant's payment page",
      owner: brand,
      reason: 'shows the payment form and hands its token to the page; sees no card data in the new generation',
    }),
    described(assets.frame_script, {
      name: 'card fields',
      path: '/fields/{language}/{key}',
      inline: true,
      runs_on: 'the field frame, on the vault',
      owner: brand,
      reason: 'formats and checks what the payer types, and turns it into a token',
    }),
    ...page_scripts.map(({ text, ...row }) => described(asset(text), { ...row, inline: true, owner: brand })),
    ...beside.scripts,
  ];
  const policies = { '/fields/{language}/{key}': framePolicy(assets, ['{registered_origins}']), ...beside.policies };
  return {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    },
    body: JSON.stringify({ scripts, policies }, undefined, 2),
  };
}

function described(file: Asset, row: ScriptRow) {
  return {
    ...row,
    sha256: file.hash,
    integrity: file.integrity,
    bytes: file.body.length,
    gzip_bytes: file.gzip.length,
  };
}
