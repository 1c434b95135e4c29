// Every answer of the API and the vault that any test gets keeps to docs/openapi.json, from which the reference and the
// types of the client library are made: a member, a status or a kind of refusal that is not described turns that test
// red. So does the body of a notification.
import { readFileSync } from 'node:fs';
import { EVENT_GROUPS } from '../src/payment/notification/event-schema.ts';
import { findings, resolve } from './schema.ts';

type Schema = Readonly<Record<string, unknown>>;
type Shape = { readonly path: string; readonly pattern: RegExp; readonly operations: Schema };
type Answer = { readonly method: string; readonly status: number; readonly body: unknown };

let published: { readonly document: Schema; readonly shapes: readonly Shape[] } | undefined;

function document() {
  if (published) return published;
  const read: Schema = JSON.parse(readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8'));
  const shapes = Object.entries(resolve('#/paths', read)).map(([path, operations]) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    operations: recordOf(operations),
  }));
  published = { document: read, shapes };
  return published;
}

/** What is not as it is described; empty as well for what is no answer of a described route. */
export function undescribed(url: string, { method, status, body }: Answer): readonly string[] {
  const code = recordOf(recordOf(body)['result'])['code'];
  // of a path or a method that is not there nothing is described
  if (typeof code !== 'string' || code === '404000') return [];
  const { pathname } = new URL(url);
  const { document: openapi, shapes } = document();
  const verb = method.toLowerCase();
  const fits = shapes.filter(({ pattern, operations }) => verb in operations && pattern.test(pathname));
  const shape = fits.find(({ path }) => path === pathname) ?? fits[0];
  if (!shape) return [];
  const response = recordOf(recordOf(recordOf(shape.operations[verb])['responses'])[status]);
  const [media] = Object.values(recordOf(response['content']));
  const { schema } = recordOf(media);
  if (schema === undefined) return [`status ${status} is not described`];
  const slug = String(recordOf(body)['type']).split('/').at(-1) ?? '';
  const is_told = status < 400 || String(response['description']).includes(slug);
  return [...findings(body, recordOf(schema), openapi), ...(is_told ? [] : [`${status} ${slug} is not described`])];
}

/** What of a notification is not as it is described. */
export function undescribedEvent(body: Schema): readonly string[] {
  const event = String(body['event']);
  const group = EVENT_GROUPS.find(({ events }) => events.includes(event));
  if (!group) return [`${event} is no event`];
  return findings(body, group.body, {}).map((one) => `${event}: ${one}`);
}

function recordOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
