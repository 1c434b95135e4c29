// Every route there is, as the tables of the code have them: for the test that none of them is missing in the
// transcript.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { backofficeRoutes } from '../../src/backoffice/host.ts';
import { backofficePages } from '../../src/backoffice/pages.ts';
import { pagePaths } from '../../src/payment/page/paths.ts';
import { paymentPages } from '../../src/payment/pages.ts';
import { paymentRoutes } from '../../src/payment/routes.ts';
import { buildElements } from '../../src/vault/elements/assets.ts';
import { elementPaths } from '../../src/vault/elements/pages.ts';
import { logoPaths } from '../../src/vault/logos/pages.ts';
import { ROOT } from '../start/child.ts';
import type { World } from '../world.ts';
import type { Exchange } from './scene.ts';

export type KnownRoute = Pick<Exchange, 'method' | 'place' | 'path'>;

const at = (place: string, paths: readonly { readonly path: string; readonly method?: string }[]) =>
  paths.map(({ path, method = 'GET' }) => ({ place, method, path }));

/** The back office's own table. */
export function deskRoutes({ service: { tools } }: World): readonly KnownRoute[] {
  const desk = { tools, brand: 'florin', two_people: { above: () => 0n, member_hours: 24 }, secure: false };
  return at('backoffice', backofficeRoutes(desk));
}

/** The payment API's own table. */
export function apiRoutes({ service: { tools } }: World): readonly KnownRoute[] {
  return paymentRoutes(tools).flatMap(({ method, path, aliases }) =>
    [path, ...aliases].map((one) => ({ method, place: 'api', path: one })),
  );
}

export async function knownRoutes(w: World): Promise<readonly KnownRoute[]> {
  const { tools, addresses } = w.service;
  const of_pages = {
    addresses,
    version: '',
    environment: 'sandbox',
    brand: 'florin',
    told: [],
    routes: [],
    vault_routes: () => [],
  };
  const elements = {
    bundles: await buildElements(),
    brand: 'florin',
    environment: 'sandbox' as const,
    addresses,
    page_scripts: [],
    beside: { scripts: [], policies: {} },
    identify: async () => undefined,
  };
  const probes = [{ path: '/health' }, { path: '/ready' }];
  return [
    ...apiRoutes(w),
    ...at('api', [...paymentPages(of_pages), ...probes]),
    ...at('vault', [
      { method: 'POST', path: '/token' },
      ...elementPaths(elements),
      ...pagePaths({ tools, brand: 'florin' }),
    ]),
    ...at('vault', [...logoPaths(join(w.data_dir, 'logos'), tools.log), ...probes]),
    ...deskRoutes(w),
    ...at('backoffice', [...backofficePages({ vault_url: 'https://vault.example' }), ...probes]),
    ...at('metrics', [{ path: '/metrics' }, { path: '/health' }]),
    ...at('bank', simulatorRoutes()),
  ];
}

/** The simulator's routes are words in its source: `GET /books`. */
function simulatorRoutes(): readonly { readonly method: string; readonly path: string }[] {
  const folder = join(ROOT, 'src/sandbox');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('routes.ts'));
  const found = files.flatMap((file) => [
    ...readFileSync(join(folder, file), 'utf8').matchAll(/'(GET|POST) (\/[\w/]+)'/g),
  ]);
  return found.map(([, method = '', path = '']) => ({ method, path }));
}

/** The routes that no exchange is of. */
export function missing(routes: readonly KnownRoute[], exchanges: readonly KnownRoute[]): readonly string[] {
  return routes
    .filter((route) => !exchanges.some((one) => isOf(route, one)))
    .map(({ method, place, path }) => `${method} {${place}}${path}`);
}

export function isOf(route: KnownRoute, one: KnownRoute): boolean {
  if (route.method !== one.method || route.place !== one.place) return false;
  const form = route.path
    .replaceAll(/[.+?^$()[\]{}|]/g, '\\$&')
    .replaceAll(/:\w+/g, '[^/]+')
    .replaceAll('*', '.*');
  return new RegExp(`^${form}$`).test(one.path);
}
