// A way to the database on which one round trip goes wrong, exactly: the server refuses it, or the connection ends
// before it is sent, or after the server has done it and before its answer is back.
import type { Socket } from 'node:net';
import { Between, type Relay } from './between.ts';
import { type Message, nameIn, refusal, written } from './wire.ts';

/** An error of the server by its code, or an end of the connection. */
export type Wrong = '40P01' | '40001' | '57014' | '53100' | 'cut before' | 'cut behind';

export type Fault = {
  readonly wrong: Wrong;
  /** The round trip that goes wrong, from 1. */
  readonly nth: number;
  /** All that follow go wrong as well, until the way is mended. */
  readonly stays: boolean;
};

/** Asked by what runs beside a job: not counted, and left alone. */
const BESIDE = new Set(['write_request_log']);

export class FaultyWay extends Between {
  /** What was asked since the fault was set, by the names of its statements. */
  readonly asked: string[] = [];
  private fault: Fault | undefined;

  static async open(server_dir: string): Promise<FaultyWay> {
    return new FaultyWay(server_dir).listen();
  }

  set(fault: Fault): void {
    this.fault = fault;
    this.asked.length = 0;
  }

  /** Whether anything went wrong; all goes well again. */
  mend(): boolean {
    const { fault } = this;
    this.fault = undefined;
    return fault !== undefined && this.asked.length >= fault.nth;
  }

  /** What becomes of this round trip. */
  next(names: string): Wrong | undefined {
    const { fault } = this;
    if (!fault || names.split(' ').every((name) => BESIDE.has(name))) return undefined;
    this.asked.push(names);
    const n = this.asked.length;
    return n === fault.nth || (fault.stays && n > fault.nth) ? fault.wrong : undefined;
  }

  protected relay(near: Socket, far: Socket): Relay {
    return new Way(this, near, far);
  }
}

/** What takes the place of a commit that the server refuses. */
const ROLLBACK = written('Q', 'ROLLBACK\0');

/** One connection. */
class Way implements Relay {
  private readonly all: FaultyWay;
  private readonly near: Socket;
  private readonly far: Socket;
  /** The messages of the round trip that is being asked for. */
  private trip: Buffer[] = [];
  private names: string[] = [];
  private is_in_transaction = false;
  /** The answers that are still to come: relayed, swallowed up to a cut, or replaced by an error. */
  private readonly coming: ('relayed' | 'cut' | Buffer)[] = [];

  constructor(all: FaultyWay, near: Socket, far: Socket) {
    this.all = all;
    this.near = near;
    this.far = far;
  }

  begin(bytes: Buffer): void {
    this.coming.push('relayed');
    this.far.write(bytes);
  }

  ask(messages: readonly Message[]): void {
    for (const { type, whole } of messages) {
      this.trip.push(whole);
      if (type === 'B') this.names.push(nameIn(whole));
      if (type === 'Q') this.names.push(whole.toString('utf8', 5, whole.length - 1));
      if (type === 'X') this.far.write(whole);
      if (type === 'S' || type === 'Q') this.send();
    }
  }

  private send(): void {
    const trip = Buffer.concat(this.trip);
    const names = this.names.filter((name) => name !== 'tenant');
    this.trip = [];
    this.names = [];
    const plain = names.length === 1 && trip[0] === 'Q'.charCodeAt(0);
    const is_commit = plain && names[0] === 'COMMIT';
    // BEGIN, SET and their like do nothing
    const wrong = plain && !is_commit ? undefined : this.all.next(names.join(' '));
    if (wrong === undefined) {
      this.coming.push('relayed');
      this.far.write(trip);
    } else if (wrong === 'cut before') {
      this.near.destroy();
    } else if (wrong === 'cut behind') {
      this.coming.push('cut');
      this.far.write(trip);
    } else if (is_commit) {
      this.coming.push(refusal(wrong, false));
      this.far.write(ROLLBACK);
    } else {
      this.near.write(refusal(wrong, this.is_in_transaction));
    }
  }

  answer(messages: readonly Message[]): void {
    const on: Buffer[] = [];
    for (const { type, whole } of messages) {
      const [what] = this.coming;
      if (what === 'relayed' || what === undefined) on.push(whole);
      if (type !== 'Z') continue;
      this.is_in_transaction = whole.toString('latin1', 5) !== 'I';
      this.coming.shift();
      if (Buffer.isBuffer(what)) on.push(what);
      if (what === 'cut') this.near.destroy();
    }
    if (on.length > 0 && !this.near.destroyed) this.near.write(Buffer.concat(on));
  }
}
