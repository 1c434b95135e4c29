// Who may import whom, and who may import what from npm and from Node.
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { type File, type Rule, at, isCode, lexed } from './rule.ts';

/** What a file imports, in whatever way; a target that is worked out at run time is undefined. */
function importsOf(file: File): { at: number; target: string | undefined }[] {
  const { code, texts } = lexed(file);
  const written = new Map(texts.map((text) => [text.start, text.value]));
  const named = [...code.matchAll(/(?<![.\w$])(?:from\s*|import\s*\(?\s*|require\s*\(\s*)(?=["'`])/g)].map((match) => {
    const value = written.get(match.index + match[0].length);
    return { at: match.index, target: value?.includes('${}') === true ? undefined : value };
  });
  const computed = [...code.matchAll(/(?<![.\w$])(?:import|require)\s*\(\s*(?=[^"'`\s)])/g)];
  return [...named, ...computed.map((match) => ({ at: match.index, target: undefined }))];
}

const FLOOR = ['core', 'kit', 'provider', 'provider/send', 'provider/table'];
// What may be done with an order, pure: notifications and the back office ask it as orders do.
const RULES = 'payment/order-rules';
// Written by the hosts and by notifications; it knows whose a row is.
const REQUEST_LOG = 'payment/request-log';
// These serve the nouns and know none of them but the lowest, whose settings they read.
const SERVICES = [
  'payment/declines',
  'payment/ledger',
  'payment/mail',
  'payment/risk',
  'payment/routing',
  'payment/notification',
  'payment/metrics',
  'payment/payer',
];
// Nouns of payment from the lowest up: each sees those before it.
const MERCHANT = 'payment/merchant';
const NOUNS = ['payment/checkout', 'payment/customer', 'payment/order', 'payment/payment-link'];
// The hosted page makes orders as a merchant's server does: nothing below knows it.
const LAST = ['settlement', 'dispute', 'report', 'privacy', 'page', 'overview', 'integration'].map(
  (one) => `payment/${one}`,
);
const LINE = 'src/provider/send/iso8583/';
const ROOF = [
  'core',
  'kit',
  'provider',
  'provider/send',
  'provider/table',
  'vault',
  'sandbox',
  'simulators',
  'payment/*',
  'worker',
  'backoffice',
  'roof',
  'settings',
  'web',
  'shop',
];
// What stands in src/payment itself is below the nouns, but for routes, which stand above them. The vault link is both:
// a noun calls it, and it may see all of payment.
const BELOW = [...FLOOR, 'payment', 'payment/vault-link'];

/**
 * A place (see `placeOf`) and what it may import besides itself. A place without a row is a breach; `free` has none.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  kit: ['core'],
  provider: ['core', 'provider/table', `${LINE}dialect.ts`],
  // The table of a provider's steps is data: the vault reads it, and no code comes in behind it.
  'provider/table': ['src/provider/contract.ts'],
  // What both zones send with: it knows what a step is, and no provider.
  'provider/send': ['core', 'kit', 'src/provider/contract.ts'],
  vault: ['core', 'kit', 'provider/send'],
  sandbox: ['core', 'kit'],
  // nothing is shared with the product but the wire: of ISO 8583 that is a codec, which published messages hold
  simulators: ['core', 'kit', ...['codec', 'composite', 'dialect', 'frames'].map((name) => `${LINE}${name}.ts`)],
  payment: [...FLOOR, 'payment/vault-link'],
  'payment/routes': [...FLOOR, 'payment/*'],
  'payment/vault-link': [...FLOOR, 'payment/*'],
  [MERCHANT]: BELOW,
  [RULES]: ['core', 'provider'],
  ...Object.fromEntries(SERVICES.map((place) => [place, [...FLOOR, 'payment', MERCHANT, RULES, REQUEST_LOG]])),
  [REQUEST_LOG]: [...FLOOR, 'payment', MERCHANT],
  ...Object.fromEntries(
    NOUNS.map((place, i) => [place, [...BELOW, MERCHANT, ...SERVICES, RULES, ...NOUNS.slice(0, i)]]),
  ),
  ...Object.fromEntries(LAST.map((place) => [place, [...BELOW, MERCHANT, ...SERVICES, REQUEST_LOG, RULES, ...NOUNS]])),
  // The public half of the sandbox: it speaks to the simulated provider over its port, and knows no noun but whose key
  // called.
  'payment/sandbox': [...FLOOR, 'payment', MERCHANT],
  worker: ['core', 'kit', 'payment/*'],
  backoffice: ['core', 'kit', 'payment/*', 'wire'],
  wire: ['core', 'src/payment/merchant/settings.ts'],
  // plays a merchant: knows the service by its addresses only
  shop: ['core', 'kit'],
  // a package of its own, which is published without the rest
  client: [],
  web: ['src/core/card.ts', 'src/core/money.ts', 'src/core/payer/language.ts'],
  'web/logos': ['web', 'src/core/card.ts', 'src/core/money.ts'],
  // the wire is types only: nothing of the server comes into the browser
  // and the frame of the card fields, which is the vault's
  'web/backoffice': [
    'src/core/money.ts',
    'src/core/card.ts',
    'src/core/payer/colours.ts',
    'src/core/payer/language.ts',
    'src/core/differences.ts',
    'src/core/durations.ts',
    // limits that a page says and a field keeps to
    'src/core/account-limits.ts',
    'src/core/keys/limits.ts',
    'src/core/people/limits.ts',
    'src/core/dispute/evidence.ts',
    'src/core/retries/policy.ts',
    'src/core/retries/day.ts',
    // whether a trial carries a number, of parts that the page adds up
    'src/core/routing/learn/snips.ts',
    'src/core/routing/learn/shown.ts',
    'src/core/routing/learn/trial-cost.ts',
    'src/core/routing/learn/weights.ts',
    'wire',
    'web/fields-frame.ts',
    'web/messages.ts',
  ],
  roof: ROOF,
  settings: ROOF,
};

/**
 * Files straight in src, in src/hosts and in src/commands are the roof. Tests, bench, bin and the files of the root are
 * free.
 */
function placeOf(path: string): string {
  const [top = '', zone = '', noun = ''] = path.replace(/\.[a-z]+$/, '').split('/');
  if (top === 'web') return ['web/logos', 'web/backoffice'].find((own) => path.startsWith(`${own}/`)) ?? 'web';
  if (path.startsWith('src/backoffice/wire')) return 'wire';
  if (top === 'client') return 'client';
  if (top !== 'src') return 'free';
  if (!path.startsWith(`src/${zone}/`)) return 'roof';
  if (zone === 'hosts' || zone === 'commands') return 'roof';
  if (zone === 'provider' && noun === 'send') return 'provider/send';
  if (/^src\/provider\/[^/]+\/steps\.ts$/.test(path)) return 'provider/table';
  if (zone !== 'payment') return zone;
  const own_row = path.startsWith(`src/payment/${noun}/`) || noun === 'routes' || noun === 'vault-link';
  return own_row ? `payment/${noun}` : 'payment';
}

/** Load by a name that a person gave: tables that the operator signed, and simulators of a sandbox. */
const BY_NAME = ['src/provider/send/tables.ts', 'src/simulators/main.ts'];

function bordersOf(file: File): string[] {
  const place = placeOf(file.path);
  if (place === 'free') return [];
  const may = MAY_IMPORT[place];
  if (may === undefined) return [at(file, 0, `${place} has no row in the table of who may import whom`)];
  return importsOf(file).flatMap(({ at: offset, target }) => {
    if (target === undefined) {
      return place === 'roof' || BY_NAME.includes(file.path)
        ? []
        : [at(file, offset, 'imports what is only known at run time')];
    }
    if (/^(?:\/|#|[a-z]+:\/\/)/.test(target)) return [at(file, offset, `imports ${target}, which no rule can follow`)];
    if (!target.startsWith('.')) return [];
    const path = posix.join(posix.dirname(file.path), target);
    const other = placeOf(path);
    const allowed = [place, ...may].some((row) => row === other || row === path || isWithin(row, other));
    return allowed ? [] : [at(file, offset, `${place} may not import ${path}`)];
  });
}

function isWithin(row: string, place: string): boolean {
  return row === 'payment/*' && (place === 'payment' || place.startsWith('payment/'));
}

const ANY = ['*'];
const NETWORK = ['net', 'http', 'http2', 'https', 'tls', 'dgram', 'dns', 'dns/promises'];
type Row = { readonly npm: readonly string[]; readonly node: readonly string[]; readonly not_node?: readonly string[] };
// A zone uses Node, but the network only through the kit: limits, timeouts and the address filter are there.
const ZONE: Row = { npm: [], node: ANY, not_node: NETWORK };

/** What a place may take from npm and from Node. */
const MAY_USE: Readonly<Record<string, Row>> = {
  core: { npm: [], node: [] },
  provider: { npm: [], node: ['crypto', 'buffer', 'util'] },
  'provider/table': { npm: [], node: [] },
  'provider/send': ZONE,
  kit: {
    npm: [
      'pg',
      'pg-protocol',
      'fastify',
      'undici',
      'pino',
      'rolldown',
      'mmdb-lib',
      'nodemailer',
      '@simplewebauthn/server',
      'openid-client',
    ],
    node: ANY,
  },
  vault: ZONE,
  payment: ZONE,
  // plays somebody else's host, with a server of its own
  sandbox: { npm: [], node: ANY },
  simulators: { npm: [], node: ANY },
  shop: { npm: [], node: ANY },
  worker: ZONE,
  backoffice: ZONE,
  settings: ZONE,
  roof: { npm: ANY, node: ANY },
  client: { npm: ['react'], node: [] },
  web: { npm: [], node: [] },
  'web/backoffice': {
    npm: ['react', 'react-dom', '@mantine/core', '@tanstack/react-query', 'uqr', '@simplewebauthn/browser'],
    node: [],
  },
  // the program that draws the logos once: no part of what a browser gets
  'web/logos': { npm: ['@resvg/resvg-js', 'opentype.js', '@fontsource/inter'], node: ANY },
};

function packagesOf(file: File): string[] {
  const place = placeOf(file.path);
  const row = MAY_USE[place] ?? MAY_USE[place.split('/')[0] ?? ''];
  if (row === undefined) return [];
  return importsOf(file).flatMap(({ at: offset, target }) => {
    if (target === undefined || /^[./#]/.test(target)) return [];
    const name = target.replace(/^node:/, '');
    if (!isBuiltin(target)) {
      const pack = name.split('/', name.startsWith('@') ? 2 : 1).join('/');
      return row.npm.includes('*') || row.npm.includes(pack) ? [] : [at(file, offset, `${place} may not use ${pack}`)];
    }
    const allowed = (row.node.includes('*') || row.node.includes(name)) && row.not_node?.includes(name) !== true;
    return allowed ? [] : [at(file, offset, `${place} may not use node:${name}`)];
  });
}

/** A value would come into the browser with all that it imports. */
function valuesIn(file: File): string[] {
  const values = lexed(file).code.matchAll(/^(?:import|export)(?! type\b)/gm);
  return [...values].map(({ index }) => at(file, index, 'the browser takes types from here and nothing else'));
}

export const IMPORT_RULES: readonly Rule[] = [
  {
    name: 'a folder imports only what its row in the table allows',
    find: (files) => files.filter((file) => isCode(file.path)).flatMap(bordersOf),
    breach: {
      'src/core/money.ts': "import { x } from '../kit/log.ts';",
      'src/kit/log.ts': "\nexport * from '../vault/keys.ts';",
      'src/kit/plug.ts': 'const x = await import(name);\nconst y = await import(`./${name}.ts`);',
      'src/provider/a.ts': "import type { Log } from '../kit/log.ts';",
      'src/vault/a.ts': "type T = import('../payment/routes.ts').T;\nimport '../sandbox/main.ts';",
      'src/sandbox/a.ts': "import {\n  type A,\n  b,\n} from '../provider/contract.ts';",
      'src/payment/routes.ts': "const { x } = await import('../vault/routes.ts');",
      'src/payment/tools.ts': "import { a } from './order/create.ts';",
      'src/payment/merchant/a.ts': "import { a } from '../checkout/create.ts';",
      'src/payment/checkout/a.ts': "export { a } from '../customer/a.ts';\nimport b from '../routes.ts';",
      'src/payment/order/a.ts': "import { a } from '../settlement/a.ts'; // late",
      'src/payment/settlement/a.ts': "import { a } from '../dispute/a.ts';",
      'src/payment/risk/a.ts': "import { a } from '../order/a.ts';",
      'src/payment/order-rules/a.ts': "import type { T } from '../order/read/facts.ts';",
      'src/payment/merchant/b.ts': "import { a } from '../routing/choose.ts';",
      'src/payment/extra/a.ts': 'export const a = 1;',
      'src/worker/a.ts': "import { a } from '../vault/forget.ts';\nimport { b } from '../backoffice/a.ts';",
      'src/backoffice/a.ts': "import { config } from '../settings/config.ts';\nimport { b } from '../main.ts';",
      'src/main.ts': "import { world } from '../test/world.ts';",
      'web/page/a.ts': "import { x } from '../../src/core/results.ts';",
      'src/newcomer/a.ts': '',
      'client/src/a.ts': "import { x } from '../../src/core/results.ts';",
      'src/provider/b/steps.ts': "import { a } from './b.ts';",
      'src/provider/send/a.ts': "import { a } from '../simulator.ts';\nconst b = await import(c);",
      'src/vault/b.ts': "import { a } from '../provider/registry.ts';",
    },
    finds: [
      'core/money.ts:1 kit/log.ts:2 kit/plug.ts:1 kit/plug.ts:2 provider/a.ts:1 vault/a.ts:1 vault/a.ts:2',
      'sandbox/a.ts:4 payment/routes.ts:1 payment/tools.ts:1 payment/merchant/a.ts:1',
      'payment/checkout/a.ts:1 payment/checkout/a.ts:2 payment/order/a.ts:1 payment/settlement/a.ts:1',
      'payment/risk/a.ts:1 payment/order-rules/a.ts:1 payment/merchant/b.ts:1 payment/extra/a.ts:1',
      'worker/a.ts:1 worker/a.ts:2 backoffice/a.ts:1 backoffice/a.ts:2 main.ts:1 ../web/page/a.ts:1',
      'newcomer/a.ts:1 ../client/src/a.ts:1 provider/b/steps.ts:1 provider/send/a.ts:1 provider/send/a.ts:2 vault/b.ts:1',
    ]
      .flatMap((line) => line.split(' '))
      .map((found) => posix.join('src', found)),
    clean: {
      'src/core/money.ts':
        "import { a } from './ids.ts'; // import { b } from '../kit/log.ts'\nconst s = \"from '../kit/a.ts'\";",
      'src/kit/a.ts':
        "/* from '../vault/a.ts' */ import { a } from '../core/a.ts';\nconst t = `import('../vault/a.ts')`;",
      'src/provider/a.ts': "import type { R } from '../core/results.ts';\nArray.from('../kit/a.ts');",
      'src/provider/b/steps.ts': "import type { Steps } from '../contract.ts';",
      'src/vault/b.ts': "import { a } from '../provider/send/call.ts';",
      'src/provider/send/tables.ts': 'const a = await import(name);',
      'src/vault/deep/a.ts': "import { a } from '../../kit/http.ts';\nimport { b } from '../keys.ts';",
      'src/payment/routes.ts': "import { a } from './dispute/a.ts';\nimport { v } from './vault-link.ts';",
      'src/payment/vault-link.ts': "import type { T } from './order/submit.ts';",
      'src/payment/order/a.ts':
        "import { a } from '../customer/a.ts';\nimport { t } from '../tools.ts';\nimport { v } from '../vault-link.ts';",
      'src/payment/settlement/a.ts': "import { a } from '../order/a.ts';\nimport { l } from '../ledger/post.ts';",
      'src/payment/notification/a.ts': "import { a } from '../order-rules/allowed.ts';",
      'src/worker/a.ts': "import { a } from '../payment/order/recover.ts';",
      'src/main.ts':
        "import { v } from './vault/routes.ts';\nimport { c } from './settings/config.ts';\nawait import(file);",
      'src/settings/config.ts': "import { a } from '../core/money.ts';",
      'web/elements/inside/a.ts':
        "import { luhn } from '../../../src/core/card.ts';\nimport { m } from '../../messages.ts';",
      'test/world.ts': "import { a } from '../src/vault/keys.ts';\nimport { b } from '../src/payment/order/a.ts';",
      'bench/bench.ts': "import { a } from '../src/payment/order/a.ts';",
    },
  },
  {
    name: "the back office's wire is types alone",
    find: (files) => files.filter((file) => placeOf(file.path) === 'wire').flatMap(valuesIn),
    breach: {
      'src/backoffice/wire/a.ts':
        "import { a } from '../../core/a.ts';\nexport const b = 1;\nexport { c } from './c.ts';",
    },
    finds: ['src/backoffice/wire/a.ts:1', 'src/backoffice/wire/a.ts:2', 'src/backoffice/wire/a.ts:3'],
    clean: {
      'src/backoffice/wire/a.ts':
        "import type { A } from '../../core/a.ts';\nexport type { A };\nexport type B = A; // export const",
      'src/backoffice/a.ts': 'export const a = 1;',
    },
  },
  {
    name: 'a folder uses only the npm packages and the parts of Node in its row',
    find: (files) => files.filter((file) => isCode(file.path)).flatMap(packagesOf),
    breach: {
      'src/core/a.ts': "import { createHash } from 'node:crypto';\nimport type { A } from 'pg';",
      'src/provider/a.ts': "import { readFileSync } from 'fs';\nexport { x } from '@scope/pack/deep.js';",
      'src/kit/a.ts': "import x from 'lodash/fp';",
      'src/payment/order/a.ts': "const { Client } = await import('pg');\nimport { connect } from 'node:net';",
      'src/vault/a.ts': "const f = require('fastify');",
      'web/page/a.ts': "import { readFile } from 'node:fs/promises';",
      'client/src/a.ts': "import { createHmac } from 'node:crypto';",
    },
    finds: [
      'src/core/a.ts:1',
      'src/core/a.ts:2',
      'src/provider/a.ts:1',
      'src/provider/a.ts:2',
      'src/kit/a.ts:1',
      'src/payment/order/a.ts:1',
      'src/payment/order/a.ts:2',
      'src/vault/a.ts:1',
      'web/page/a.ts:1',
      'client/src/a.ts:1',
    ],
    clean: {
      'src/core/a.ts': "// import 'pg'\nconst from = 'pg';",
      'src/provider/a.ts': "import { createHmac } from 'node:crypto';",
      'src/kit/a.ts': "import pg from 'pg';\nimport { Agent } from 'undici';\nimport net from 'node:net';",
      'src/payment/a.ts': "import { createHash } from 'node:crypto';",
      'src/docs.ts': "import scalar from '@scalar/fastify-api-reference';",
      'web/logos/draw.ts': "import { Resvg } from '@resvg/resvg-js';\nimport { writeFileSync } from 'node:fs';",
      'test/a.test.ts': "import fc from 'fast-check';",
    },
  },
];
