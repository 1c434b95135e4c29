// Adyen's published specification, closed at every depth as published; of its messages `additionalData` is left open,
// since three of its own examples hold more than their schema names. Each schema is compiled when it is first asked
// for, once a run.
import { existsSync, readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const FOLDER = new URL('../../../shared/data/providers/adyen/', import.meta.url);
export const HERE = existsSync(FOLDER);

type Json = { readonly [name: string]: unknown };
type Document = {
  readonly paths?: Json;
  readonly webhooks?: Json;
  readonly components: { readonly schemas: Json; readonly examples: Json };
};

const FILES = { checkout: 'CheckoutService-v72.trimmed.json', webhooks: 'Webhooks-v1.trimmed.json' } as const;
type Name = keyof typeof FILES;

const documents = new Map<Name, Document>();
function documentOf(name: Name): Document {
  const document = documents.get(name) ?? (JSON.parse(readFileSync(new URL(FILES[name], FOLDER), 'utf8')) as Document);
  documents.set(name, document);
  return document;
}

let ajv: Ajv2020 | undefined;
function checker(): Ajv2020 {
  if (ajv) return ajv;
  ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ ...documentOf('checkout'), $id: 'checkout' });
  ajv.addSchema({ ...openedUp(documentOf('webhooks')), $id: 'webhooks' });
  return ajv;
}

function openedUp({ components, ...rest }: Document): object {
  const schemas = Object.entries(components.schemas).map(([name, schema]) => {
    return [name, name.endsWith('AdditionalData') ? { type: 'object' } : schema] as const;
  });
  return { ...rest, components: { ...components, schemas: Object.fromEntries(schemas) } };
}

const compiled = new Map<string, ValidateFunction>();
function problemsWith(reference: string, value: unknown): readonly string[] {
  const validate = compiled.get(reference) ?? checker().compile({ $ref: reference });
  compiled.set(reference, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** Of a request to a path of the specification, such as `/payments/{paymentPspReference}/captures`. */
export function requestProblems(path: string, body: unknown): readonly string[] {
  const place = `checkout#/paths/${escaped(path)}/post/requestBody/content/${escaped('application/json')}/schema`;
  return problemsWith(place, body);
}

export function answerProblems(path: string, status: number, body: unknown): readonly string[] {
  const place = `checkout#/paths/${escaped(path)}/post/responses/${status}/content/${escaped('application/json')}/schema`;
  return problemsWith(place, body);
}

export function messageProblems(body: unknown): readonly string[] {
  const event = eventOf(body);
  const known = documentOf('webhooks').webhooks ?? {};
  if (!(`/${event}` in known)) return [];
  return problemsWith(
    `webhooks#/webhooks/${escaped(`/${event}`)}/post/requestBody/content/${escaped('application/json')}/schema`,
    body,
  );
}

function eventOf(body: unknown): string {
  return /"eventCode":"([A-Z_]+)"/.exec(JSON.stringify(body))?.[1] ?? '';
}

export const pathOf = (path: string): string =>
  path
    .replace('/v72', '')
    .replace(/^\/payments\/[^/]+\/(captures|refunds|cancels|reversals)$/, '/payments/{paymentPspReference}/$1');

export type Example = {
  readonly name: string;
  readonly path: string;
  readonly status: number | null;
  readonly value: unknown;
};

/** Every example of the document, with where it stands: of a request without a status. */
export function examplesOf(name: Name): readonly Example[] {
  const document = documentOf(name);
  const found: Example[] = [];
  const walk = (value: unknown, place: readonly string[]) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, item] of Object.entries(value)) {
      if (key !== 'examples') walk(item, [...place, key]);
      else
        for (const [own, example] of Object.entries(item as Json))
          found.push(exampleOf(document, own, { place, example }));
    }
  };
  walk(document.paths ?? document.webhooks, []);
  return found;
}

type Found = { readonly place: readonly string[]; readonly example: unknown };

function exampleOf(document: Document, name: string, { place, example }: Found): Example {
  const { $ref, value } = example as { readonly $ref?: string; readonly value?: unknown };
  const shared =
    $ref === undefined ? undefined : (document.components.examples[$ref.split('/').at(-1) ?? ''] as { value: unknown });
  const at = place.indexOf('responses');
  return {
    name,
    path: place[0] ?? '',
    status: at === -1 ? null : Number(place[at + 1]),
    value: shared ? shared.value : value,
  };
}
