// A core in small: operations in a store that outlives it, each committed before it is sent; what is in doubt is
// recovered from the store alone. It drives the provider, the wire and the lines as the engine does, without a
// database.
import type { Exchange } from '../../src/kit/egress.ts';
import { iso8583 } from '../../src/provider/iso8583/iso8583.ts';
import type { Facts, Kept, Outcome, Template } from '../../src/provider/contract.ts';
import { DIALECT } from '../../src/provider/send/iso8583/dialect.ts';
import type { Lines } from '../../src/provider/send/iso8583/lines.ts';
import type { LineClock } from '../../src/provider/send/iso8583/outside.ts';
import { lineWire } from '../../src/provider/send/iso8583/wire.ts';

type Kind = 'authorize' | 'capture' | 'refund' | 'cancel' | 'reversal';

export type Operation = {
  readonly id: string;
  readonly kind: Kind;
  readonly amount_minor: bigint;
  readonly with_capture: boolean;
  /** Of all but an authorization: the one it is about. */
  readonly about?: string;
  kept: Kept;
  tries: number;
  state: 'open' | 'approved' | 'declined' | 'in_doubt' | 'reversed' | 'not_sent';
  reference: string | null;
  code: string;
  authorization_code: string;
};

export type Store = { readonly operations: Map<string, Operation>; trace: number };
export const newStore = (): Store => ({ operations: new Map(), trace: 0 });

export const CARD = { number: '4242424242424242', month: '12', year: '2034', security_code: '123' };

const wire = lineWire(DIALECT);
const CREDENTIALS: Readonly<Record<string, string>> = {
  'secret.terminal_id': 'TERM01',
  'secret.merchant_id': 'SHOP-1',
  'secret.acquirer_id': '123456',
};

function slotValue(card: typeof CARD): (slot: string) => Buffer | undefined {
  const values: Readonly<Record<string, string>> = {
    ...CREDENTIALS,
    'card.number': card.number,
    'card.expiry_month': card.month,
    'card.expiry_year': card.year,
    'card.cvc?': card.security_code,
  };
  return (slot) => (values[slot] === undefined ? undefined : Buffer.from(values[slot]));
}

export function messageOf(body: Template, card = CARD): Buffer {
  return wire.write(body, slotValue(card));
}

type Tools = { readonly store: Store; readonly lines: Lines; readonly clock: LineClock };
export type Asked = {
  readonly kind: Kind;
  readonly amount_minor: bigint;
  readonly with_capture?: boolean;
  readonly about?: string;
  readonly card?: typeof CARD;
};

export class SmallCore {
  private readonly tools: Tools;
  private dead = false;

  constructor(tools: Tools) {
    this.tools = tools;
  }

  /** Killed: whatever it still hears it writes down nowhere. */
  kill(): void {
    this.dead = true;
  }

  async begin(asked: Asked): Promise<Operation> {
    const { store, clock } = this.tools;
    const { kind, amount_minor, with_capture = false, about } = asked;
    const id = String(store.operations.size + 1).padStart(24, '0');
    const trace = String((store.trace = (store.trace % 999_999) + 1)).padStart(6, '0');
    const kept = { trace, trace_at: clock.now().toISOString() };
    const begun = { id, kind, amount_minor, with_capture, kept, tries: 0, state: 'open', reference: null } as const;
    const operation: Operation = { ...begun, code: '', authorization_code: '', ...(about !== undefined && { about }) };
    store.operations.set(id, operation);
    return this.send(operation, asked.card);
  }

  /** Everything that is open or in doubt, until nothing is: authorizations are undone, the rest is repeated. */
  async recover(): Promise<void> {
    for (const operation of [...this.tools.store.operations.values()]) {
      if (this.dead) return;
      if (operation.state !== 'open' && operation.state !== 'in_doubt') continue;
      if (operation.kind === 'authorize') await this.undo(operation);
      else await this.send(operation);
    }
  }

  private async undo(authorize: Operation): Promise<void> {
    const all = [...this.tools.store.operations.values()];
    const { id, amount_minor, with_capture } = authorize;
    const reversal = all.find(({ kind, about }) => kind === 'reversal' && about === id);
    if (!reversal) await this.begin({ kind: 'reversal', amount_minor, with_capture, about: id });
    else if (reversal.state !== 'reversed') await this.send(reversal);
  }

  private async send(operation: Operation, card = CARD): Promise<Operation> {
    // committed before it is sent
    operation.tries++;
    if (operation.tries > 1) operation.kept = { ...operation.kept, repeat: 'yes' };
    const facts = this.factsOf(operation);
    const step = iso8583.first(facts);
    const written = step === undefined ? undefined : iso8583.write(step, facts, operation.kept);
    if (step === undefined || !written) throw new Error(`${operation.kind} cannot be said`);
    const body = messageOf(written.body, card);
    const exchange: Exchange = await this.tools.lines.send('acquirer', { body, deadline_ms: 15_000 });
    body.fill(0);
    if (this.dead) return operation;
    if (exchange.kind === 'not_sent') {
      // so the next one is no repeat
      operation.tries--;
      if (operation.kind === 'authorize') operation.state = 'not_sent';
      return operation;
    }
    const reading = exchange.kind === 'unknown' ? exchange : iso8583.read(step, exchange, facts, operation.kept);
    if (reading.kind !== 'next') this.apply(operation, reading);
    return operation;
  }

  private apply(operation: Operation, outcome: Outcome): void {
    const { kind } = outcome;
    if (kind === 'approved') {
      const ours = outcome.our_reference === null || outcome.our_reference === operation.id;
      const same = outcome.amount_minor === null || outcome.amount_minor === operation.amount_minor;
      operation.state = ours && same ? 'approved' : 'in_doubt';
      operation.reference = outcome.reference;
      operation.authorization_code = outcome.authorization_code;
      operation.code = outcome.provider_code;
    } else if (kind === 'declined') {
      operation.state = 'declined';
      operation.code = outcome.provider_code;
    } else if (kind === 'reversed') {
      operation.state = 'reversed';
      const target = this.tools.store.operations.get(operation.about ?? '');
      if (target) target.state = 'declined';
    } else operation.state = 'in_doubt';
  }

  private factsOf(operation: Operation): Facts {
    const { id, kind, amount_minor, with_capture, about } = operation;
    const target = this.tools.store.operations.get(about ?? '');
    return {
      operation_id: id,
      merchant_account_id: 'a'.repeat(24),
      order_id: 'b'.repeat(24),
      kind,
      amount_minor,
      currency: 'EUR',
      with_capture,
      order_merchant_id: 'cart-1',
      scheme: 'visa',
      authorization_reference: target?.reference ?? null,
      authorization_code: target?.authorization_code ?? null,
      authorization_kept: target?.kept ?? {},
      capture_reference: null,
      ...(target &&
        kind === 'reversal' && {
          about: {
            kind: 'authorize' as const,
            operation_id: target.id,
            with_capture: target.with_capture,
            reference: target.reference,
            kept: target.kept,
          },
        }),
    };
  }
}
