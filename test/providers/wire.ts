// What the tests of the simulator and of the providers share: the simulated provider as a process of its own, and the
// sender of a Call in its smallest form: slots filled, one request, one answer.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type {
  Answer,
  Facts,
  HttpStep,
  OperationKind,
  Outcome,
  Provider,
  Slot,
  Template,
} from '../../src/provider/contract.ts';
import { STEPS } from '../../src/provider/simulator/steps.ts';

export type SimulatorProcess = {
  readonly url: string;
  readonly child: ChildProcess;
  /** What it said on stderr so far. */
  readonly said: () => string;
  /** Closes its stdin, as its parent's death would; answers how it ended. */
  stop(): Promise<number | null>;
};

const MAIN = fileURLToPath(new URL('../../src/sandbox/main.ts', import.meta.url));

export async function startProcess(journal_file: string | null = null): Promise<SimulatorProcess> {
  const settings = JSON.stringify({ host: '127.0.0.1', port: 0, journal_file });
  const child = spawn(process.execPath, [MAIN, settings], { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()));
  const ended = once(child, 'exit').then(() => child.exitCode);
  const line = await Promise.race([firstLine(child), ended]);
  if (typeof line !== 'string') throw new Error(`the simulator did not start: ${said}`);
  const { port }: { port: number } = JSON.parse(line);
  const stop = () => {
    child.stdin.end();
    return ended;
  };
  return { url: `http://127.0.0.1:${port}`, child, said: () => said, stop };
}

async function firstLine(child: ChildProcess): Promise<string | undefined> {
  if (child.stdout === null) return undefined;
  for await (const line of createInterface({ input: child.stdout })) return line;
  return undefined;
}

export type CardData = { number: string; cvc: string | null; holder: string | null };
const GOOD_CARD: CardData = { number: '4242424242424242', cvc: '123', holder: 'Ada Lovelace' };
export const cardOf = (number: string): CardData => ({ ...GOOD_CARD, number });

/** The bytes of a body: each slot becomes a JSON value, an absent one null. */
function fill(body: Template, card: CardData): string {
  const values: Readonly<Record<Slot, string | null>> = {
    'card.number': card.number,
    'card.cvc?': card.cvc,
    'card.holder?': card.holder,
    'card.cryptogram?': null,
    'card.eci?': null,
    'card.expiry_month': '12',
    'card.expiry_year': '2030',
    'card.expiry': null,
    'psp.token': 'tok_1',
    'psp.customer?': null,
  };
  return body.map((part) => (typeof part === 'string' ? part : JSON.stringify(values[part.slot]))).join('');
}

export type Call = {
  readonly destination: string;
  readonly step: string;
  readonly values: Readonly<Record<string, string>>;
  readonly body: Template;
};

/** What a provider writes first for an operation; undefined: it has no such operation. */
export function firstCall(provider: Provider, facts: Facts): Call | undefined {
  const step = provider.first(facts);
  const written = step === undefined ? undefined : provider.write(step, facts, {});
  return step === undefined || !written ? undefined : { destination: provider.name, step, ...written };
}

export async function send(url: string, call: Call, card: CardData = GOOD_CARD): Promise<Answer> {
  const steps: Readonly<Record<string, HttpStep>> = STEPS;
  const row = steps[call.step];
  if (row === undefined) throw new Error(`no step ${call.step}`);
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => call.values[name] ?? 'missing');
  const query = new URLSearchParams(
    Object.entries(row.query ?? {}).map(([name, text]): [string, string] => [name, filled(text)]),
  );
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'a-key-of-this-test' };
  const body = row.method === 'POST' ? { body: fill(call.body, card) } : {};
  const address = `${url}/${call.destination}${filled(row.path)}${query.size === 0 ? '' : `?${query.toString()}`}`;
  const response = await fetch(address, { method: row.method, headers, ...body });
  return { status: response.status, body: await response.bytes() };
}

/** Writes, sends and reads, as the core does; a call that the provider does not write is an error of the test. */
export async function ask(url: string, provider: Provider, facts: Facts, card?: CardData): Promise<Outcome> {
  const call = firstCall(provider, facts);
  if (call === undefined) throw new Error(`${provider.name} writes no ${facts.kind}`);
  return outcomeOf(provider, await send(url, call, card), facts);
}

/** Of a provider whose operations take one step. */
export function outcomeOf(provider: Provider, answer: Answer, facts: Facts): Outcome {
  const reading = provider.read(provider.first(facts) ?? '', answer, facts, {});
  if (reading.kind === 'next') throw new Error(`${provider.name} goes on with ${reading.step}`);
  return reading;
}

let last = 0;

/** An id of our form that no test used before. */
export function newId(): string {
  last += 1;
  return `66bf18d2${last.toString(16).padStart(16, '0')}`;
}

/** What an operation works on: the provider's reference of it, or our id of it. */
export type Target = { readonly target_reference?: string | null; readonly target_operation_id?: string | null };

/** The facts of one operation of 10.00 EUR under a new id. */
export function factsOf(kind: OperationKind, given: Partial<Facts> & Target = {}): Facts {
  const id = newId();
  const { target_reference = null, target_operation_id = null, ...rest } = given;
  return {
    operation_id: id,
    merchant_account_id: '66bf18d2aaaaaaaaaaaaaaaa',
    order_id: `${id.slice(0, 8)}ffffffff${id.slice(16)}`,
    kind,
    amount_minor: 1000n,
    currency: 'EUR',
    with_capture: false,
    final: false,
    order_merchant_id: 'cart-1881',
    scheme: kind === 'authorize' ? 'visa' : null,
    authorization_reference: target_reference,
    authorization_code: null,
    authorization_kept: {},
    capture_reference: target_reference,
    ...(target_operation_id !== null && { about: aboutOf(target_operation_id) }),
    ...rest,
  };
}

export const aboutOf = (operation_id: string) =>
  ({ kind: 'authorize', operation_id, with_capture: false, reference: null, kept: {} }) as const;
