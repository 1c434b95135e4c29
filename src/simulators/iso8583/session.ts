// One line at the simulated acquirer: whether it is signed on, and when its answers are sent: at once, late, twice or
// in another order.
import type { Socket } from 'node:net';
import { type Message, Refused, pack, unpack } from '../../provider/send/iso8583/codec.ts';
import { compose, decompose } from '../../provider/send/iso8583/composite.ts';
import { DIALECT } from '../../provider/send/iso8583/dialect.ts';
import { FrameReader, framed } from '../../provider/send/iso8583/frames.ts';
import type { Fault, FaultKind } from './faults.ts';
import { type Request, answerTo, requestOf } from './message.ts';
import type { World } from './world.ts';

/** Faults after which the message has no answer of its own, or only after the next one. */
const UNANSWERED: ReadonlySet<FaultKind> = new Set([
  'ignore',
  'drop_answer',
  'late_answer',
  'out_of_order',
  'wrong_trace',
  'garbage',
]);

export class Session {
  private readonly world: World;
  private readonly socket: Socket;
  private signed_on = false;
  /** Answers that are sent after the next one. */
  private readonly behind: Message[] = [];
  private readonly shuffled: Message[] = [];

  constructor(socket: Socket, world: World) {
    this.socket = socket;
    this.world = world;
    const reader = new FrameReader(DIALECT.max_bytes);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      try {
        for (const bytes of reader.push(chunk)) this.hear(requestOf(unpack(bytes, DIALECT)));
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        this.world.seen.unreadable++;
        socket.destroy();
      }
    });
  }

  get isSignedOn(): boolean {
    return this.signed_on && !this.socket.destroyed;
  }

  close(): void {
    this.socket.destroy();
  }

  /** Sends an echo test, to ask whether the other side is there. */
  echo(): void {
    const sent_at = this.world.now().toISOString().replaceAll(/\D/g, '').slice(4, 14);
    const fields = { 7: sent_at, 11: '000001', 70: DIALECT.network.echo };
    const bytes = Object.entries(fields).map(([field, text]) => [Number(field), Buffer.from(text)] as const);
    this.write({ type: '0800', fields: new Map(bytes) });
  }

  private hear(request: Request): void {
    const { world } = this;
    world.note(request);
    if (request.type === '0810') return;
    const fault = world.faults.next(request.type);
    if (request.type.startsWith('08')) return this.network(request, fault);
    if (!this.signed_on) {
      world.seen.before_sign_on++;
      return this.close();
    }
    void this.serve(request, fault);
  }

  private network(request: Request, fault: Fault | undefined): void {
    if (fault?.kind === 'ignore_network') return;
    const what = request.texts.get(70);
    const refused = fault?.kind === 'refuse_sign_on';
    if (what === DIALECT.network.sign_on) this.signed_on = !refused;
    if (what === DIALECT.network.sign_off) this.signed_on = false;
    this.write(answerTo(request, { 39: refused ? '91' : '00' }));
  }

  private async serve(request: Request, fault: Fault | undefined): Promise<void> {
    const { ms = 0, kind } = fault ?? {};
    if (kind === 'close_before_commit') return this.close();
    if (kind === 'late_commit') {
      this.world.seen.unanswered++;
      await this.world.clock.timer(ms).done;
    }
    const answer = kind === 'ignore' ? undefined : this.world.answer(request);
    if (kind === 'close_after_commit') return this.close();
    if (fault && UNANSWERED.has(fault.kind)) this.world.seen.unanswered++;
    if (kind === 'late_answer') await this.world.clock.timer(ms).done;
    if (answer && kind !== 'drop_answer') this.leave(answer, fault);
    if (kind === 'late_answer') this.world.seen.late++;
  }

  private leave(answer: Message, fault: Fault | undefined): void {
    const kind = fault?.kind;
    if (kind === 'out_of_order') {
      this.behind.push(answer);
    } else if (kind === 'shuffle') {
      this.shuffled.push(answer);
      if (this.shuffled.length >= (fault?.times ?? 1)) this.shuffle();
    } else if (kind === 'garbage') {
      this.socket.write(framed(Buffer.from('<html>no message</html>')));
    } else {
      const answers = kind === 'answer_twice' ? [answer, answer] : [spoilt(answer, kind)];
      for (const one of [...answers, ...this.behind.splice(0)]) this.write(one);
    }
  }

  /** Sends the answers in an order that is always the same, and far from the order of the messages. */
  private shuffle(): void {
    const rank = ({ fields }: Message) => (Number(Buffer.from(fields.get(11) ?? []).toString()) * 7919) % 1009;
    for (const one of this.shuffled.splice(0).toSorted((a, b) => rank(a) - rank(b))) this.write(one);
  }

  private write(answer: Message): void {
    this.socket.write(framed(pack(answer, DIALECT)));
  }
}

function spoilt(answer: Message, kind: FaultKind | undefined): Message {
  if (kind === 'wrong_trace') return withMore(answer, 11);
  if (kind === 'wrong_currency') return withField(answer, 49, Buffer.from('784'));
  if (kind === 'wrong_reference') return withField(answer, 48, otherReference(answer));
  return kind === 'wrong_amount' ? withMore(answer, 4) : answer;
}

function withField(answer: Message, field: number, bytes: Uint8Array): Message {
  return { ...answer, fields: new Map([...answer.fields, [field, bytes]]) };
}

/** The answer's tags, with the reference of another message. */
function otherReference({ fields }: Message): Uint8Array {
  const tags = decompose(48, fields.get(48) ?? new Uint8Array(0), DIALECT);
  const other = { name: 'reference', bytes: Buffer.from('0'.repeat(32)) };
  return compose(48, [other, ...tags.filter(({ name }) => name !== 'reference')], DIALECT);
}

/** The answer with a number in this field that is too high by one. */
function withMore(answer: Message, field: number): Message {
  const digits = Buffer.from(answer.fields.get(field) ?? []).toString();
  const other = String(BigInt(digits) + 1n).padStart(digits.length, '0');
  return withField(answer, field, Buffer.from(other));
}
