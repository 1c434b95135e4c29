// florin COMMAND: start, demo, migrate, docs, help. Run it through bin/florin.mjs, which finds the right Node.
import { readFileSync } from 'node:fs';
import { StartError } from './kit/start-error.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const COMMANDS: Readonly<Record<string, { readonly says: string; run(args: readonly string[]): Promise<void> }>> = {
  start: {
    says: 'start every host; a sandbox on loopback unless the settings say otherwise',
    run: async () => (await import('./start.ts')).start(version),
  },
  demo: {
    says: 'play a payment against the running service and print it',
    run: async () => (await import('./demo.ts')).demo(),
  },
  migrate: {
    says: 'bring the databases to the schema of this version',
    run: async () => (await import('./migrate-command.ts')).migrateCommand(),
  },
  'make-keys': {
    says: 'make the key files of a new production vault',
    run: async () => (await import('./commands/make-keys.ts')).makeKeys(),
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
    says: "check that no record of the vault's audit was changed",
    run: async () => (await import('./commands/verify-audit.ts')).verifyAuditCommand(),
  },
  ledger: {
    says: 'verify: counters, operations and ledger of every order must agree',
    run: async (args) => (await import('./commands/ledger/ledger.ts')).ledgerCommand(args),
  },
  reconcile: {
    says: "compare our operations with a provider's books",
    run: async (args) => (await import('./commands/ledger/reconcile.ts')).reconcileCommand(args),
  },
  review: {
    says: 'list what is in doubt; settle what a person can prove',
    run: async (args) => (await import('./commands/ledger/review.ts')).reviewCommand(args),
  },
  docs: {
    says: 'write what is derived from the tables in src; --check only compares',
    run: async (args) => (await import('./docs.ts')).docs(version, args),
  },
  help: { says: 'say this', run: async () => console.log(help()) },
};

function help(): string {
  const rows = Object.entries(COMMANDS).map(([name, { says }]) => `  ${name.padEnd(14)}${says}`);
  return `Florin ${version}, a card payment API.\n\nUsage: node bin/florin.mjs COMMAND\n\n${rows.join('\n')}\n\nSettings are environment variables: docs/settings.md`;
}

const [name = 'help', ...args] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (!command) {
  console.error(`There is no command ${name}.\n\n${help()}`);
  process.exitCode = 1;
} else {
  try {
    await command.run(args);
  } catch (error) {
    console.error(error instanceof StartError ? `\n${error.message}` : error);
    process.exit(1);
  }
}
