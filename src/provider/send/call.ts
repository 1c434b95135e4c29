// How a sender makes one request of a step, in the form that the table pins. Both senders use it: the vault's, and that
// of calls without a card. A caller gives only the values, the key and the body.
import { sha256 } from '../../kit/crypto.ts';
import { BOUNDARY, type HttpStep, type LineStep, type Step, type Template, VALUE } from '../contract.ts';
import type { Destination, Host } from './destinations.ts';
import { Refused } from './iso8583/codec.ts';
import { lineMessage } from './line-message.ts';
import { type Carrying, type Credentials, readSecret, secretsOf } from './secret.ts';
import { type Part, type Values, WIRES, type Wire } from './wire.ts';

/** One call as the money zone asks for it: a destination and a step that are pinned, never a free address. */
export type StepCall = {
  /** The provider's name. */
  readonly destination: string;
  readonly step: string;
  readonly values: Readonly<Record<string, string>>;
  readonly body: Template;
  /** Goes out as the provider's idempotency key: of the operation and the step, so it is the same after a crash. */
  readonly key: string;
  readonly deadline_ms: number;
};

export { type Step, goesThroughVault } from '../contract.ts';

/** `host`: name of one of the destination. */
export type Request = HttpRequest | LineRequest;

/** The message says the rest itself. */
export type LineRequest = { readonly host: string; readonly line: LineStep['line'] };

export type HttpRequest = {
  readonly host: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The request that gets the access token of the step (access.ts). */
  readonly access?: AccessRequest;
};

export type AccessRequest = { readonly path: string; readonly id: string; readonly secret: string };

/** The row of a step; undefined: there is none of this name. */
export function stepOf({ table }: Destination, name: string): Step | undefined {
  return Object.hasOwn(table.steps, name) ? table.steps[name] : undefined;
}

type Filling = Pick<StepCall, 'values' | 'key'> & { readonly credentials: Credentials };

/** Values are to be checked before (problemOf). */
export function requestOf(step: Step, to: Host, { values, key, credentials }: Filling): Request {
  if ('line' in step) return { host: step.host, line: step.line };
  const { host, method, query, content_type, access } = step;
  const prefix = 'prefix' in to ? to.prefix : '';
  const path = filled(step.path, values);
  const pairs = Object.entries(query ?? {}).map(
    ([name, text]) => `${encodeURIComponent(name)}=${encoded(text, values)}`,
  );
  const headers = headersOf(step, { key, credentials });
  return {
    host,
    method,
    path: prefix + (pairs.length === 0 ? path : `${path}?${pairs.join('&')}`),
    headers: content_type === null ? headers : { ...headers, 'content-type': typeOf(content_type) },
    ...(access && {
      access: {
        path: prefix + access.path,
        id: credentials[access.id] ?? '',
        secret: credentials[access.secret] ?? '',
      },
    }),
  };
}

const typeOf = (content_type: string) =>
  content_type === 'multipart/form-data' ? `${content_type}; boundary=${BOUNDARY}` : content_type;

const HOLE = /\{([a-z][a-z0-9_]*)\}/g;

/** Names of the values that a step is filled with. */
function holesOf({ path, query }: Pick<HttpStep, 'path' | 'query'>): readonly string[] {
  return [path, ...Object.values(query ?? {})].flatMap((text) =>
    text.includes('{') ? [...text.matchAll(HOLE)].map(([, name = '']) => name) : [],
  );
}

function filled(path: string, values: StepCall['values']): string {
  return path.includes('{') ? path.replace(HOLE, (_, name: string) => encodeURIComponent(values[name] ?? '')) : path;
}

/** A text of the query, or the value that it names. */
const encoded = (text: string, values: StepCall['values']) =>
  text.startsWith('{') ? filled(text, values) : encodeURIComponent(text);

const STEP_KEY = 'step key';

