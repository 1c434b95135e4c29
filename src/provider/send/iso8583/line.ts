// One line to an acquirer: connected, signed on, kept awake, and taken up again when it is lost. Many messages are in
// flight on it; an answer finds its message by type, time, trace number and terminal.
import { type Message, Refused, latin, pack, unpack } from './codec.ts';
import { type Dialect, answerTypeOf } from './dialect.ts';
import { FrameReader, framed } from './frames.ts';
import { InFlight, type LineAnswer } from './in-flight.ts';
import type {
  LineTarget,
  LineExchange,
  LineRequest,
  LineSocket,
  LineTimes,
  LineTools,
  LineUnknown,
} from './outside.ts';
import { bodyOf } from './wire.ts';

export type LineOptions = {
  /** The name for people: the provider, and which of its lines. */
  readonly name: string;
  readonly target: LineTarget;
  readonly dialect: Dialect;
  readonly times: LineTimes;
};

const NOT_SENT = { kind: 'not_sent' } as const;
const MOST_IN_FLIGHT = 2000;
const APPROVED = '00';

export class Line {
  private readonly options: LineOptions;
  private readonly tools: LineTools;
  private readonly in_flight: InFlight;
  private socket: LineSocket | undefined;
  private reader: FrameReader;
  /** Counts connections: events of an older one are ignored. */
  private connection = 0;
  private ready = false;
  private closing = false;
  private heard = 0;
  private trace = 0;
  private sleeping: { end(): void } | undefined;
  private tried = Promise.withResolvers<void>();
  private readonly running: Promise<void>;

  constructor(options: LineOptions, tools: LineTools) {
    this.options = options;
    this.tools = tools;
    this.in_flight = new InFlight(tools.clock);
    this.reader = new FrameReader(options.dialect.max_bytes);
    this.running = this.run();
  }

  isReady(): boolean {
    return this.ready && !this.closing;
  }

  /** Done as soon as it is known whether the present try to take the line up succeeds. */
  tryEnded(): Promise<void> {
    return this.tried.promise;
  }

  /** Sends one message, once. Two that cannot be told apart by their answers are not in flight together. */
  async exchange({ body, deadline_ms, started }: LineRequest): Promise<LineExchange> {
    const key = this.keyOf(body);
    if (!this.isReady() || key === undefined || this.in_flight.has(key) || this.in_flight.size >= MOST_IN_FLIGHT)
      return NOT_SENT;
    started?.();
    const answer = await this.put(key, body, deadline_ms);
    return answer.kind === 'unknown' ? answer : { kind: 'answered', status: 200, body: answer.body };
  }

  /** Takes no more, waits for what is in flight, signs off. */
  async close(): Promise<void> {
    this.closing = true;
    if (this.ready) await this.in_flight.emptied();
    if (this.ready) await this.ask(this.options.dialect.network.sign_off);
    this.end('closed by us', this.connection);
    await this.running;
  }

  private async run(): Promise<void> {
    const { pause_first, pause_most } = this.options.times;
    let pause = pause_first;
    while (!this.closing) {
      this.tried = Promise.withResolvers<void>();
      const up = await this.takeUp(++this.connection);
      this.tried.resolve();
      if (up) await this.keepAwake();
      pause = up ? pause_first : Math.min(2 * pause, pause_most);
      await this.sleep(pause);
    }
  }

  /** Connects and signs on. */
  private async takeUp(connection: number): Promise<boolean> {
    this.reader = new FrameReader(this.options.dialect.max_bytes);
    try {
      const socket = await this.tools.connect(this.options.target, {
        bytes: (chunk) => this.take(chunk, connection),
        ended: () => this.end('the other side closed it', connection),
      });
      if (this.connection !== connection) {
        // lost or closed before it was of use
        socket.destroy();
        return false;
      }
      this.socket = socket;
    } catch (error) {
      this.tell('warn', { error: String(error) }, 'a line to an acquirer was not connected');
      return false;
    }
    const code = this.closing ? undefined : await this.ask(this.options.dialect.network.sign_on);
    if (code === APPROVED) this.setReady(true);
    else this.end(code === undefined ? 'sign-on was not answered' : `sign-on was refused: ${code}`, connection);
    return code === APPROVED;
  }

  /** Sends echo messages until the line is lost: a silent line may be dead without an error. */
  private async keepAwake(): Promise<void> {
    const { silence } = this.options.times;
    const { connection } = this;
    while (this.ready) {
      const quiet = this.tools.clock.ticks() - this.heard;
      if (quiet < silence) await this.sleep(silence - quiet);
      else if ((await this.ask(this.options.dialect.network.echo)) === undefined)
        this.end('an echo was not answered', connection);
    }
  }

