// Looks at the database each second, by a connection of its own: where is the server that can be worked with? All
// requests share what it finds, so that none has to wait for its own answer.
import type pg from 'pg';
import type { Door } from './door.ts';
import { DatabaseUnavailable } from './errors.ts';

const EVERY_MS = 1000;
/** How often the probe looks while there is no server. */
const AGAIN_MS = 250;
/** A connection that lasts may lead past a proxy that points elsewhere by now. */
const LOOKS_A_CONNECTION = 5;
/** How many failures are an outage; one slow answer is none. */
const FAILURES = 2;

export type ProbeOptions = {
  readonly door: Door;
  /** How many servers there are to ask. */
  readonly places: number;
  /** A connection to one of them, not yet connected. */
  client(place: number): pg.Client;
};

/** Answers what ends it. */
export function startProbe(options: ProbeOptions): () => Promise<void> {
  const probe = new Probe(options);
  probe.begin(EVERY_MS);
  return () => probe.end();
}

class Probe {
  private readonly options: ProbeOptions;
  private kept: pg.Client | undefined;
  private looks = 0;
  private failures = 0;
  private ended = false;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();

  constructor(options: ProbeOptions) {
    this.options = options;
  }

  begin(ms: number): void {
    if (this.ended) return;
    this.timer = setTimeout(() => {
      this.looking = this.look();
    }, ms);
    this.timer.unref();
  }

  async end(): Promise<void> {
    this.ended = true;
    clearTimeout(this.timer);
    await this.looking;
    this.drop();
  }

  private async look(): Promise<void> {
    const { door } = this.options;
    const why = await this.ask();
    if (why === undefined) this.failures = 0;
    else this.failures += why instanceof DatabaseUnavailable ? FAILURES : 1;
    door.found(this.failures < FAILURES ? undefined : (why?.message ?? ''));
    this.begin(this.failures === 0 ? EVERY_MS : AGAIN_MS);
  }

  /** Undefined: a server can be worked with. */
  private async ask(): Promise<Error | undefined> {
    if (this.kept && this.looks++ < LOOKS_A_CONNECTION) {
      const why = await this.admit(this.kept);
      if (why === undefined) return undefined;
    }
    this.drop();
    let first: Error | undefined;
    for (let i = 0; i < this.options.places && !this.ended; i++) {
      const place = (this.options.door.place + i) % this.options.places;
      const why = await this.connect(place);
      if (why === undefined) {
        this.options.door.goTo(place);
        return undefined;
      }
      first ??= why;
    }
    return first;
  }

  private async connect(place: number): Promise<Error | undefined> {
    const client = this.options.client(place);
    client.on('error', () => undefined);
    const why = await client.connect().then(() => this.admit(client), asError);
    if (why === undefined) {
      this.kept = client;
      this.looks = 0;
    } else cut(client);
    return why;
  }

  private admit(client: pg.Client): Promise<Error | undefined> {
    return this.options.door.admit(client).then(() => undefined, asError);
  }

  private drop(): void {
    if (this.kept) cut(this.kept);
    this.kept = undefined;
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Ends a connection without a word to a server that may not listen. */
export function cut(client: pg.ClientBase): void {
  const { connection } = client as pg.ClientBase & { readonly connection: pg.Connection };
  connection.stream.destroy();
}
