// florin COMMAND: see COMMANDS, or florin help. Run it through bin/florin.mjs, which finds the right Node.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HelpWanted, StartError, fileProblem, notInDataFolder } from './kit/start-error.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** `run` reads its words, and answers `--help` with its usage; `alone` takes none. */
type Command = { readonly says: string } & (
  | { run(args: readonly string[]): Promise<void> }
  | { alone(): Promise<void> }
);

const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    says: 'start every host; a sandbox on loopback unless the settings say otherwise: start [--with stripe,adyen]',
    run: async (args) => (await import('./start.ts')).startCommand(version, args),
  },
  payment: {
    says: 'start the payment API and the back office alone; their vault is on another host',
    alone: async () => (await import('./start.ts')).start(version, 'payment'),
  },
  vault: {
    says: 'start the vault alone',
    alone: async () => (await import('./start.ts')).start(version, 'vault'),
  },
  worker: {
    says: 'start a worker alone',
    alone: async () => (await import('./start.ts')).start(version, 'worker'),
  },
  simulator: {
    says: 'start the simulated providers alone, for the hosts of a sandbox',
    alone: async () => (await import('./start.ts')).start(version, 'simulator'),
  },
  certs: {
    says: "make, or renew, the certificates of the hosts' links: certs FOLDER [--renew] [--days N]",
    run: async (args) => (await import('./hosts/certs.ts')).certsCommand(args),
  },
  destinations: {
    says: 'sign where calls to providers may go: destinations show|key|sign|check …',
    run: async (args) => (await import('./hosts/sign.ts')).destinationsCommand(args),
  },
  demo: {
    says: 'play a payment against the running service and print it; demo routing plays outages, waits, caps and a trial',
    run: async (args) => (await import('./commands/demo.ts')).demoCommand(args),
  },
  shop: {
    says: 'open a demo shop that pays at the running service, with both elements and the hosted page',
    alone: openShop,
  },
  migrate: {
    says: 'bring the databases to the schema of this version; migrate payment or migrate vault: one of them',
    run: async (args) => (await import('./commands/migrate.ts')).migrateCommand(args),
  },
  'accept-timeline': {
    says: 'after a failover that lost commits, and florin reconcile: go on with the database as it is: accept-timeline payment|vault [MARK]',
    run: async (args) => (await import('./commands/accept-timeline.ts')).acceptTimelineCommand(args),
  },
  'make-keys': {
    says: 'make the key files of a new production vault; make-keys payment: that of its payment and worker hosts',
    run: async (args) => (await import('./commands/make-keys.ts')).makeKeys(args),
  },
  'make-pages': {
    says: 'make what browsers get, which a host makes at its first start: for an image that is read-only',
    alone: async () => (await import('./hosts/permissions.ts')).makePages('all'),
  },
  'rotate-keys': {
    says: 'new keys in place of the old ones, while the service runs',
    run: async (args) => (await import('./commands/rotate-keys.ts')).rotateKeys(args),
  },
  'import-cards': {
    says: 'turn a file of cards into a file of tokens',
    run: async (args) => (await import('./commands/import-cards.ts')).importCardsCommand(args),
  },
  'export-cards': {
    says: "seal an account's saved cards to a receiver's key, when two people want it",
    run: async (args) => (await import('./commands/export-cards.ts')).exportCards(args),
  },
  'add-operator': {
    says: 'add somebody who may ask for an export or approve one',
    run: async (args) => (await import('./commands/operators.ts')).addOperatorCommand(args),
  },
  'verify-audit': {
    says: "check that no record of the vault's audit was changed; --money: of the money zone's audits",
    run: async (args) => (await import('./commands/verify-audit.ts')).verifyAuditCommand(args),
  },
  ledger: {
    says: 'verify: counters, operations and ledger of every order must agree',
    run: async (args) => (await import('./commands/ledger/ledger.ts')).ledgerCommand(args),
  },
  archive: {
    says: 'write months of what was seen of payments to files, as FLORIN_ARCHIVE_AFTER_MONTHS says; archive restore FILE puts one back',
    run: async (args) => (await import('./commands/archive/archive.ts')).archiveCommand(args),
  },
  reconcile: {
    says: "compare our operations with a provider's books",
    run: async (args) => (await import('./commands/ledger/reconcile.ts')).reconcileCommand(args),
  },
  review: {
    says: 'list what is in doubt, and findings of accounts that are not here; settle what a person can prove',
    run: async (args) => (await import('./commands/ledger/review.ts')).reviewCommand(args),
  },
  doctor: {
    says: 'look at settings, databases, keys, clocks, disk and queues, and say what to do: doctor [--json] [--production HOST]',
    run: async (args) => (await import('./commands/doctor/doctor.ts')).doctorCommand(version, args),
  },
  risk: {
    says: 'rules and lists that refuse payments: risk list|show|try|publish|roll-back|entries|block|allow|remove …',
    run: async (args) => (await import('./commands/risk.ts')).riskCommand(args),
  },
  routing: {
    says: 'rules that choose the contract of a payment: routing list|show|try|publish|roll-back|why|health|hold …',
    run: async (args) => (await import('./commands/routing/routing.ts')).routingCommand(args),
  },
  order: {
    says: 'show ID: everything that happened to an order; --replay plays it again in a fresh sandbox',
    run: async (args) => (await import('./commands/order/order.ts')).orderCommand(args, version),
  },
  logs: {
    says: 'requests, answers and notifications of an account: logs tail goes on with what comes',
    run: async (args) => (await import('./commands/requests/logs.ts')).logsCommand(args),
  },
  check: {
    says: "look at a sandbox account's last requests, and say what an experienced integrator would",
    run: async (args) => (await import('./commands/requests/check.ts')).checkCommand(args),
  },
  clock: {
    says: "a sandbox's clock: clock, clock advance 3d, clock to TIME",
    run: async (args) => (await import('./commands/sandbox/clock.ts')).clockCommand(args),
  },
  scenario: {
    says: 'faults for the next calls of a sandbox: scenario list, arm OPERATION FAULT, clear',
    run: async (args) => (await import('./commands/sandbox/scenario.ts')).scenarioCommand(args),
  },
  cards: {
    says: 'the card numbers that mean something in a sandbox: cards [WORDS]',
    run: async (args) => (await import('./commands/sandbox/cards.ts')).cardsCommand(args),
  },
  'wallet-keys': {
    says: "a merchant account's keys for Google Pay or Apple Pay: wallet-keys google_pay|apple_pay|apple_pay_identity …",
    run: async (args) => (await import('./commands/wallet/wallet-keys.ts')).walletKeysCommand(args),
  },
  'wallet-payload': {
    says: 'what a wallet would give a shop, to try in a sandbox: wallet-payload google_pay|apple_pay',
    run: async (args) => (await import('./commands/wallet/wallet-payload.ts')).walletPayloadCommand(args),
  },
  acquirer: {
    says: 'start the simulated acquirer of ISO 8583 alone, for a sandbox: acquirer [--port N] [--control-port N]',
    run: async (args) => (await import('./commands/sandbox/acquirer.ts')).acquirerCommand(args),
  },
  trigger: {
    says: 'make something happen in a running sandbox: trigger EVENT',
    run: async (args) => (await import('./commands/sandbox/trigger.ts')).triggerCommand(args),
  },
  account: {
    says: 'create NAME: another merchant account; keys ID: the existing keys that it may import; free-key: lets one go',
    run: async (args) => (await import('./commands/people/people.ts')).accountCommand(args),
  },
  person: {
    says: 'invite EMAIL to a merchant account of the back office, with a role; free-address EMAIL: takes it from who never proved it',
    run: async (args) => (await import('./commands/people/people.ts')).personCommand(args),
  },
  listen: {
    says: 'show the notifications of the demo account; --to URL hands them on to your program',
    run: async (args) => (await import('./commands/listen/listen.ts')).listen(args),
  },
  mcp: {
    says: 'a server of the Model Context Protocol at standard input and output, for programs that write code (docs/mcp.md)',
    run: async (args) => (await import('./commands/mcp/mcp.ts')).mcpCommand(version, args),
  },
  'test-sandbox': {
    says: 'a sandbox that ends with its last test: florin/test starts it (docs/test-kit.md)',
    run: async (args) => (await import('./commands/test-kit/test-sandbox.ts')).testSandboxCommand(version, args),
  },
  docs: {
    says: 'write what is derived from the tables in src; --check only compares',
    run: async (args) => (await import('./commands/docs.ts')).docs(version, args),
  },
  help: {
    says: 'say this; help COMMAND: what a command does and takes',
    run: async ([name = '--help']) => (name.startsWith('-') ? console.log(help()) : runCommand(name, ['--help'])),
  },
  version: { says: 'say which Florin this is', alone: async () => console.log(`Florin ${version}`) },
};

