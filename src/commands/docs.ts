// florin docs: writes the pages that are derived from the tables in src, so that no page contradicts the code. With
// --check it only compares, and names pages that are out of date. It needs neither a service nor a database.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { SETTINGS } from '../settings/settings.ts';
import { cardModules } from './test-kit/cards-module.ts';
import { RESULTS, type ResultRow } from '../core/results.ts';
import { codeNumber } from '../core/sandbox/cards.ts';
import { OPERATION_STATES, ORDER_MOVES, ORDER_STATUSES } from '../core/states.ts';
import { CODES_LEAD, WHAT_TO_DO } from './code-words.ts';
import { StartError, helpIfWanted } from '../kit/start-error.ts';
import { EVENT_GROUPS } from '../payment/notification/event-schema.ts';
import { apiDocument } from '../payment/pages.ts';
import { paymentRoutes } from '../payment/routes.ts';
import { vaultRoutes } from '../vault/routes.ts';
import { clientWire } from './client-wire.ts';

const FOLDER = new URL('../../docs/', import.meta.url);
/** The generated part of the client library, seen from docs/. */
export const WIRE = '../client/src/wire/';

export async function docs(version: string, args: readonly string[]): Promise<void> {
  helpIfWanted(args, 'Usage: florin docs [--check]');
  const files = derivedDocs(version);
  const stale = Object.entries(files).filter(([name, text]) => readDoc(name) !== text);
  const names = stale.map(([name]) => new URL(name, 'file:///docs/').pathname.slice(1));
  if (args.includes('--check')) {
    if (names.length > 0)
      throw new StartError(`Not as the tables in src say: ${names.join(', ')}. Write them with: npm run docs`);
    console.log('docs/ is as the tables in src say');
    return;
  }
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, text] of stale) writeFileSync(new URL(name, FOLDER), text);
  console.log(names.length > 0 ? `written: ${names.join(', ')}` : 'nothing to write');
}

function readDoc(name: string): string | undefined {
  const file = new URL(name, FOLDER);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Every derived page: file name and text. */
export function derivedDocs(version: string): Readonly<Record<string, string>> {
  const routes = paymentRoutes({ environment: 'sandbox' });
  const vault_routes = vaultRoutes();
  const base_url = `http://${SETTINGS.FLORIN_HOST.default}:${SETTINGS.FLORIN_API_PORT.default}`;
  const vault_url = `http://${SETTINGS.FLORIN_HOST.default}:${SETTINGS.FLORIN_VAULT_PORT.default}`;
  const described = vault_routes.map((route) => ({ ...route, server: vault_url }));
  const document = apiDocument({
    base_url,
    version,
    brand: SETTINGS.FLORIN_BRAND.default,
    told: EVENT_GROUPS,
    routes,
    vault_routes: described,
  });
  return {
    'openapi.json': `${JSON.stringify(document, undefined, 2)}\n`,
    ...Object.fromEntries(Object.entries(clientWire(document)).map(([name, text]) => [WIRE + name, text])),
    'codes.md': headed('Result codes', CODES_LEAD, codes()),
    'states.md': headed('States', STATES_LEAD, states()),
    'settings.md': headed('Settings', SETTINGS_LEAD, settings()),
    ...cardModules(),
  };
}

function headed(title: string, lead: string, text: string): string {
  return `# ${title}\n\nWritten by \`npm run docs\` from the tables in src.\n\n${lead}\n\n${text.trimEnd()}\n`;
}

const STATES_LEAD =
  'The status of an order is the last move of its last transaction. Money truth is in the amounts and flags.';
const SETTINGS_LEAD =
  'Settings are environment variables. An empty one counts as not set. Florin starts with all of them right, or says everything that is wrong at once. A secret is never printed or logged.';

function codes(): string {
  return [...Map.groupBy(RESULTS, (row) => row.phase)]
    .map(([phase, rows]) => {
      const lines = rows.map(
        (row) =>
          `| \`${row.code}\` | ${row.description} | \`${row.name}\` | ${row.kind} | ${row.side} | ${row.fallback_allowed ? 'may be tried' : 'no'} | ${row.http.join(', ') || 'never answered'} | ${testCard(row)} |`,
      );
      return `## ${phase === 'none' ? 'route' : phase}\n\n${WHAT_TO_DO[phase] ?? ''}\n\n| Code | Meaning | Name | Kind | Decided by | Another provider | HTTP | Test card |\n|---|---|---|---|---|---|---|---|\n${lines.join('\n')}\n`;
    })
    .join('\n');
}

/** The sandbox's card number for this result, with its HTTP status if the direct answer does not have that status. */
function testCard(row: ResultRow): string {
  const number = codeNumber(row);
  if (number === undefined) return '';
  const status = ['capture', 'refund', 'cancel'].includes(row.phase) ? 422 : 200;
  return `\`${number}\`${row.http.includes(status) ? '' : `: ${status}`}`;
}

function states(): string {
  const arrows = ORDER_MOVES.flatMap((move) =>
    move.from.map((from) => `  ${from === 'none' ? '[*]' : from} --> ${move.to}`),
  );
  const moves = ORDER_MOVES.map((move) => {
    const from = move.from.map((status) => (status === 'none' ? 'nothing' : `\`${status}\``)).join(', ');
    return `| \`${move.to}\` | ${from} | ${move.by} | ${ORDER_STATUSES[move.to].live ? 'yes' : 'no'} |`;
  });
  const operations = Object.entries(OPERATION_STATES).map(
    ([name, { final, meaning }]) => `| \`${name}\` | ${meaning} | ${final ? 'yes' : 'no'} |`,
  );
  return `## Order

Nothing moves but by a row of this table. While an order is live it may still hold or take money, so nothing else may be started on its checkout.

| To | From | By | Live |
|---|---|---|---|
${moves.join('\n')}

\`\`\`mermaid
stateDiagram-v2
${arrows.join('\n')}
\`\`\`

## Operation

An operation is one thing asked of a provider: an authorization, a capture, a refund, a cancel, a reversal. Answers show \`reversing\` and \`review\` as \`in_doubt\`, and \`not_sent\` as \`declined\`.

| State | Meaning | Final |
|---|---|---|
${operations.join('\n')}
`;
}

function settings(): string {
  const rows = Object.entries<Setting>(SETTINGS).map(
    ([name, { kind, default: standard, meaning, secret, choices }]) => {
      const form = choices ? choices.map((choice) => `\`${choice}\``).join(', ') : kind;
      return `| \`${name}\` | ${standard === '' ? '' : `\`${standard}\``} | ${form} | ${meaning} | ${secret ? 'yes' : ''} |`;
    },
  );
  return `| Name | Default | Kind | Meaning | Secret |\n|---|---|---|---|---|\n${rows.join('\n')}\n`;
}

type Setting = {
  readonly kind: string;
  readonly default: string;
  readonly meaning: string;
  readonly secret?: true;
  readonly choices?: readonly string[];
};
