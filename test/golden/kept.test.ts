// The transcript that is kept tells of every route: one that came later is noticed here, before the transcript is
// played again (npm run golden).
import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROLES } from '../../src/backoffice/rights.ts';
import { world } from '../world.ts';
import { type KnownRoute, apiRoutes, deskRoutes, missing } from './routes.ts';

const FOLDER = new URL('transcript/', import.meta.url);
const REQUEST = /^(GET|POST|PUT|DELETE) +\{(\w+)\}([^ ?]*)\S*(?:.*  as (\w+))?/gm;

const kept = readdirSync(FOLDER).flatMap((file) =>
  [...readFileSync(new URL(file, FOLDER), 'utf8').matchAll(REQUEST)].map(
    ([, method = '', place = '', path = '', as]): KnownRoute & { readonly as: string | undefined } => ({
      method,
      place,
      path,
      as,
    }),
  ),
);

test('every route of merchants stands in it, and every one of the back office in every role; else: npm run golden -- --record', async () => {
  await using w = await world();
  // pages and what providers ask are played without being written down
  const of_merchants = apiRoutes(w).filter(({ path }) => !path.startsWith('/authentication/'));
  expect(missing(of_merchants, kept)).toEqual([]);
  for (const role of ROLES)
    expect([
      role,
      missing(
        deskRoutes(w),
        kept.filter(({ as }) => as === role),
      ),
    ]).toEqual([role, []]);
});
