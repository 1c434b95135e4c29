// Lines to acquirers as a transport beside HTTPS: two lines to each, to two addresses, both kept ready. The second
// takes a message only if the first wrote no byte of it.
import type { Dialect } from './dialect.ts';
import { Line } from './line.ts';
import {
  LINE_TIMES,
  type LineAddress,
  type LineExchange,
  type LineRequest,
  type LineTimes,
  type LineTools,
} from './outside.ts';

export type LineDestination = {
  /** The first is preferred. */
  readonly addresses: readonly LineAddress[];
  readonly dialect: Dialect;
  readonly times?: Partial<LineTimes>;
};

export type Lines = {
  send(destination: string, request: LineRequest): Promise<LineExchange>;
  close(): Promise<void>;
};

export function openLines(destinations: ReadonlyMap<string, LineDestination>, tools: LineTools): Lines {
  const opened = new Map(
    [...destinations].map(([id, { addresses, dialect, times: given }]) => {
      const times = { ...LINE_TIMES, ...given };
      const lines = addresses.map(
        (address, at) =>
          new Line({ name: `${id} ${at + 1}`, target: { ...address, destination: id }, dialect, times }, tools),
      );
      return [id, { lines, times }] as const;
    }),
  );
  return {
    send: async (destination, request) => {
      const { lines = [], times = LINE_TIMES } = opened.get(destination) ?? {};
      const from = tools.clock.ticks();
      if (!lines.some((line) => line.isReady())) await oneTried(lines, times, tools);
      // the clock is asked, not the timer alone: a process that stood still may hear of its line first (decision 173)
      if (tools.clock.ticks() - from > times.patience) return { kind: 'not_sent' };
      for (const line of lines) {
        const exchange = await line.exchange(request);
        if (exchange.kind !== 'not_sent') return exchange;
      }
      return { kind: 'not_sent' };
    },
    close: async () => {
      await Promise.all([...opened.values()].flatMap(({ lines }) => lines.map((line) => line.close())));
    },
  };
}

/** Done when a line is ready, when no line is to be expected now, or when a message has waited long enough. */
async function oneTried(lines: readonly Line[], { patience }: LineTimes, { clock }: LineTools): Promise<void> {
  const all = Promise.all(lines.map((line) => line.tryEnded()));
  const one = Promise.any(
    lines.map(async (line) => {
      await line.tryEnded();
      if (!line.isReady()) throw new Error('this line is not ready');
    }),
  ).catch(() => all);
  const timer = clock.timer(patience);
  await Promise.race([one, timer.done]);
  timer.end();
}
