// Runs operations of a provider through its steps, over a real socket, as the engine does, but by hand: it fills slots,
// makes keys, and keeps what steps leave. It knows no provider. What the answers mean for money is the engine's, and
// not played here.
import { request } from 'node:http';
import type {
  Answer,
  Facts,
  HttpStep,
  Kept,
  OperationKind,
  Outcome,
  Provider,
  Slot,
  Template,
  Written,
} from '../../src/provider/contract.ts';

export type Values = Readonly<Partial<Record<Slot, string>>>;

export type Wire = {
  readonly provider: Provider;
  readonly base_url: string;
  readonly values: Values;
  /** The other end says when it will stay silent, so that nobody waits for a time-out. */
  readonly hangs?: (end: () => void) => void;
};

/** What became of a call, or the answer to it. */
export type Heard = Answer | 'refused' | 'closed' | 'timeout';

/** One operation as the engine would have it in its database. */
export type Ran = {
  readonly facts: Facts;
  readonly steps: string[];
  kept: Kept;
  reference: string | null;
  /** Was a step sent that moves money? */
  money_sent: boolean;
  /** What the last call brought; undefined: nothing was sent, or the process died before. */
  outcome: Outcome | undefined;
};

let made = 0;
const nextId = (): string => (made += 1).toString(16).padStart(24, '0');

export function factsOf(kind: OperationKind, more: Partial<Facts> = {}): Facts {
  return {
    operation_id: nextId(),
    merchant_account_id: 'b'.repeat(24),
    order_id: nextId(),
    kind,
    amount_minor: 4250n,
    currency: 'EUR',
    with_capture: false,
    order_merchant_id: 'cart 1881 & more',
    scheme: 'visa',
    authorization_reference: null,
    authorization_code: null,
    authorization_kept: {},
    capture_reference: null,
    ...(kind === 'authorize' && { evidence: { stored_card: false }, payer: PAYER }),
    ...more,
  };
}

const PAYER = { return_url: 'https://pay.example/back?id=1', three_ds: 'ask' } as const;

/** The facts of an operation that works on what an authorization made. */
export const after = (ran: Ran, kind: OperationKind, more: Partial<Facts> = {}): Facts =>
  factsOf(kind, {
    order_id: ran.facts.order_id,
    amount_minor: ran.facts.amount_minor,
    currency: ran.facts.currency,
    authorization_reference: ran.reference,
    authorization_kept: ran.kept,
    ...more,
  });

/** How an operation stands, asked or undone. */
export function about(ran: Ran, kind: 'inquiry' | 'reversal', more: Partial<Facts> = {}): Facts {
  const { facts, reference, kept } = ran;
  return factsOf(kind, {
    order_id: facts.order_id,
    amount_minor: facts.amount_minor,
    currency: facts.currency,
    authorization_reference: facts.kind === 'authorize' ? reference : facts.authorization_reference,
    authorization_kept: facts.kind === 'authorize' ? kept : facts.authorization_kept,
    about: {
      kind: facts.kind === 'inquiry' ? 'authorize' : facts.kind,
      operation_id: facts.operation_id,
      with_capture: facts.with_capture,
      reference,
      kept,
    },
    ...more,
  });
}

export type Until = {
  /** The process dies at this step: before it is sent, or after the answer, which nobody reads. */
  readonly dies?: { readonly step: string; readonly when: 'before' | 'after' };
};

export async function run(wire: Wire, facts: Facts, { dies }: Until = {}): Promise<Ran> {
  const ran: Ran = { facts, steps: [], kept: {}, reference: null, money_sent: false, outcome: undefined };
  let step = wire.provider.first(facts);
  while (step !== undefined) {
    if (dies?.step === step && dies.when === 'before') return ran;
    const heard = await take(wire, ran, step);
    if (heard === undefined) return ran;
    if (dies?.step === step) return ran;
    step = conclude(wire, ran, step, heard);
  }
  return ran;
}

