// Fields of a body as a list: name, type and limits, whether it must be there, meaning, example; the members of an object below it.
import type { JsonSchema } from '../../../src/core/shape.ts';
import { exampleOf, propertiesOf } from '../../../src/kit/http/schema.ts';
import { type FieldRow, fieldRows } from '../../../src/kit/http/reference/rows.ts';
import { escaped, nameOf, prose } from './html.ts';

/** A request in its groups, each under a heading of its own. */
export function requestFields(body: JsonSchema): string {
  const examples = examplesOf(body);
  const groups = Map.groupBy(fieldRows(body, 'request'), (row) => row.group);
  return [...groups]
    .map(([group, rows]) => {
      const list = listOf(rows, { side: 'request', examples });
      return groups.size === 1 ? list : `### ${group === '' ? 'More fields' : capital(group)}\n\n${list}`;
    })
    .join('\n\n');
}

export function answerFields(answer: JsonSchema): string {
  return listOf(fieldRows(answer, 'answer'), { side: 'answer', examples: examplesOf(answer) });
}

type Look = { readonly side: 'request' | 'answer'; readonly examples: ReadonlyMap<string, unknown> };

function listOf(rows: readonly FieldRow[], look: Look): string {
  return `<ul class="fields">${rows.map((row) => itemOf(row, look)).join('')}</ul>`;
}

function itemOf(row: FieldRow, { side, examples }: Look): string {
  const values = row.values.map((value) => `<code>${escaped(value)}</code>`).join(', ');
  const mark =
    side === 'request' && row.required
      ? ' <strong class="must">required</strong>'
      : side === 'answer' && !row.required
        ? ' <span class="mark">sometimes</span>'
        : '';
  const example = examples.get(row.name);
  const shown =
    isPlain(example) && row.values.length === 0 && !row.type.includes('such as')
      ? `<p class="example">Example: <code>${escaped(JSON.stringify(example))}</code></p>`
      : '';
  const inner =
    row.inner.length === 0
      ? ''
      : `<details><summary>${row.inner.length} members of <code>${escaped(row.name)}</code></summary>${listOf(row.inner, { side, examples: new Map() })}</details>`;
  return `<li>${nameOf(row.name)} <span class="type">${escaped(row.type)}${values && ` ${values}`}</span>${mark}${row.meaning === '' ? '' : `<p>${prose(row.meaning)}</p>`}${shown}${inner}</li>`;
}

/** What an example is worth showing: an empty one says nothing. */
function isPlain(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value !== '' && value.length <= 60);
}

function examplesOf(schema: JsonSchema): ReadonlyMap<string, unknown> {
  const whole = exampleOf(schema);
  const own = new Map(Object.entries(propertiesOf(schema)).map(([name, field]) => [name, exampleOf(field)]));
  if (typeof whole !== 'object' || whole === null) return own;
  return new Map([...own, ...Object.entries(whole)]);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