/** The pinned headers, with the key and the credentials filled in. */
function headersOf(
  { headers }: Pick<HttpStep, 'headers'>,
  { key, credentials }: Omit<Filling, 'values'>,
): Readonly<Record<string, string>> {
  const pinned = Object.entries(headers).flatMap(([name, value]) => {
    if (value === STEP_KEY) return [[name, key]];
    const secret = readSecret(value);
    if (!secret) return [[name, value]];
    const credential = credentials[secret.name];
    return credential === undefined ? [] : [[name, secret.scheme + credential]];
  });
  return Object.fromEntries(pinned);
}

type Asked = Pick<StepCall, 'step' | 'values' | 'key'> & { readonly body: readonly Part[] };

/** The mistake of a call against its step; undefined: none. */
export function problemOf(
  { body, key, values, ...asked }: Asked,
  { max_body }: Destination,
  step: Step,
): string | undefined {
  const size = body.reduce((sum, part) => sum + (typeof part === 'string' ? Buffer.byteLength(part) : SLOT_BYTES), 0);
  if (size > (('max_body' in step ? step.max_body : undefined) ?? max_body)) return 'the body is too large';
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(key)) return 'the key is no key';
  if (!areValues(values, 'line' in step ? [] : holesOf(step))) return 'the values are not those of the step';
  const wire = wireOf(asked.step, step);
  if (!wire) return size > 0 ? 'the step has no body' : undefined;
  const pinned = new Map<string, string>(Object.entries(step.slots));
  // any text is a body of this request; a message says what it asks for, and is always looked at
  if (pinned.size === 0 && !('line' in step)) return body.every(isText) ? undefined : 'a slot stands where it may not';
  const places = wire.read(body);
  if (!places) return 'the body is no message of this step';
  const slots = body.flatMap((part) => (typeof part === 'string' ? [] : [part.slot]));
  if (slots.some((slot, at) => pinned.get(places[at] ?? '') !== slot)) return 'a slot stands where it may not';
  const missing = [...pinned.values()].filter((slot) => !slot.endsWith('?') && !slots.includes(slot));
  return missing.length > 0 ? 'a slot is missing' : undefined;
}

function wireOf(name: string, step: Step): Wire | undefined {
  if ('line' in step) return lineMessage(step.line, name);
  return step.content_type === null ? undefined : WIRES[step.content_type];
}

type Writing = { readonly step: Step; readonly body: readonly Part[]; readonly values: Values };

/**
 * The bytes of a body; the caller overwrites them. Null: the step has no body. Undefined: a value is longer than its
 * field, and nothing can be sent.
 */
export function bytesOf(name: string, { step, body, values }: Writing): Buffer | null | undefined {
  try {
    return wireOf(name, step)?.write(body, values) ?? null;
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

const isText = (part: Part) => typeof part === 'string';

/** The most that a slot becomes: a holder's name, escaped. */
const SLOT_BYTES = 256;

function areValues(values: StepCall['values'], holes: readonly string[]): boolean {
  const given = Object.entries(values);
  return (
    given.length === new Set(holes).size && given.every(([name, value]) => holes.includes(name) && VALUE.test(value))
  );
}

/** Are the credentials there that the step cannot do without? */
export function areComplete(step: Carrying, credentials: Credentials): boolean {
  return secretsOf(step).every(({ name, optional }) => optional || Object.hasOwn(credentials, name));
}

/** The destination that they were last found right for: they are looked at once for as long as they are remembered. */
const found_right = new WeakMap<Credentials, Destination>();

/**
 * Are the credentials that go with a step among those that the operator allows? Those of a stranger's account are not.
 */
export function areAllowed(destination: Destination, step: Carrying, credentials: Credentials): boolean {
  const { allow } = destination;
  if (allow.size === 0 || found_right.get(credentials) === destination || secretsOf(step).length === 0) return true;
  const allowed = [...allow].every(([name, texts]) => isOneOf(credentials[name], texts));
  if (allowed) found_right.set(credentials, destination);
  return allowed;
}

const isOneOf = (value: string | undefined, allowed: readonly string[]) =>
  value !== undefined && (allowed.includes(value) || allowed.includes(sha256(value)));
