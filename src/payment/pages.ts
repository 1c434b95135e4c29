// Pages of {base_url} without a key: openapi.json, the reference, the problem pages of contract 2.5, and an index that says
// where things are.
import { PROBLEM_PAGES, REFUSALS, type ProblemSlug } from '../core/refusals.ts';
import { findResult, result } from '../core/results.ts';
import { type Described, openApi } from '../kit/http/reference/openapi.ts';
import { API_CHROME, PAGE_HEADERS, escapeHtml, page } from '../kit/http/page.ts';
import type { PublicAnswer, PublicPath } from '../kit/http/public.ts';
import { referencePage } from '../kit/http/reference/page.ts';
import { guide, lead } from './guide.ts';

/** What a caller should do about a refusal, by problem page. */
const ADVICE: Readonly<Record<ProblemSlug, string>> = {
  'missing-parameter': 'Add the fields that <code>errors</code> names and send the request again.',
  'invalid-parameter':
    'Correct the fields that <code>errors</code> names. Where none is named, <code>detail</code> says what is wrong with the request itself.',
  'invalid-card': 'Ask the payer to check the card number, the expiry date and the security code.',
  'unusable-token':
    'Tokenize the card again. A one-shot token pays one order, within 15 minutes, and only the checkout it was made for.',
  'unknown-contract': 'Use the id or name of a provider contract of this account, or leave the field out.',
  'missing-key':
    'Send a key in the header <code>x-api-key</code>: a private one from your server, a public one for tokenization.',
  'invalid-key': 'Check that the key is complete, not revoked, and one of this environment.',
  'forbidden-key': 'This route needs a private key. A public key may only tokenize.',
  'signed-out':
    'Of the back office only: sign in there. A session ends after 15 minutes without use, and after 12 hours.',
  'sign-in-failed':
    'Of the back office only: check address, password and code. After several failures a person is locked for a while.',
  'not-allowed': "Of the back office only: somebody with another role can do this; the team's page says who.",
  'unknown-route':
    'Check method and path; <code>allow</code> lists the methods a path takes. A path that ends in a slash usually lost its id.',
  'unknown-object': 'Check the id. An object of another account looks the same as one that does not exist.',
  'state-conflict': 'Read the order or checkout: its state does not allow this now.',
  'amount-exceeded':
    'Read the order: it says how much can still be captured or refunded. Leave the amount out to take all of it.',
  'provider-declined':
    'The provider refused it and nothing moved. <code>result.code</code> says why, and whether another try can help.',
  'too-large': 'Send at most 64 KiB to the API and 8 KiB to the vault.',
  'media-type': 'Send the body as <code>application/json</code> in UTF-8.',
  'idempotency-mismatch': 'Use a new Idempotency-Key for another body, or repeat the first body unchanged.',
  'rate-limited': 'Nothing was accepted. Repeat after the seconds in <code>retry-after</code>.',
  internal:
    'The outcome is unknown. Repeat with the same Idempotency-Key or the same one-shot token: nothing happens twice.',
  unavailable: 'Nothing was accepted and no token was spent. Repeat after the seconds in <code>retry-after</code>.',
};

export type PageOptions = {
  readonly addresses: { readonly base_url: string; readonly vault_url: string };
  readonly version: string;
  readonly routes: readonly Described[];
  vault_routes(): readonly Described[];
};

export function paymentPages(options: PageOptions): readonly PublicPath[] {
  // made at the first look: boot stays fast, and the addresses are known by then
  let reference: string | undefined;
  return [
    { path: '/openapi.json', answer: () => openApiFile(options) },
    { path: '/docs', answer: () => html((reference ??= apiReference(options))) },
    { path: '/problems', answer: () => html(problemIndex()) },
    { path: '/problems/:slug', answer: ({ slug = '' }: Readonly<Record<string, string>>) => html(problemPage(slug)) },
    { path: '/', answer: () => html(INDEX) },
  ];
}

function html(body: string): PublicAnswer;
function html(body: string | undefined): PublicAnswer | undefined;
function html(body: string | undefined): PublicAnswer | undefined {
  return body === undefined ? undefined : { headers: PAGE_HEADERS, body };
}

