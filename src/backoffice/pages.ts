// The page of a back office whose web app is not there.
import { PAGE_HEADERS, escapeHtml, page } from '../kit/http/page.ts';
import type { PublicPath } from '../kit/http/public.ts';

export function backofficePages(addresses: { readonly base_url: string }): readonly PublicPath[] {
  const answer = () => ({ headers: PAGE_HEADERS, body: firstPage(escapeHtml(addresses.base_url)) });
  return [{ path: '/', answer }];
}

function firstPage(api: string): string {
  return page(
    'Florin back office',
    `<div class="card"><p class="eyebrow ok">This deployment is running</p>
<h1>Back office</h1>
<p>This is the address for people: orders, refunds and settings belong here. This version has no pages for them; everything is done through the API.</p>
<table><tbody>
<tr><th scope="row"><a href="${api}/docs">API reference</a></th><td>Create a checkout, tokenize a card, pay, read an order</td></tr>
<tr><th scope="row"><a href="${api}/problems">Problems</a></th><td>What each error means and what to do about it</td></tr>
<tr><th scope="row"><a href="/ready">Readiness</a></th><td>Whether this host and its database are ready</td></tr>
</tbody></table></div>`,
    { face: 'Back office', links: [] },
  );
}