/** Runs beside `florin start`, and knows of it what a merchant knows: addresses and keys. */
async function openShop(): Promise<void> {
  const { readConfig } = await import('./settings/config.ts');
  const { demoAccount, pageInputsAccount } = await import('./hosts/demo-account.ts');
  const { hostUrl } = await import('./hosts/ports.ts');
  const { systemChance, systemClock } = await import('./kit/clock.ts');
  const { openEgress } = await import('./kit/egress.ts');
  const { startShop } = await import('./shop/shop.ts');
  const config = readConfig();
  if (config.environment !== 'sandbox' || !existsSync(join(config.data_dir, 'demo-page-inputs.json')))
    throw notInDataFolder(config.data_dir, 'There are no demo accounts');
  const chance = systemChance(systemClock());
  const [own, page_inputs] = [demoAccount(config, chance), pageInputsAccount(config, chance)];
  const { url } = await startShop({
    host: config.host,
    port: config.shop_port,
    brand: config.brand,
    environment: config.environment,
    chance,
    api_url: hostUrl(config, 'api'),
    vault_url: hostUrl(config, 'vault'),
    keys: { elements: own, 'page-inputs': page_inputs, hosted: own },
    egress: openEgress(),
  });
  console.log(`The demo shop is open: ${url}\nCtrl-C closes it.`);
}