function openApiFile({ addresses, version, routes, vault_routes }: PageOptions): PublicAnswer {
  const document = apiDocument({ base_url: addresses.base_url, version, routes, vault_routes: vault_routes() });
  return {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    },
    body: JSON.stringify(document),
  };
}

export function apiDocument(options: {
  base_url: string;
  version: string;
  routes: readonly Described[];
  vault_routes: readonly Described[];
}) {
  return openApi({
    title: 'Florin',
    version: options.version,
    base_url: options.base_url,
    routes: inOrderOfUse(options.routes, options.vault_routes),
  });
}

function apiReference({ addresses, version, routes, vault_routes }: PageOptions): string {
  return referencePage({
    title: 'Payment API reference',
    lead: lead(version, addresses),
    base_url: addresses.base_url,
    routes: inOrderOfUse(routes, vault_routes()),
    sections: guide(addresses),
    chrome: API_CHROME,
  });
}

/** Checkout, token, order: the vault's routes stand where a payment needs them. */
function inOrderOfUse(routes: readonly Described[], vault_routes: readonly Described[]): readonly Described[] {
  const first = routes.filter((route) => route.tag === 'Checkout');
  return [...first, ...vault_routes, ...routes.filter((route) => route.tag !== 'Checkout')];
}

function problemPage(slug: string): string | undefined {
  const known = Object.entries(PROBLEM_PAGES).find(([name]) => name === slug);
  if (!known) return undefined;
  const [name, title] = known;
  const rows = Object.values(REFUSALS).filter((refusal) => refusal.slug === name);
  const status = [...new Set(rows.map((refusal) => refusal.status))].join(', ');
  const codes = [...new Set(rows.map((refusal) => result(refusal.result).code))];
  const advice = Object.entries(ADVICE).find(([advised]) => advised === name)?.[1] ?? '';
  const list = codes
    .map(
      (code) =>
        `<tr><th scope="row" class="whole"><code>${code}</code></th><td>${escapeHtml(findResult(code)?.description ?? '')}</td></tr>`,
    )
    .join('\n');
  return page(
    `${title}: Florin`,
    `<div class="card"><p class="eyebrow">Problem <code>${name}</code> · HTTP ${status}</p>
<h1>${escapeHtml(title)}</h1>
<h2>What to do</h2>
<p>${advice}</p>
<h2>Result codes</h2>
<table><thead><tr><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead><tbody>
${list}
</tbody></table></div>
<p><a href="/problems">All problems</a></p>`,
  );
}

function problemIndex(): string {
  const rows = Object.entries(PROBLEM_PAGES).map(([slug, title]) => {
    const statuses = Object.values(REFUSALS).filter((refusal) => refusal.slug === slug);
    const status = [...new Set(statuses.map((refusal) => refusal.status))].join(', ');
    return `<tr><th scope="row"><a href="/problems/${slug}">${slug}</a></th><td>${escapeHtml(title)}</td><td>${status}</td></tr>`;
  });
  return page(
    'Problems: Florin',
    `<div class="card"><h1>Problems</h1>
<p class="soft">The <code>type</code> of every error points to one of these pages: what it means, and what to do.</p>
<table><thead><tr><th scope="col">Problem</th><th scope="col">Meaning</th><th scope="col">HTTP</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div>`,
  );
}

const INDEX = page(
  'Florin payment API',
  `<div class="card"><p class="eyebrow ok">This API is answering</p>
<h1>Florin payment API</h1>
<p>Create a checkout, turn a card into a token at the vault, pay with the token. Requests need a key in the header <code>x-api-key</code>.</p>
<table><tbody>
<tr><th scope="row"><a href="/docs">Reference</a></th><td>Every request, every field, every answer, with examples</td></tr>
<tr><th scope="row"><a href="/problems">Problems</a></th><td>What each error means and what to do about it</td></tr>
<tr><th scope="row"><a href="/openapi.json">openapi.json</a></th><td>The same for programs: OpenAPI 3.1</td></tr>
<tr><th scope="row"><a href="/ready">Readiness</a></th><td>Whether database and hosts are ready</td></tr>
</tbody></table></div>`,
);
