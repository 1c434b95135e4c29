// Progress of long work: a bar that moves in place on a terminal, a line now and then elsewhere.
import type { Clock } from '../clock.ts';

export type Progress = {
  /** `total` may grow; 0: not known. */
  report(step: string, done: number, total: number): void;
  /** Ends the bar's line. */
  end(): void;
};

type Out = { readonly isTTY?: boolean | undefined; write(text: string): unknown };

const WIDTH = 24;
const BAR_MS = 100;
const LINE_MS = 5000;

export function openProgress(out: Out, clock: Clock): Progress {
  let step = '';
  let began = clock.ticks();
  let from = 0;
  let said = Number.NEGATIVE_INFINITY;
  let open = false;
  return {
    report: (name, done, total) => {
      const now = clock.ticks();
      if (name !== step) {
        if (open) out.write('\n');
        [step, began, from, said, open] = [name, now, done, Number.NEGATIVE_INFINITY, false];
      }
      const last = total > 0 && done >= total;
      if (!last && now - said < (out.isTTY === true ? BAR_MS : LINE_MS)) return;
      said = now;
      const text = textOf({ name, done, total }, { seconds: (now - began) / 1000, count: done - from });
      out.write(out.isTTY === true ? `\r${text}\u001B[K` : `${text}\n`);
      open = out.isTTY === true;
    },
    end: () => {
      if (open) out.write('\n');
      open = false;
    },
  };
}

type Now = { readonly name: string; readonly done: number; readonly total: number };

function textOf({ name, done, total }: Now, { seconds, count }: { seconds: number; count: number }): string {
  const speed = seconds > 0.2 && count > seconds ? count / seconds : 0;
  const parts = [`${grouped(done)}${total > 0 ? ` of ${grouped(total)}` : ''}`];
  if (speed > 0) parts.push(`${grouped(Math.round(speed))}/s`);
  if (speed > 0 && total > done) parts.push(`${grouped(Math.ceil((total - done) / speed))} s left`);
  if (total === 0) return `${name}  ${parts.join('  ')}`;
  const share = Math.min(1, done / total);
  const filled = Math.round(share * WIDTH);
  return `${name}  [${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${String(Math.floor(share * 100)).padStart(3)} %  ${parts.join('  ')}`;
}

function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
