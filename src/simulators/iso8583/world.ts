// The state that all lines of the simulated acquirer share: books, faults, the clock, and the answers that were given.
import type { Clock } from '../../kit/clock.ts';
import type { Message } from '../../provider/send/iso8583/codec.ts';
import { Books, type Verdict } from './books.ts';
import { Faults } from './faults.ts';
import { type Request, answerTo, isRepeat, numbersOf } from './message.ts';

const MOST_SEEN = 20_000;
const MOST_ANSWERS = 100_000;
const DUPLICATE = '94';
/** Codes after which nothing was done, so a repeat is judged anew. */
const NOT_KEPT = new Set(['25', '91', '96']);

export class World {
  readonly clock: Clock;
  readonly books: Books;
  readonly faults = new Faults();
  readonly seen = {
    /** Each message, without its card data. */
    messages: [] as { readonly type: string; readonly trace: string; readonly sent_at: string }[],
    before_sign_on: 0,
    unreadable: 0,
    duplicates: 0,
    /** Messages without an answer of their own, or without one in time. */
    unanswered: 0,
    /** Answers that were sent late. */
    late: 0,
  };
  private shift_ms = 0;
  private readonly answers = new Map<string, Message>();

  constructor(clock: Clock) {
    this.clock = clock;
    this.books = new Books(() => this.now());
  }

  now(): Date {
    return new Date(this.clock.now().getTime() + this.shift_ms);
  }

  advance(ms: number): void {
    this.shift_ms += ms;
  }

  note({ type, texts }: Request): void {
    const [trace = '', sent_at = ''] = [texts.get(11), texts.get(7)];
    this.seen.messages.push({ type, trace, sent_at });
    if (this.seen.messages.length > MOST_SEEN) this.seen.messages.shift();
  }

  /**
   * Does what a message asks for, once. A repeat gets the first answer again. The same message without the mark of a
   * repeat gets the code for a duplicate.
   */
  answer(request: Request): Message {
    const numbers = numbersOf(request);
    const before = this.answers.get(numbers);
    if (before) {
      this.seen.duplicates++;
      return isRepeat(request.type) ? before : answerTo(request, { 39: DUPLICATE });
    }
    const outage = /^0[12]00/.test(request.type) ? this.faults.outageAt(this.now().getTime()) : undefined;
    const verdict = outage === undefined ? this.books.judge(request) : { code: outage };
    const answer = answerOf(request, verdict);
    if (!NOT_KEPT.has(verdict.code)) {
      this.answers.set(numbers, answer);
      const [oldest] = this.answers.keys();
      if (this.answers.size > MOST_ANSWERS && oldest !== undefined) this.answers.delete(oldest);
    }
    return answer;
  }
}

function answerOf(request: Request, { code, approval, amount, network_reference }: Verdict): Message {
  const more = {
    39: code,
    ...(approval !== undefined && code !== DUPLICATE && { 38: approval }),
    ...(amount !== undefined && { 4: String(amount).padStart(12, '0') }),
  };
  return answerTo(request, more, network_reference === undefined ? {} : { network_reference });
}
