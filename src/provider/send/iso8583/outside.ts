// What a line gets from outside (time, sockets and a log), and what its sender gets back.

export type LineClock = {
  now(): Date;
  /** Milliseconds that only grow. */
  ticks(): number;
  timer(ms: number): { readonly done: Promise<void>; end(): void };
};

type LineFields = Readonly<Record<string, string | number>>;
export type LineLog = Readonly<Record<'debug' | 'warn' | 'error', (fields: LineFields, text: string) => void>>;

export type LineSocket = {
  /** `done`: the bytes are no longer needed. */
  write(bytes: Uint8Array, done: () => void): void;
  destroy(): void;
};

export type LineAddress = { readonly host: string; readonly port: number };
/** The destination's name finds the certificate that is pinned for it. */
export type LineTarget = LineAddress & { readonly destination: string };

export type LineTools = {
  readonly clock: LineClock;
  readonly log: LineLog;
  /** Rejects if there is no connection. `ended` comes once, at the end of the connection. */
  connect(target: LineTarget, events: { bytes(chunk: Uint8Array): void; ended(): void }): Promise<LineSocket>;
  /** A line is ready for messages from now on, or no longer. */
  changed?(line: string, ready: boolean): void;
};

/** Milliseconds. */
export type LineTimes = {
  /** Waited for an answer. */
  readonly answer: number;
  /** Nothing came for this time: are they still there? */
  readonly silence: number;
  /** The pause before a line is connected again: the first, and the longest. */
  readonly pause_first: number;
  readonly pause_most: number;
  /** A message waits so long for a line that is being taken up. */
  readonly patience: number;
};

export const LINE_TIMES: LineTimes = {
  answer: 15_000,
  silence: 60_000,
  pause_first: 500,
  pause_most: 30_000,
  patience: 2_000,
};

export type LineRequest = {
  readonly body: Uint8Array;
  readonly deadline_ms: number;
  /** Called when the first byte is about to be written. */
  started?(): void;
};

/** `not_sent` proves that no byte was written. */
export type LineExchange =
  | { readonly kind: 'answered'; readonly status: number; readonly body: Buffer }
  | { readonly kind: 'not_sent' }
  | LineUnknown;
export type LineUnknown = { readonly kind: 'unknown'; readonly why: 'timeout' | 'closed' | 'unreadable' };