/** Goes on with one step: what is sent once the payer came back, or again under the same key. */
export async function go(wire: Wire, ran: Ran, step: string): Promise<Ran> {
  let next: string | undefined = step;
  while (next !== undefined) {
    const heard = await take(wire, ran, next);
    next = heard === undefined ? undefined : conclude(wire, ran, next, heard);
  }
  return ran;
}

async function take(wire: Wire, ran: Ran, step: string): Promise<Heard | undefined> {
  const written = wire.provider.write(step, ran.facts, ran.kept);
  if (written === undefined) return undefined;
  ran.steps.push(step);
  if (wire.provider.steps[step]?.effect === 'money') ran.money_sent = true;
  return send(wire, step, written, `${ran.facts.operation_id}-${step}`);
}

function conclude({ provider }: Wire, ran: Ran, step: string, heard: Heard): string | undefined {
  if (typeof heard === 'string') {
    ran.outcome = { kind: 'unknown', why: heard === 'timeout' ? 'timeout' : 'closed' };
    return undefined;
  }
  const said = provider.read(step, heard, ran.facts, ran.kept);
  if (said.kind === 'next') {
    ran.kept = { ...ran.kept, ...said.keep };
    ran.reference = said.reference ?? ran.reference;
    return said.step;
  }
  ran.outcome = said;
  if ('reference' in said && said.reference !== null) ran.reference = said.reference;
  return undefined;
}

function send(wire: Wire, step: string, written: Written, key: string): Promise<Heard> {
  const row = wire.provider.steps[step];
  if (row === undefined || 'line' in row) throw new Error(`${step} is no step of HTTP`);
  const { path, headers } = callOf(row, written, key, wire.values);
  const body = row.content_type === null ? Buffer.alloc(0) : Buffer.from(filled(row, written.body, wire.values));
  return new Promise((resolve) => {
    const call = request(
      `${wire.base_url}${path}`,
      {
        method: row.method,
        headers: { ...headers, 'content-length': body.length },
        agent: false,
      },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(pieces) }));
        response.on('error', () => resolve('closed'));
        response.on('aborted', () => resolve('closed'));
      },
    );
    wire.hangs?.(() => {
      resolve('timeout');
      call.destroy();
    });
    call.on('error', (error) => resolve('code' in error && error.code === 'ECONNREFUSED' ? 'refused' : 'closed'));
    call.end(body);
  });
}

/** Path and headers as the row says them. */
export function callOf(row: HttpStep, written: Written, key: string, values: Values) {
  const put = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(written.values[name] ?? ''));
  const pairs = Object.entries(row.query ?? {}).map(([name, text]) => `${encodeURIComponent(name)}=${put(text)}`);
  const path = put(row.path) + (pairs.length === 0 ? '' : `?${pairs.join('&')}`);
  const headers = Object.entries(row.headers).flatMap(([name, text]) => {
    const value = text
      .replace(/\?$/, '')
      .replace('step key', key)
      .replace(/secret\.\w+/, (slot) => values[slot as Slot] ?? '');
    return value.trim() === '' ? [] : [[name, value] as const];
  });
  if (row.access) headers.push(['authorization', `Bearer ${values['secret.access_token'] ?? ''}`]);
  if (row.content_type !== null) headers.push(['content-type', row.content_type]);
  return { path, headers: Object.fromEntries(headers) };
}

/** The body with its holes filled in; one that has nothing to say goes with its key or member. */
export function filled({ content_type }: HttpStep, body: Template, values: Values): string {
  let text = '';
  for (const part of body) {
    if (typeof part === 'string') text += part;
    else {
      const value = values[part.slot];
      if (value === undefined) text = text.replace(/[&,]?[^&,{]*[=:]$/, '');
      else text += content_type === 'application/json' ? JSON.stringify(value) : encodeURIComponent(value);
    }
  }
  return text.replace(/^&/, '');
}
