// The pages at /docs: built by `npm run site`, kept in web/site-built, served as they are (docs/decisions/0084).
import { CLOSED_FEATURES } from '../kit/http/page.ts';
import type { PublicPath } from '../kit/http/public.ts';
import { StaticFiles } from '../kit/web/static-files.ts';

const BUILT = new URL('../../web/site-built/', import.meta.url);

/** Assets and pieces of the search have a hash in their names. */
const LASTING = /^(?:assets|pagefind\/(?:fragment|index))\//;

export type SiteOptions = {
  readonly addresses: { readonly base_url: string; readonly vault_url: string };
  readonly environment: string;
};

/** The pages at /docs. In a sandbox they may send requests to the two hosts, in production to none. */
export function sitePaths({ addresses, environment }: SiteOptions): readonly PublicPath[] {
  const sandbox = environment === 'sandbox';
  const headers = () => ({
    // the search is WebAssembly
    'content-security-policy': `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'${sandbox ? ` ${addresses.vault_url}` : ''}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy': CLOSED_FEATURES,
  });
  const files = new StaticFiles({ folder: BUILT, at: '/docs', headers, lasting: LASTING });
  return [
    { path: '/docs', answer: () => files.answer('') },
    {
      path: '/docs/host.json',
      // where the pages may send a reader's requests
      answer: () => ({
        headers: { ...headers(), 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
        body: JSON.stringify({ environment, base_url: addresses.base_url, vault_url: addresses.vault_url }),
      }),
    },
    { path: '/docs/*', answer: ({ '*': path = '' }) => files.answer(path) },
  ];
}
