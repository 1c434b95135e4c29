// The back office's host. It has its own address from the first day; its pages come with the back office itself.
import type { FastifyInstance } from 'fastify';
import { PAGE_HEADERS, escapeHtml, page } from '../kit/http/page.ts';

export function backofficePages(addresses: { readonly base_url: string }) {
  return (app: FastifyInstance): void => {
    app.get('/', (_, reply) =>
      reply.headers(PAGE_HEADERS).send(
        page(
          'Florin back office',
          `<p class="soft">Back office</p>\n<h1>This deployment is running</h1>\n<p>Orders, refunds and settings will be managed here. Until then everything is done through the API.</p>
<p><a href="${escapeHtml(addresses.base_url)}/docs">API reference</a></p>`,
        ),
      ),
    );
  };
}
