// The reference out of the tables in src: a page a route, a kind of notification, a problem, a phase of result codes.
import { SCOPES } from '../../../src/core/keys/scopes.ts';
import { REQUEST_HEADERS, RESPONSE_HEADERS } from '../../../src/kit/http/reference/headers.ts';
import { type Described, wirePath } from '../../../src/kit/http/reference/openapi.ts';
import { inOrderOfUse } from '../../../src/payment/pages.ts';
import { paymentRoutes } from '../../../src/payment/routes.ts';
import { SETTINGS } from '../../../src/settings/settings.ts';
import { vaultRoutes } from '../../../src/vault/routes.ts';
import { contractLink } from '../docs-pages.ts';
import { codePages, problemsPage } from './codes.ts';
import { pageText, prose, table } from './html.ts';
import { limitsPage } from './limits.ts';
import { notificationPages } from './notifications.ts';
import { routePage, slugOf } from './routes.ts';

/** Texts by their paths below site/.made. */
export function referencePages(): ReadonlyMap<string, string> {
  const host = SETTINGS.FLORIN_HOST.default;
  const base_url = `http://${host}:${SETTINGS.FLORIN_API_PORT.default}`;
  const vault_url = `http://${host}:${SETTINGS.FLORIN_VAULT_PORT.default}`;
  const routes = inOrderOfUse(
    paymentRoutes({ environment: 'sandbox' }),
    vaultRoutes().map((route) => ({ ...route, server: vault_url })),
  );
  return new Map([
    ['reference.mdx', indexPage(routes)],
    ['reference/headers.mdx', headersPage()],
    ['reference/limits.md', limitsPage()],
    ...routes.map((route, order): [string, string] => [
      `reference/${slugOf(route)}.mdx`,
      routePage(route, { base_url, vault_url, contract: contractLink, order, before: routes.slice(0, order) }),
    ]),
    ...notificationPages(SETTINGS.FLORIN_BRAND.default),
    ...codePages(),
    ['reference/problems.mdx', problemsPage(routes, base_url)],
  ]);
}

function indexPage(routes: readonly Described[]): string {
  const tags = [...Map.groupBy(routes, (route) => route.tag)].map(([tag, group]) => {
    const rows = group.map((route) => [
      `<a href="/docs/reference/${slugOf(route)}/"><code>${route.method}&#160;${prose(wirePath(route.path))}</code></a>`,
      prose(route.summary),
      route.scope ?? '',
    ]);
    return `## ${tag}\n\n${table(['Route', 'Purpose', 'Scope'], rows)}`;
  });
  return pageText(
    { title: 'Reference', description: 'Every route, field, answer and refusal' },
    `A payment takes three requests: your server creates a checkout, the payer's card becomes a token at the vault, and your server pays with the token. Card numbers never reach the payment API.

Every page has the code to copy, the fields, the answers and the refusals; in a sandbox it sends the request, too. For programs: [openapi.json](/openapi.json) (OpenAPI 3.1).

${tags.join('\n\n')}`,
  );
}

function headersPage(): string {
  const header = (name: string, description: string) => [`<code>${name}</code>`, prose(description)];
  return pageText(
    {
      title: 'Headers and keys',
      description: 'Headers of requests and answers, keys and their scopes',
      label: 'Headers and keys',
    },
    `## Keys

Send a key in the header \`x-api-key\`. The keys of the demo account are printed when a sandbox starts.

${table(
  ['Key', 'Use'],
  [
    ['private, <code>…_PR_…</code>', 'On your server only. May call every route, or what its scopes allow.'],
    ['public, <code>…_PUB_…</code>', "May be seen by payers. May call the vault's <code>POST /token</code> only."],
  ],
)}

A private key may call everything, or only what its scopes name. A route whose scope it does not have is refused with 403, [forbidden-key](/docs/reference/problems/#forbidden-key).

${table(
  ['Scope', 'Allows to'],
  Object.entries(SCOPES).map(([name, meaning]) => [`<code>${name}</code>`, prose(meaning)]),
)}

## Of requests

${table(
  ['Header', 'Meaning'],
  [
    header('x-api-key', 'The key'),
    header('content-type', '`application/json`, in UTF-8'),
    ...REQUEST_HEADERS.map(({ name, description }) => header(name, description)),
  ],
)}

How long requests wait, and how often they may come: [limits and waiting](/docs/reference/limits/).

## Of answers

${table(
  ['Header', 'Meaning'],
  Object.entries(RESPONSE_HEADERS).map(([name, { description }]) => header(name, description)),
)}

The headers that sign a notification: [events of an order](/docs/reference/notifications/orders/#headers).`,
  );
}
