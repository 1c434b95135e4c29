// The reference page: what openapi.json says, for people. Rendered here, without a script; sections of words come from the caller.
import { RESULTS } from '../../../core/results.ts';
import type { JsonSchema } from '../../../core/shape.ts';
import { type Described, refusalsOf, wirePath } from './openapi.ts';
import { type Chrome, escapeHtml, widePage } from '../page.ts';
import { exampleOf } from '../schema.ts';
import { type FieldRow, type Side, fieldRows } from './rows.ts';

export type Section = { readonly id: string; readonly title: string; readonly html: string };

export type Reference = {
  readonly title: string;
  /** HTML under the title. */
  readonly lead: string;
  readonly base_url: string;
  readonly routes: readonly Described[];
  readonly sections: readonly Section[];
  readonly chrome: Chrome;
};

export function referencePage(reference: Reference): string {
  const { title, lead, routes, sections, chrome } = reference;
  const tags = Map.groupBy(routes, (route) => route.tag);
  const side = [
    sideList('Guide', sections),
    ...[...tags].map(([tag, group]) =>
      sideList(
        tag,
        group.map((route) => ({ id: route.operation_id, title: route.summary })),
      ),
    ),
    sideList('Tables', [{ id: 'result-codes', title: 'Result codes' }]),
  ];
  const body = [
    `<section><h1>${escapeHtml(title)}</h1>\n${lead}</section>`,
    ...sections.map(
      ({ id, title: heading, html }) => `<section id="${id}"><h2>${escapeHtml(heading)}</h2>\n${html}</section>`,
    ),
    ...routes.map((route) => operation(route, reference)),
    `<section id="result-codes"><h2>Result codes</h2>\n<p class="soft">Compare a code as a text. New codes may come: treat one you do not know by its first digit.</p>\n${codes()}</section>`,
  ];
  return widePage(
    title,
    `<div class="doc"><nav class="side" aria-label="Reference">${side.join('')}</nav>\n<main id="main">\n${body.join('\n')}\n</main></div>`,
    chrome,
  );
}

