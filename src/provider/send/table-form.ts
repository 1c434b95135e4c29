// The form of a table of steps. The tables are our own, but the vault checks everything that says where a card goes.
import type { HttpStep, LineStep, Step, Steps } from '../contract.ts';
import { DIALECTS } from './line-message.ts';
import { readSecret } from './secret.ts';
import { SLOTS } from './slots.ts';
import { isWireName } from './wire.ts';

const NAME = /^[a-z][a-z0-9_]{0,39}$/;
const PATH = /^(?:\/(?:[A-Za-z0-9._~:-]|\{[a-z][a-z0-9_]*\})+)+$/;
const QUERY = /^(?:\{[a-z][a-z0-9_]*\}|[^{}]{1,255})$/;
const HEADER = /^[a-z][a-z0-9-]{0,63}$/;
const HEADER_TEXT = /^[\x20-\x7e]{1,4096}$/;
/** Headers that the connection itself sets; a pinned header must not contradict them. */
const OWN_HEADERS = ['host', 'content-length', 'content-type', 'transfer-encoding', 'connection', 'accept-encoding'];
const COMMON = ['host', 'slots', 'references', 'effect', 'again'];
const OF_HTTP = ['method', 'path', 'query', 'headers', 'content_type', 'max_body', 'access'];
/** A file of 5 MiB, counted as a text of which half are characters of two bytes. */
const MOST_BODY = 12_000_000;
const EFFECTS = ['none', 'shell', 'money'];
const AGAIN = ['freely', 'same_key', 'until_proved', 'never'];
const METHODS = ['GET', 'POST', 'DELETE'];

/** The steps, or what is wrong with them in `problems`. */
export function stepsOf(said: unknown, problems: string[]): Steps {
  if (!isObject(said) || Object.keys(said).length === 0) {
    problems.push('STEPS must be an object with a step');
    return {};
  }
  const found = Object.entries(said).flatMap(([name, row]) => {
    if (!NAME.test(name)) problems.push(`${name} is no name of a step`);
    const before = problems.length;
    check(row, (problem) => problems.push(`${name}: ${problem}`));
    return problems.length === before && isStep(row) ? [[name, row] as const] : [];
  });
  return Object.fromEntries(found);
}

type Tell = (problem: string) => void;

/** True for a row in which `check` found no mistake. */
const isStep = (row: unknown): row is Step => isObject(row);

function check(row: unknown, tell: Tell): void {
  if (!isObject(row)) return tell('must be an object');
  const is_line = 'line' in row;
  const known = is_line ? [...COMMON, 'line'] : [...COMMON, ...OF_HTTP];
  for (const name of Object.keys(row)) if (!known.includes(name)) tell(`has no member ${name}`);
  if (!matches(row['host'], NAME)) tell('host must be a name');
  if (!isWord(row['effect'], EFFECTS)) tell(`effect must be one of ${EFFECTS.join(', ')}`);
  if (!isWord(row['again'], AGAIN)) tell(`again must be one of ${AGAIN.join(', ')}`);
  const { references } = row;
  if (!Array.isArray(references) || !references.every((one) => matches(one, /^[\x21-\x7e]{1,64}$/)))
    tell('references must be a list of member names');
  checkSlots(row['slots'], tell);
  if (is_line) checkLine(row, tell);
  else checkHttp(row, tell);
}

function checkSlots(slots: unknown, tell: Tell): void {
  if (!isTexts(slots)) return tell('slots must hold texts');
  for (const [place, slot] of Object.entries(slots))
    if (!SLOTS.includes(slot) && (readSecret(slot)?.scheme ?? ' ') !== '')
      tell(`slots ${place} must be one of ${SLOTS.join(', ')}, or secret.NAME`);
  // a credential may stand at two: an acquirer is named in its own field, and where a message is named that it follows
  const of_card = Object.values(slots).filter((slot) => !readSecret(slot));
  if (new Set(of_card).size < of_card.length) tell('slots names a slot at two places');
}

function checkLine({ line }: Partial<Record<keyof LineStep, unknown>>, tell: Tell): void {
  if (typeof line !== 'string' || !Object.hasOwn(DIALECTS, line)) tell('line must be the name of a dialect');
}

function checkHttp(row: Partial<Record<keyof HttpStep, unknown>>, tell: Tell): void {
  const { method, path, query = {}, headers, content_type, max_body = 1, slots, access } = row;
  if (!isWord(method, METHODS)) tell(`method must be one of ${METHODS.join(', ')}`);
  if (!matches(path, PATH) || path.length > 255 || path.includes('..')) tell('path must be a path without a query');
  if (!isTexts(query) || !Object.entries(query).every(([name, text]) => name !== '' && QUERY.test(text)))
    tell('query must hold texts, or {name}');
  if (!isTexts(headers)) return tell('headers must hold texts');
  for (const [name, text] of Object.entries(headers)) {
    if (!HEADER.test(name) || OWN_HEADERS.includes(name)) tell(`headers: ${name} may not be set`);
    if (!HEADER_TEXT.test(text)) tell(`headers: ${name} must be a text`);
    if (text.includes('secret.') && !readSecret(text))
      tell(`headers: ${name} must be secret.NAME, or a word and secret.NAME`);
  }
  if (content_type !== null && !isWireName(content_type)) tell('content_type is none that can be written');
  const has_slots = isTexts(slots) && Object.keys(slots).length > 0;
  if (content_type === null && has_slots) tell('a step without a body has no slots');
  if (method === 'GET' && content_type !== null) tell('a GET has no body');
  if (typeof max_body !== 'number' || !(max_body >= 1 && max_body <= MOST_BODY))
    tell(`max_body must be 1 to ${MOST_BODY}`);
  if (content_type === 'multipart/form-data' && has_slots) tell('a form with a file has no slots');
  if (access !== undefined) checkAccess(access, 'authorization' in headers, tell);
}

function checkAccess(access: unknown, says_itself: boolean, tell: Tell): void {
  const is_whole = isObject(access) && Object.keys(access).toSorted().join() === 'id,path,secret';
  if (!is_whole || !matches(access['path'], PATH) || access['path'].includes('{') || access['path'].includes('..'))
    return tell('access must have a path without a query, id and secret');
  if (!matches(access['id'], NAME) || !matches(access['secret'], NAME))
    tell('access must name two credentials, id and secret');
  if (says_itself) tell('a step with access has no authorization of its own');
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  isObject(value) && Object.values(value).every((one) => typeof one === 'string');
const matches = (value: unknown, form: RegExp): value is string => typeof value === 'string' && form.test(value);
const isWord = (value: unknown, words: readonly string[]) => typeof value === 'string' && words.includes(value);