function help(): string {
  const width = Math.max(...Object.keys(COMMANDS).map(({ length }) => length));
  const rows = Object.entries(COMMANDS).map(([name, { says }]) => `  ${name.padEnd(width)}  ${says}`);
  return `Florin ${version}, a card payment API.\n\nUsage: node bin/florin.mjs COMMAND\n\n${rows.join('\n')}\n\nSettings are environment variables: docs/settings.md`;
}

const OPTIONS: Readonly<Record<string, string>> = {
  '--help': 'help',
  '-h': 'help',
  '--version': 'version',
  '-v': 'version',
};

/** Loaded only where a command has failed: most look at no database. */
async function databaseProblem(error: unknown): Promise<string | undefined> {
  return (await import('./kit/database/errors.ts')).databaseProblem(error);
}

async function runCommand(name: string, args: readonly string[]): Promise<void> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new StartError(`There is no command ${name}.\n\n${help()}`);
  const for_help = args.includes('--help') || args.includes('-h');
  if (for_help) console.log(`florin ${name}: ${command.says}`);
  if ('run' in command) return command.run(args);
  if (for_help) return;
  if (args.length > 0)
    throw new StartError(
      `florin ${name} takes no words, and was given ${args.join(' ')}. Settings are environment variables: docs/settings.md`,
    );
  await command.alone();
}

const [word = 'help', ...words] = process.argv.slice(2);
try {
  await runCommand(OPTIONS[word] ?? word, words);
} catch (error) {
  if (error instanceof HelpWanted) console.log(`\n${error.message}`);
  else {
    const said = error instanceof StartError ? error.message : (fileProblem(error) ?? (await databaseProblem(error)));
    console.error(said === undefined ? error : `\n${said}`);
    process.exit(1);
  }
}