function sideList(heading: string, items: readonly { readonly id: string; readonly title: string }[]): string {
  const links = items.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`).join('');
  return `<div><h2>${escapeHtml(heading)}</h2><ul>${links}</ul></div>`;
}

const KEYS = { private: 'Private key', public: 'Public key', any: 'Public or private key', none: 'No key' };

function operation(route: Described, { base_url, routes }: Reference): string {
  // an answer that an earlier route has too is written down there
  const first = routes.find((other) => other.answer === route.answer) ?? route;
  const url = (route.server ?? base_url) + wirePath(route.path);
  const aliases = route.aliases
    .map((alias) => `<span class="soft">or <code>${escapeHtml(wirePath(alias))}</code></span>`)
    .join('');
  return `<section id="${route.operation_id}"><h2>${escapeHtml(route.summary)}</h2>
<p class="route"><span class="verb">${route.method}</span><code>${escapeHtml(url)}</code>${aliases}<span class="badge">${KEYS[route.key]}</span></p>
<div class="pair"><div>
${route.body ? `<h3>Request</h3>\n${requestFields(route.body)}` : ''}
<h3>Answer</h3>
${first === route ? answerFields(fieldRows(route.answer, 'answer')) : `<p>As that of <a href="#${first.operation_id}">${escapeHtml(first.summary)}</a>.</p>`}
<h3>Refusals</h3>
${refusals(route)}
</div>
<div class="examples">
${figure('Request', escapeHtml(curl(route, base_url)))}
${figure('Answer, HTTP 200', json(exampleOf(route.answer)))}
</div></div></section>`;
}

/** The first group and what is required is in sight; the other groups unfold. */
function requestFields(body: JsonSchema): string {
  const groups = Map.groupBy(fieldRows(body, 'request'), (row) => row.group);
  return [...groups]
    .map(([group, rows], i) => {
      const table = fieldTable(rows, 'request');
      return i === 0 ? table : unfold(group || 'More', rows.length, table);
    })
    .join('\n');
}

function answerFields(rows: readonly FieldRow[]): string {
  const plain = rows.filter((row) => row.inner.length === 0);
  const parts = rows.filter((row) => row.inner.length > 0);
  const shown =
    plain.length === 0
      ? ''
      : plain.length > 12
        ? unfold('Top level', plain.length, fieldTable(plain, 'answer'))
        : fieldTable(plain, 'answer');
  const nested = parts.map((row) => {
    const lead = row.meaning === '' ? '' : `<p class="inner soft">${escapeHtml(row.meaning)}</p>`;
    return unfold(row.name, row.inner.length, `${lead}${nestedTable(row)}`);
  });
  return `${shown}\n${nested.join('\n')}`;
}

/** Members of members stand in the same table, under their path. */
function nestedTable(row: FieldRow): string {
  const flat = (rows: readonly FieldRow[], prefix: string): readonly FieldRow[] =>
    rows.flatMap((inner) => [
      { ...inner, name: prefix + inner.name, inner: [] },
      ...flat(inner.inner, `${prefix}${inner.name}${inner.type.startsWith('list') ? '[]' : ''}.`),
    ]);
  return fieldTable(flat(row.inner, ''), 'answer');
}

function unfold(name: string, count: number, html: string): string {
  return `<details><summary>${escapeHtml(name)} <span class="soft">${count} field${count === 1 ? '' : 's'}</span></summary>${html}</details>`;
}

function fieldTable(rows: readonly FieldRow[], side: Side): string {
  const lines = rows.flatMap((row) => [
    row,
    ...row.inner.map((inner) => ({ ...inner, name: `${row.name}[].${inner.name}` })),
  ]);
  const cells = lines.map((row) => {
    const badge = side === 'request' && row.required ? ' <span class="badge must">required</span>' : '';
    const sometimes = side === 'answer' && !row.required ? ' <span class="badge">sometimes</span>' : '';
    const values = row.values.map((value) => `<code>${escapeHtml(value)}</code>`).join(', ');
    const meaning = row.meaning === '' ? '' : `<p>${escapeHtml(row.meaning)}</p>`;
    return `<tr><th scope="row"><code>${breakable(row.name)}</code>${badge}${sometimes}</th><td><span class="type">${escapeHtml(row.type)}${values && ` ${values}`}</span>${meaning}</td></tr>`;
  });
  return `<table class="fields"><thead><tr><th scope="col">Field</th><th scope="col">Type and meaning</th></tr></thead><tbody>\n${cells.join('\n')}\n</tbody></table>`;
}

/** Long names may break after an underscore. */
function breakable(name: string): string {
  return escapeHtml(name).replaceAll('_', '_<wbr>');
}

function refusals(route: Described): string {
  const rows = refusalsOf(route).map(
    ({ status, slug, code, description }) =>
      `<tr><th scope="row">${status}</th><td><a href="/problems/${slug}">${slug}</a></td><td><code>${code}</code> ${escapeHtml(description)}</td></tr>`,
  );
  return `<details><summary>What can go wrong <span class="soft">${rows.length} rows</span></summary><table><thead><tr><th scope="col">HTTP</th><th scope="col">Problem</th><th scope="col">Result code</th></tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table></details>`;
}

function curl(route: Described, base_url: string): string {
  const path = route.path.replace(/:(\w+)/g, '66bf18d25d1c9a0e47b2f317');
  const key = route.key === 'any' ? 'YOUR_PUBLIC_KEY' : 'YOUR_PRIVATE_KEY';
  const lines = [`curl ${(route.server ?? base_url) + path}`, `  -H 'x-api-key: ${key}'`];
  if (route.body)
    lines.push(
      `  -H 'content-type: application/json'`,
      `  -d '${JSON.stringify(exampleOf(route.body), undefined, 2)}'`,
    );
  return lines.join(' \\\n');
}

export function figure(caption: string, html: string): string {
  return `<figure><figcaption>${escapeHtml(caption)}</figcaption><pre tabindex="0">${html}</pre></figure>`;
}

/** JSON as HTML, with its names in another colour. */
export function json(value: unknown): string {
  return escapeHtml(JSON.stringify(value, undefined, 2)).replace(/^( *)(&quot;[\w.-]+&quot;):/gm, '$1<b>$2</b>:');
}

function codes(): string {
  const phases = Map.groupBy(RESULTS, (row) => row.phase);
  return [...phases]
    .map(([phase, rows]) => {
      const lines = rows.map(
        ({ code, name, description }) =>
          `<tr><th scope="row"><code>${code}</code></th><td>${escapeHtml(description)}<p class="type soft">${breakable(name)}</p></td></tr>`,
      );
      const heading = phase === 'none' ? 'route' : phase;
      return `<details><summary>${heading} <span class="soft">${rows.length} codes</span></summary><table class="codes"><thead><tr><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead><tbody>\n${lines.join('\n')}\n</tbody></table></details>`;
    })
    .join('\n');
}
