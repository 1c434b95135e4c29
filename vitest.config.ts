// What `npm test` runs, as three projects, and the longer forms, each by a mode of its own: vitest run --mode NAME.
import { type TestProjectInlineConfiguration, defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/slowest-first.ts';

type Settings = NonNullable<TestProjectInlineConfiguration['test']>;

const COMMON = {
  // these say that something hangs, and promise no time: a machine that does much else is ten times slower
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  pool: 'forks',
  // files leave more young objects behind than Node expects of a program: with its usual room a fifth of the time goes into sorting them
  execArgv: ['--max-semi-space-size=64'],
  // more than processors: two thirds of it is waiting, for deadlines, for processes that start, for browsers
  maxWorkers: 4,
  // the simulated banks that worlds start find their programs compiled here, as those of a started Florin do
  env: { NODE_COMPILE_CACHE: `${import.meta.dirname}/node_modules/.cache/florin` },
} satisfies Settings;

const BROWSER = ['test/browser/**/*.test.ts', 'test/backoffice-app/**/*.test.ts'];

/** What looks at its own process, changes it, or counts what was done in it: a process for each file. */
const APART = [
  'test/{canary,connections,embedded,failover,hosts,observability,start,test-kit}/**/*.test.ts',
  'test/{embedded,hand-over}.test.ts',
  'test/journeys/fuzz.test.ts',
  'test/maintenance/lost-database.test.ts',
  'test/notifications/lists.test.ts',
  'test/risk/{rules,sweeps,velocity}.test.ts',
  'test/sandbox/commands.test.ts',
  'test/vault/{export-read,kept-files,pkcs11}.test.ts',
];

/** Drawn at random, for long; in full size by `npm run test:full`. */
const AT_LENGTH = 'test/{notifications/order,payment/histories}.test.ts';

/** Every provider through every scenario takes minutes; a part of it is in `npm test`. */
const PROVIDERS = 'test/conformance/{again,declines,later,messages,payment}.test.ts';

/** Programs and lines of the guides are run in `npm run test:guides`; what the pages are made of is looked at in `npm test`. */
const GUIDES = 'test/guides/{lines,receivers,shop}.test.ts';

/** The pages, in every look, language and field; what takes a card in and keeps it there is in `npm test`. */
const EVERY_PAGE = [
  'test/browser/{apple-pay,as-heard,bank,challenge,client-elements,docs-site,google-pay,hosted-page}.test.ts',
  'test/browser/{old-element,robust,sizes,stripe-pages,trouble,typing,wallets}.test.ts',
  'test/backoffice-app/{desk,dialog-errors,disputes,doors,drafts,experiments,fees,fields,find,find-people,french,keyboard,leaving,links,long-texts}.test.ts',
  'test/backoffice-app/{mail,many-in-doubt,messages,notifications,papers,passkeys,people,reading}.test.ts',
  'test/backoffice-app/{receipts-and-alarms,requests,retries,sign-on,stories,tablet,telephone,ten-tasks}.test.ts',
];

/** Whole Florins that are started, stopped, killed and taken from each other, at any byte and in every way. */
const STARTS = [
  'test/canary/{memory,memory-again}.test.ts',
  'test/connections/{behind-commit,bodies,commands,ends,gave-up,night,no-room}.test.ts',
  'test/declines/processes.test.ts',
  'test/embedded/accounts.test.ts',
  'test/{embedded,hand-over}.test.ts',
  'test/hosts/{apple-pay,going-live,google-pay,late,link,odd-addresses,outage,pages,start}.test.ts',
  'test/notifications/lists.test.ts',
  'test/observability/{doctor,metrics}.test.ts',
  'test/sandbox/commands.test.ts',
  'test/start/{crash,file-problems,hardening,migrate,private,secret-key,settings,start,stop}.test.ts',
  'test/test-kit/kit.test.ts',
];

/** Whole stories in one process, which take their time: days of books and messages, a provider's every answer. */
const STORIES = [
  'test/authentication/begun-again.test.ts',
  'test/backoffice/{commands,freed-keys,kept-answers,second-person}.test.ts',
  'test/conformance/{disputes,mutants/copy,no-answer,payer,retried}.test.ts',
  'test/database/upgrade.test.ts',
  'test/declines/{caps,import}.test.ts',
  'test/disputes/{desk,failed-capture}.test.ts',
  'test/doubt/{cards,elsewhere-at-random,elsewhere-beside,inbox,made-by-hand,no-fault,poisonous-rows,provider-messages,stale-not-found,whose-word}.test.ts',
  'test/journeys/{checkout-ends,door-limits,hard-limits,recovery-places}.test.ts',
  'test/ledger/{applied-at-random,applied-in-order,commands,findings,odd-ends,review,stale-books}.test.ts',
  'test/mail/{mails,refunds}.test.ts',
  'test/maintenance/races.test.ts',
  'test/mcp/mcp.test.ts',
  'test/privacy/{erase,race}.test.ts',
  'test/reports/{agree,fees,reports}.test.ts',
  'test/request-log/check.test.ts',
  'test/retries/histories.test.ts',
  'test/risk/command.test.ts',
  'test/routing/{by-value,decline-watch,figures,journey,left-alone}.test.ts',
  'test/sandbox/{clock-busy,clock-pending,codes,faults}.test.ts',
  'test/search/{outcome,overview,search}.test.ts',
  'test/vault/{ciphertexts,import-export,import-twice,rotation,taken-in-part}.test.ts',
  'test/with/{iso8583,iso8583-walks,stripe,two-pages,two-payers}.test.ts',
];

/** More rows of what `npm test` has, in the form of the pages alone. */
const MORE_ROWS = 'test/browser/{pages,shop}.test.ts';

/** Looked through by a checker that takes minutes, where it can be had. */
const PATTERNS = 'test/patterns.test.ts';

/** A replicated cluster that is killed, frozen and brought back under load takes a minute; what one server can show is in `npm test`. */
const FAILOVER = 'test/failover/{failover,mutants,rolling}.test.ts';

const project = (name: string, settings: Settings) => ({ test: { ...COMMON, name, ...settings } });

const SHORT = [
  // a module is loaded and compiled once for all the files of a worker; each file still makes a world of its own
  project('server', {
    include: ['test/**/*.test.ts'],
    exclude: [...BROWSER, ...APART, PROVIDERS, GUIDES, PATTERNS, AT_LENGTH, ...STARTS, ...STORIES],
    isolate: false,
  }),
  project('browser', { include: BROWSER, exclude: EVERY_PAGE, isolate: false }),
  project('apart', { include: APART, exclude: [...STARTS, FAILOVER] }),
];

/** By their npm scripts: package.json. */
const LONG: Readonly<Record<string, Settings>> = {
  // what is drawn at random, in the numbers that a release is measured by
  full: {
    include: [
      'test/core/{money,money-wire}.test.ts',
      'test/notifications/order.test.ts',
      'test/payment/histories.test.ts',
      'test/declines/histories.test.ts',
      'test/providers-read.test.ts',
      PATTERNS,
      'test/journeys/fuzz.test.ts',
      'test/maintenance/races.test.ts',
      'test/connections/{commands,night}.test.ts',
      'test/sandbox/messages.test.ts',
      'test/iso8583/{codec,provider,lines,stories}.test.ts',
    ],
    env: { ...COMMON.env, FLORIN_TEST_FULL: '1' },
  },
  // what takes its time, and needs no process of its own
  stories: { include: [...STORIES, AT_LENGTH, PATTERNS], isolate: false },
  // the pages in a real browser, in every look and language
  browser: {
    include: [...EVERY_PAGE, MORE_ROWS],
    env: { ...COMMON.env, FLORIN_TEST_FULL: '1' },
    isolate: false,
  },
  // whole processes, with the rows of them that `npm test` leaves out
  starts: { include: STARTS, env: { ...COMMON.env, FLORIN_TEST_FULL: '1' } },
  // every provider through every scenario: docs/provider-scenarios.md
  providers: {
    include: ['test/conformance/**/*.test.ts'],
    // it holds what this run writes
    exclude: ['test/conformance/table.test.ts'],
    env: { ...COMMON.env, FLORIN_TEST_FULL: '1' },
    isolate: false,
  },
  // a product that is broken on purpose: at every provider (the end of docs/provider-scenarios.md), and over processes
  mutants: {
    include: ['test/conformance/mutants/mutants.ts', 'test/declines/processes-mutants.ts', 'test/routing/mutants.ts'],
  },
  // the database machine dies, in every way that lost orders; needs a PostgreSQL with pg_basebackup
  failover: { include: ['test/failover/**/*.test.ts'] },
  // a hundred faults of the database machine in a row, with how long each took
  'failover:long': { include: ['test/failover/long.ts'], hookTimeout: 300_000 },
  // the same with the manager, the members of etcd and the proxy that deploy/ names
  'failover:patroni': { include: ['test/failover/patroni/long.ts'] },
  // two payment hosts restarted in turn under load, fifty times
  rolling: { include: ['test/failover/rolling.test.ts'], env: { ...COMMON.env, FLORIN_TEST_FULL: '1' } },
  // thousands of orders over all providers, three in ten in trouble
  orders: { include: ['test/conformance/many/orders.ts'] },
  // the journeys and the vault's tests once more, over the other shape: payment, vault and worker in processes of their own,
  // with mutual TLS between them
  processes: {
    include: ['test/{journeys,vault,hosted-page}/**/*.test.ts', 'test/browser/challenge.test.ts'],
    // these open the vault's keys, files or ports from inside its process, which is another one here, or give it tables of steps
    // that no build has
    exclude: [
      'test/vault/{ciphertexts,cvc,export-read,import-export,import-twice,kept-files,kept-heads,keys,repeats,rotation,script-watch,taken-in-part}.test.ts',
      'test/vault/{contract-credentials,destinations,hostile,late-send,removed-while-rotating,sending}.test.ts',
      'test/vault/wallets/{apple-session,commands,google-frame}.test.ts',
      'test/journeys/{hard-limits,provider-told,renewed-certificate,saved-cards}.test.ts',
      // what a host says before its verb is asked, it says in both shapes by the same lines
      'test/journeys/{door-bodies,door-errors,door-hints,door-limits,door-paths,fields,fields-special,key-scopes}.test.ts',
      // these start no service at all, or look at what the vault does by itself
      'test/hosted-page/{lines,texts}.test.ts',
      'test/vault/{json-bytes,line-destinations,numbers,pkcs11,scrub,transit}.test.ts',
      'test/vault/wallets/{apple-pay,google-pay}.test.ts',
    ],
    env: { ...COMMON.env, FLORIN_TEST_SHAPE: 'processes' },
    isolate: false,
  },
  // the journeys once more, sent by the client library; it under Deno and Bun, over eight bad lines, and what of it takes its time
  client: {
    include: [
      'test/{journeys,maintenance,customers,authentication}/**/*.test.ts',
      'test/client-library/long/*.ts',
      'test/client-library/noisy.test.ts',
    ],
    // counts keys, of which the library sends more
    exclude: ['test/journeys/checkout-ends.test.ts'],
    env: { ...COMMON.env, FLORIN_TEST_CLIENT: 'library' },
    isolate: false,
  },
  // every line and program of the guides, run as a reader runs them
  guides: { include: [GUIDES] },
  // the pictures of the guides, taken anew
  pictures: { include: ['test/guides/pictures.ts'] },
  // every page of the back office's web app in every look and for every role, in a real browser
  backoffice: { include: ['test/backoffice-app/matrix.ts'], testTimeout: 300_000 },
  // payers, and people of the merchant, in Firefox and in WebKit, where they are installed
  engines: { include: ['test/engines/{desk,pay}.ts'] },
  // every page at /docs in every look, in a real browser
  site: { include: ['test/site/every-page.ts'] },
  // deploy/ read and run by the programs it is written for; backups made, restored and proved
  deploy: { include: ['test/deploy/long/*.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
  // a backlog of notifications after an outage, in full size
  drain: { include: ['test/notifications/{drain,kill}.ts'], testTimeout: 600_000 },
  // what is of the registry: the test kit in projects of its own, under the usual runners; the MCP server under the official
  // client; a newer Node
  outside: {
    include: ['test/test-kit/{ends,outside}.ts', 'test/mcp/official-client.ts', 'test/hosts/node-of-a-mac.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
  // the oldest PostgreSQL that Florin works with; in CI the statements and what they are prepared for alone
  oldest: { include: ['test/database/oldest.ts'], env: { ...COMMON.env, FLORIN_TEST_FULL: '1' }, hookTimeout: 600_000 },
  // what answers tell of other accounts by the time they take
  timing: { include: ['test/backoffice/tenants-timing.ts'], testTimeout: 3_600_000 },
};

/**
 * What `npm test` leaves out of its own files, in one run, as CI has it: one start, and no waiting for the last file of
 * each form. All of it in the numbers of `npm test`: the full ones are a release's (decision 168).
 */
const REST = ['stories', 'browser', 'starts', 'processes', 'guides', 'oldest'];

function inUsualNumbers({ test }: TestProjectInlineConfiguration): TestProjectInlineConfiguration {
  const { FLORIN_TEST_FULL: _, ...env } = test?.env ?? {};
  return { test: { ...test, env, exclude: [...(test?.exclude ?? []), MORE_ROWS] } };
}

/** The projects of a run. */
export function projectsOf(mode: string): TestProjectInlineConfiguration[] {
  if (mode === 'rest') return REST.flatMap(projectsOf).map(inUsualNumbers);
  const long = LONG[mode];
  return long ? [project(mode, long)] : SHORT;
}

export default defineConfig(({ mode }) => {
  // knip reads this file too, in modes of its own
  const is_run = process.env['VITEST'] !== undefined;
  if (!(mode in LONG) && mode !== 'test' && mode !== 'rest' && is_run)
    throw new Error(`there is no form of the tests called ${mode}`);
  return {
    test: {
      globalSetup: ['./test/global-setup.ts'],
      reporters: [
        'default',
        ...(mode === 'providers' ? ['./test/conformance/keep-outcomes.ts'] : []),
        './test/plain-line.ts',
      ],
      sequence: { sequencer: SlowestFirst },
      projects: projectsOf(mode),
    },
  };
});
