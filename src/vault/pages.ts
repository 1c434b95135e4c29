// Public files of {vault_url}: logos of the payment methods and partner marks (contract 5.1), from drawings of our own.
import { readdirSync, readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

const LOGOS = new URL('../../web/logos/files/', import.meta.url);

const HEADERS = {
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=86400',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
};

export function vaultPages(app: FastifyInstance): void {
  const names = new Set(readdirSync(LOGOS));
  for (const folder of ['logo', 'partners'])
    app.get<{ Params: { file: string } }>(`/image/${folder}/:file`, (request, reply) => {
      const { file } = request.params;
      if (!names.has(file)) return reply.callNotFound();
      const type = file.endsWith('.svg') ? 'image/svg+xml' : 'image/png';
      return reply
        .headers({ ...HEADERS, 'content-type': type })
        .send(readFileSync(new URL(encodeURIComponent(file), LOGOS)));
    });
}
