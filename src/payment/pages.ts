// Pages of {base_url} without a key: openapi.json, the site at /docs, where the problems of contract 2.5 lead, and an
// index that says where things are.
import { gzipSync } from 'node:zlib';
import { PROBLEM_PAGES } from '../core/refusals.ts';
import { sitePaths } from './docs-site.ts';
import { type Described, openApi } from '../kit/http/reference/openapi.ts';
import type { Told } from '../kit/http/reference/webhooks.ts';
import { PAGE_HEADERS, page } from '../kit/http/page.ts';
import type { PublicAnswer, PublicPath } from '../kit/http/public.ts';

export type PageOptions = {
  readonly addresses: { readonly base_url: string; readonly vault_url: string };
  readonly version: string;
  readonly environment: string;
  /** Names the headers of notifications. */
  readonly brand: string;
  readonly told: readonly Told[];
  readonly routes: readonly Described[];
  vault_routes(): readonly Described[];
};

export function paymentPages(options: PageOptions): readonly PublicPath[] {
  return [
    { path: '/openapi.json', answer: openApiFile(options) },
    ...sitePaths(options),
    { path: '/problems', answer: () => leadTo(PROBLEMS) },
    {
      path: '/problems/:slug',
      answer: ({ slug = '' }) => (Object.hasOwn(PROBLEM_PAGES, slug) ? leadTo(`${PROBLEMS}#${slug}`) : undefined),
    },
    { path: '/', answer: () => ({ headers: PAGE_HEADERS, body: INDEX }) },
  ];
}

/** Where problems are explained: their addresses in refusals stay, whatever becomes of the page. */
const PROBLEMS = '/docs/reference/problems/';

function leadTo(location: string): PublicAnswer {
  return { status: 302, headers: { ...PAGE_HEADERS, location }, body: '' };
}

/**
 * Made once, and again where an address of the hosts is another: it takes as long as twenty payments, and whoever asks
 * needs no key.
 */
function openApiFile({ addresses, version, brand, told, routes, vault_routes }: PageOptions): () => PublicAnswer {
  let made: { readonly of: string; readonly answer: PublicAnswer } | undefined;
  return () => {
    const { base_url, vault_url } = addresses;
    const of = `${base_url} ${vault_url}`;
    if (made?.of === of) return made.answer;
    const document = apiDocument({ base_url, version, brand, told, routes, vault_routes: vault_routes() });
    const body = Buffer.from(JSON.stringify(document));
    const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
    made = { of, answer: { headers, body, gzip: gzipSync(body) } };
    return made.answer;
  };
}

export function apiDocument(options: {
  base_url: string;
  brand: string;
  told: readonly Told[];
  version: string;
  routes: readonly Described[];
  vault_routes: readonly Described[];
}) {
  return openApi({
    title: 'Florin',
    version: options.version,
    base_url: options.base_url,
    brand: options.brand,
    told: options.told,
    routes: inOrderOfUse(options.routes, options.vault_routes),
  });
}

/** Checkout, token, order: the vault's routes stand where a payment needs them. */
export function inOrderOfUse(routes: readonly Described[], vault_routes: readonly Described[]): readonly Described[] {
  const first = routes.filter((route) => route.tag === 'Checkout');
  return [...first, ...vault_routes, ...routes.filter((route) => route.tag !== 'Checkout')];
}

const INDEX = page(
  'Florin payment API',
  `<div class="card"><p class="eyebrow ok">This API is answering</p>
<h1>Florin payment API</h1>
<p>Create a checkout, turn a card into a token at the vault, pay with the token. Requests need a key in the header <code>x-api-key</code>.</p>
<table><tbody>
<tr><th scope="row"><a href="/docs/">Guides and reference</a></th><td>Every request, every field, every answer, with examples</td></tr>
<tr><th scope="row"><a href="/docs/reference/problems/">Problems</a></th><td>What each error means and what to do about it</td></tr>
<tr><th scope="row"><a href="/openapi.json">openapi.json</a></th><td>The same for programs: OpenAPI 3.1</td></tr>
<tr><th scope="row"><a href="/ready">Readiness</a></th><td>Whether database and hosts are ready</td></tr>
</tbody></table></div>`,
);
