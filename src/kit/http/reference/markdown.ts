// docs/api.md: the route tables, for readers of the repository.
import { type Described, refusalsOf, wirePath } from './openapi.ts';
import { SCOPES } from '../../../core/keys/scopes.ts';
import { exampleOf } from '../schema.ts';
import { type FieldRow, fieldRows, flatRows } from './rows.ts';

/** Routes by the name of their host. */
export type Hosts = Readonly<Record<string, readonly Described[]>>;

const KEYS = { private: 'private', public: 'public', any: 'public or private', none: 'none' };

/** `contract`: a link to the section of the contract that a route keeps to. */
export function apiMarkdown(hosts: Hosts, contract: (route: Described) => string): string {
  const all = Object.entries(hosts).flatMap(([host, routes]) => routes.map((route) => ({ host, route })));
  const contents = all.map(
    ({ host, route }) =>
      `| \`${route.method} ${wirePath(route.path)}\` | ${host} | ${KEYS[route.key]} | ${route.scope ?? ''} | ${route.summary} | ${contract(route)} |`,
  );
  return `${scopes()}

| Route | Host | Key | Scope | Purpose | Contract |
|---|---|---|---|---|---|
${contents.join('\n')}

${all.map(({ host, route }) => section(`${host} · contract: ${contract(route)}`, route, all.find((other) => other.route.answer === route.answer)?.route)).join('\n')}`;
}

/** What a key may be narrowed to. */
function scopes(): string {
  const rows = Object.entries(SCOPES).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`);
  return `A private key may call everything, or only what its scopes name; a route whose scope it does not have is refused with 403, forbidden-key.\n\n| Scope | Allows to |\n|---|---|\n${rows.join('\n')}`;
}

/** `first`: the first route with this answer, where it is written down. */
function section(host: string, route: Described, first = route): string {
  const aliases = route.aliases.map((alias) => `, also \`${wirePath(alias)}\``).join('');
  const refusals = refusalsOf(route).map(
    ({ status, slug, code, description }) => `| ${status} | ${slug} | \`${code}\` | ${description} |`,
  );
  return `## ${route.summary}

\`${route.method} ${wirePath(route.path)}\`${aliases} · host ${host} · key: ${KEYS[route.key]}${route.scope === undefined ? '' : ` · scope: ${route.scope}`}
${route.body ? `\n${request(route.body)}` : ''}
### Answer

${first === route ? table(flatRows(fieldRows(route.answer, 'answer')), 'always') : `As that of: ${first.summary}.`}

### Refusals

| HTTP | Problem | Code | Meaning |
|---|---|---|---|
${refusals.join('\n')}
`;
}

function request(body: NonNullable<Described['body']>): string {
  const groups = Map.groupBy(fieldRows(body, 'request'), (row) => row.group);
  const tables = [...groups].map(
    ([group, rows]) => `### Request: ${group || 'more'}\n\n${table(flatRows(rows), 'required')}`,
  );
  return `${tables.join('\n\n')}

### Example

\`\`\`json
${JSON.stringify(exampleOf(body), undefined, 2)}
\`\`\`
`;
}

function table(rows: readonly FieldRow[], mark: 'required' | 'always'): string {
  const lines = rows.map((row) => {
    const values = row.values.map((value) => `\`${value}\``).join(', ');
    return `| \`${row.name}\` | ${row.required ? 'yes' : ''} | ${cell(`${row.type} ${values}`)} | ${cell(row.meaning)} |`;
  });
  return `| Field | ${mark} | Type | Meaning |\n|---|---|---|---|\n${lines.join('\n')}`;
}

function cell(text: string): string {
  return text.trim().replaceAll('|', '\\|');
}
