// florin docs: writes what is derived from the tables in src, so that no page can say something else than the code does.
// --check compares only, and names what is stale. Neither a service nor a database is needed.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { SETTINGS } from '../settings/settings.ts';
import { RESULTS, type ResultRow } from '../core/results.ts';
import { codeNumber } from '../core/sandbox/cards.ts';
import { OPERATION_STATES, ORDER_MOVES, ORDER_STATUSES } from '../core/states.ts';
import { apiMarkdown } from '../kit/http/reference/markdown.ts';
import { wirePath } from '../kit/http/reference/openapi.ts';
import { StartError, helpIfWanted } from '../kit/start-error.ts';
import { apiDocument } from '../payment/pages.ts';
import { paymentRoutes } from '../payment/routes.ts';
import { vaultRoutes } from '../vault/routes.ts';

const FOLDER = new URL('../../docs/', import.meta.url);

export async function docs(version: string, args: readonly string[]): Promise<void> {
  helpIfWanted(args, 'Usage: florin docs [--check]');
  const files = derivedDocs(version);
  const stale = Object.entries(files).filter(([name, text]) => readDoc(name) !== text);
  const names = stale.map(([name]) => `docs/${name}`);
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

/** Every derived page: name of the file, text. */
export function derivedDocs(version: string): Readonly<Record<string, string>> {
  const routes = paymentRoutes({ environment: 'sandbox' });
  const vault_routes = vaultRoutes();
  const base_url = `http://${SETTINGS.FLORIN_HOST.default}:${SETTINGS.FLORIN_API_PORT.default}`;
  const vault_url = `http://${SETTINGS.FLORIN_HOST.default}:${SETTINGS.FLORIN_VAULT_PORT.default}`;
  const described = vault_routes.map((route) => ({ ...route, server: vault_url }));
  const document = apiDocument({ base_url, version, routes, vault_routes: described });
  return {
    'openapi.json': `${JSON.stringify(document, undefined, 2)}\n`,
    'api.md': headed(
      'The API',
      API_LEAD,
      apiMarkdown({ '{base_url}': routes, '{vault_url}': vault_routes }, contractLinks()),
    ),
    'codes.md': headed('Result codes', CODES_LEAD, codes()),
    'states.md': headed('States', STATES_LEAD, states()),
    'settings.md': headed('Settings', SETTINGS_LEAD, settings()),
  };
}

/** The link of a route to its section of the contract, as the contract's index (1.4) names it. */
function contractLinks(): (route: { readonly method: string; readonly path: string }) => string {
  const text = readDoc('contract.md') ?? '';
  const titles = new Map(
    [...text.matchAll(/^##+ (([\d.]+) .*)$/gm)].map(([, title = '', number = '']) => [number, title]),
  );
  const index = new Map(
    [...text.matchAll(/^\| ([A-Z]+ \/\S*) \|.*\| ([\d.]+) \|$/gm)].map(([, call = '', number = '']) => [call, number]),
  );
  return ({ method, path }) => {
    const number = index.get(`${method} ${wirePath(path)}`) ?? '';
    const title = titles.get(number);
    if (title === undefined) throw new StartError(`docs/contract.md 1.4 names no section for ${method} ${path}`);
    return `[${number}](contract.md#${headingAnchor(title)})`;
  };
}

/** What a heading is called in a link to it. */
function headingAnchor(title: string): string {
  const kept = title.toLowerCase().replace(/[^\p{L}\p{N}_ -]/gu, '');
  return kept.replaceAll(' ', '-');
}

function headed(title: string, lead: string, text: string): string {
  return `# ${title}\n\nWritten by \`npm run docs\` from the tables in src.\n\n${lead}\n\n${text.trimEnd()}\n`;
}

const API_LEAD =
  'Bodies are JSON. In requests `null` and `""` count as absent, and unknown fields are ignored and named in the header `x-ignored-fields`. Every status of 400 and above is `application/problem+json` with `result.code`; `errors` names every problem of the fields at once. What holds for all of them, and what each route does beyond its fields, is settled in [the contract](contract.md), whose section each route names. The same for programs: [openapi.json](openapi.json).';
const CODES_LEAD =
  'A code is a text: compare it as one. First digit: where in the life of an order. Second: what produced it. Third: 0, another provider may be tried; 1, it must not. Fourth: who decided. A code that is not listed here is treated by its first digit.\n\nIn a sandbox a code is reached by its test card: `40000099`, `9`, the code, and the Luhn digit, with any expiry in the future. A card of phase 1 (risk, routing), 2 or 4 ends the order so, one of phase 3 its authentication under ask_3ds and force_3ds, one of phase 5, 6 or 7 the first capture, refund or cancel. Where a status stands behind the number, the code has two: the one under HTTP where our own rule gives it before any provider is asked, and that one where the provider gives it.';
const STATES_LEAD =
  'The status of an order is the last move of its last transaction. Money truth is in the amounts and flags.';
const SETTINGS_LEAD =
  'Settings are environment variables. An empty one counts as not set. Florin starts with all of them right, or says everything that is wrong at once. A secret is never printed or logged.';

/** What a caller does about the codes of a phase. */
const WHAT_TO_DO: Readonly<Record<string, string>> = {
  checkout: 'The checkout is there: go on with its `checkout_id`.',
  order:
    'Kind technical: the request itself is wrong; correct what `errors` names, or, on 429, 500 and 503, repeat it with the same Idempotency-Key. Kind risk: refused by rules; do not repeat it with the same data. Kind routing: no provider of the account takes this payment; change its contracts or the request. Kind payer_left: offer the payment again.',
  tokenization:
    'Ask the payer to correct the card, or for another one, and tokenize again. 241021: tokenize again; a one-shot token pays one order.',
  authentication: 'The payer was not authenticated. Offer to try again or another card; nothing was charged.',
  authorization:
    '421080: not decided yet; read the order or wait for its notification, and do not ship. Everything else is a decline: nothing is held. Third digit 0: the payer may try again. Third digit 1: ask for another card; trying the same one again is against the rules of the schemes.',
  capture:
    '521080: not decided yet. Otherwise nothing was captured by this request; the authorization stands unless the text says that it lapsed.',
  refund: '621080: not decided yet. Otherwise nothing was refunded by this request.',
  cancel: '721080: not decided yet. Otherwise the authorization stands.',
  success: 'Done.',
  none: 'Check method and path.',
};

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

/** The number of the sandbox that ends so, and its HTTP status where that is not among those of the direct answer. */
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