  /** Ended early when the line is lost or closed. */
  private async sleep(ms: number): Promise<void> {
    if (this.closing) return;
    const timer = this.tools.clock.timer(ms);
    this.sleeping = timer;
    await timer.done;
    this.sleeping = undefined;
  }

  /** A message about the line itself; the code it was answered with. Undefined: it was not. */
  private async ask(what: string): Promise<string | undefined> {
    const sent_at = this.tools.clock.now().toISOString().replaceAll(/\D/g, '').slice(4, 14);
    this.trace = (this.trace % 999_999) + 1;
    const texts: [number, string][] = [
      [7, sent_at],
      [11, String(this.trace).padStart(6, '0')],
      [70, what],
    ];
    const fields = new Map(texts.map(([field, text]) => [field, Buffer.from(text)]));
    const message = { type: '0800', fields };
    const body = pack(message, this.options.dialect);
    const answer = await this.put(matchKey(answerTypeOf('0800'), message), body, Infinity);
    return answer.kind === 'unknown' ? undefined : answer.code;
  }

  private put(key: string, body: Uint8Array, deadline_ms: number): Promise<LineAnswer | LineUnknown> {
    const answer = this.in_flight.wait(key, Math.min(deadline_ms, this.options.times.answer));
    this.write(body);
    return answer;
  }

  /** The frame is a copy: the caller may overwrite the message while this still waits to leave. */
  private write(body: Uint8Array): void {
    const frame = framed(body);
    this.socket?.write(frame, () => frame.fill(0));
  }

  private take(chunk: Uint8Array, connection: number): void {
    if (this.connection !== connection) return;
    this.heard = this.tools.clock.ticks();
    try {
      for (const bytes of this.reader.push(chunk)) this.hear(bytes);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.end('what comes over it cannot be cut into messages', connection);
    }
    chunk.fill(0);
  }

  private hear(bytes: Buffer): void {
    try {
      const message = unpack(bytes, this.options.dialect);
      if (message.type === '0800') this.reply(message);
      else this.answer(message);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.tell('error', { reason: error.reason, field: error.field }, 'what an acquirer sent is no message');
    } finally {
      bytes.fill(0);
    }
  }

  /** A late answer is recorded and never applied: what became of its message was found out, or is being undone. */
  private answer(message: Message): void {
    const { type, fields } = message;
    const text = (field: number) => latin(fields.get(field) ?? NOTHING);
    const whole = { kind: 'answered', body: bodyOf(message, this.options.dialect), code: text(39) } as const;
    const was = this.in_flight.arrived(matchKey(type, message), whole);
    if (was === 'awaited') return;
    whole.body.fill(0);
    const about = { type, trace: text(11), sent_at: text(7), code: text(39), reference: text(37) };
    this.tell('warn', about, was === 'late' ? 'an answer came too late' : 'an answer that matches no open message');
  }

  /** They ask whether we are there. */
  private reply({ fields }: Message): void {
    const kept = [...fields].filter(([field]) => [7, 11, 70].includes(field));
    const answer = { type: '0810', fields: new Map([...kept, [39, Buffer.from(APPROVED)]]) };
    this.write(pack(answer, this.options.dialect));
  }

  private end(why: string, connection: number): void {
    if (this.connection !== connection) return;
    this.connection++;
    this.socket?.destroy();
    this.socket = undefined;
    if (!this.closing) this.tell('warn', { why }, 'a line to an acquirer is down');
    this.setReady(false);
    this.in_flight.end();
    this.sleeping?.end();
  }

  private setReady(ready: boolean): void {
    if (this.ready === ready) return;
    this.ready = ready;
    if (ready) this.tell('debug', {}, 'signed on to an acquirer');
    this.tools.changed?.(this.options.name, ready);
  }

  private tell(
    level: 'debug' | 'warn' | 'error',
    fields: Readonly<Record<string, string | number>>,
    text: string,
  ): void {
    this.tools.log[level]({ line: this.options.name, ...fields }, text);
  }

  /** The key of a message. Undefined: it is no message of this dialect, and is not sent. */
  private keyOf(body: Uint8Array): string | undefined {
    try {
      const message = unpack(body, this.options.dialect);
      return matchKey(answerTypeOf(message.type), message);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.tell('error', { reason: error.reason, field: error.field }, 'what was to be sent is no message');
      return undefined;
    }
  }
}

const NOTHING = new Uint8Array(0);

/** Type, time, trace number and terminal: none of it is card data. */
function matchKey(type: string, { fields }: Message): string {
  return [type, ...[7, 11, 41].map((field) => latin(fields.get(field) ?? NOTHING))].join(' ');
}
