// A page for each route: how it is called, what it takes and answers, how it refuses.
import { isDeepStrictEqual } from 'node:util';
import { type Described, pathParts, refusalsOf, wirePath } from '../../../src/kit/http/reference/openapi.ts';
import { REQUEST_HEADERS, RESPONSE_HEADERS, SUCCESS_HEADERS } from '../../../src/kit/http/reference/headers.ts';
import { exampleOf, propertiesOf } from '../../../src/kit/http/schema.ts';
import { answerFields, requestFields } from './fields.ts';
import { escaped, fence, pageText, prose, table } from './html.ts';
import { codeLink, problemLink } from './links.ts';
import { type Hosts, samples, tryOf } from './samples.ts';

const KEYS = { private: 'private key', public: 'public key', any: 'public or private key', none: 'no key' };

/** The last segment of a route's page: create-checkout. */
export function slugOf(route: Described): string {
  return route.operation_id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** In the menu: Create order. */
function labelOf(route: Described): string {
  const words = slugOf(route).replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

type Around = Hosts & {
  /** The link to the section of the contract that a route keeps to. */
  contract(route: Described): string;
  readonly order: number;
  /** The routes before this one: what one of them has said of an answer is not said again. */
  readonly before: readonly Described[];
};

const IMPORTS = `import Try from '~/components/Try.astro';`;

export function routePage(route: Described, around: Around): string {
  const path = wirePath(route.path);
  const front = {
    title: route.summary,
    description: `${route.method} ${path}: ${route.summary}`,
    label: labelOf(route),
    order: around.order,
  };
  return pageText(
    front,
    [
      IMPORTS,
      lead(route, around),
      samples(route, around),
      `<Try request={${JSON.stringify(tryOf(route))}} />`,
      `## Headers\n\n<div data-pagefind-ignore>${headers(route)}</div>`,
      ...parameters(route),
      ...(route.body ? [`## Request\n\n${requestFields(route.body)}`] : []),
      `## Answer\n\nHTTP 200: understood and decided, or accepted. Read \`result.code\`.\n\n${answerOf(route, around)}`,
      `### Example of an answer\n\n${fence('json', JSON.stringify(exampleOf(route.answer), undefined, 2))}`,
      `## Refusals\n\nThe body is a [problem](/docs/reference/problems/). Nothing else than these is answered with a status of 400 and above.\n\n<div data-pagefind-ignore>${refusals(route)}</div>`,
    ].join('\n\n'),
  );
}

function answerOf(route: Described, { before }: Around): string {
  const same = before.find((other) => isDeepStrictEqual(other.answer, route.answer));
  if (!same || fieldCount(same) < 5) return answerFields(route.answer);
  return `The fields are those of <a href="/docs/reference/${slugOf(same)}/#answer">${labelOf(same)}</a>.`;
}

function fieldCount({ answer }: Described): number {
  return Object.keys(propertiesOf(answer)).length;
}

function lead(route: Described, { contract }: Around): string {
  const host = route.server === undefined ? 'payment API' : 'vault';
  const scope = route.scope === undefined ? '' : `, scope <code>${route.scope}</code>`;
  const aliases = route.aliases.map((alias) => ` Also at <code>${escaped(wirePath(alias))}</code>.`).join('');
  return `<p class="call"><span class="verb">${route.method}</span> <code>${escaped(wirePath(route.path))}</code></p>

<p>At the ${host}, with a ${KEYS[route.key]}${scope}.${aliases} What it does beyond its fields: contract ${contract(route)}.</p>`.replace(
    'with a no key',
    'without a key',
  );
}

function headers(route: Described): string {
  const asked = REQUEST_HEADERS.filter(({ name }) => route.method !== 'GET' || name === 'version');
  const rows = [
    ...(route.key === 'none'
      ? []
      : [
          [
            code('x-api-key'),
            'request, required',
            `A ${KEYS[route.key]}. <a href="/docs/reference/headers/#keys">Keys</a>`,
          ],
        ]),
    ...(route.body ? [[code('content-type'), 'request', '<code>application/json</code>']] : []),
    ...asked.map(({ name, description }) => [code(name), 'request', prose(description)]),
    ...Object.entries(RESPONSE_HEADERS)
      .filter(([name]) => SUCCESS_HEADERS.includes(name) || name === 'retry-after')
      .map(([name, { description }]) => [
        code(name),
        name === 'retry-after' ? 'answer, with 429 and 503' : 'answer',
        prose(description),
      ]),
  ];
  return table(['Header', 'Of', 'Meaning'], rows);
}

function code(text: string): string {
  return `<code>${escaped(text)}</code>`;
}

function parameters(route: Described): readonly string[] {
  const rows = pathParts(route.path).map(({ name, description }) => [code(name), prose(description)]);
  return [
    ...(rows.length > 0 ? [`## Path\n\n${table(['Name', 'Meaning'], rows)}`] : []),
    ...(route.query ? [`## Query\n\n${requestFields(route.query)}`] : []),
  ];
}

function refusals(route: Described): string {
  const rows = refusalsOf(route).map(({ status, slug, code: number, description }) => [
    String(status),
    problemLink(slug),
    codeLink(number),
    prose(description),
  ]);
  return table(['HTTP', 'Problem', 'Code', 'Meaning'], rows);
}
