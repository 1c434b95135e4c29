// A timeline that says each thing once: what was asked for and what came of it are one line, and what went to the
// provider and came from it lies folded below the line that it led to.
import type { TimelineEntry } from '../../../../src/backoffice/wire/orders.ts';

/** `calls`: what was sent and said on the way to it, the oldest first. */
export type Step = { readonly entry: TimelineEntry; readonly calls: readonly TimelineEntry[] };

const REQUESTED = /^(.+)_requested$/;

/** What is being asked for, and nothing more: its outcome stands further on. */
function isAnswered({ kind, title }: TimelineEntry, later: readonly TimelineEntry[]): boolean {
  const [, what] = REQUESTED.exec(title) ?? [];
  return (
    kind === 'event' &&
    what !== undefined &&
    later.some((one) => one.kind === 'event' && one.title.startsWith(`${what}_`))
  );
}

/** Oldest first, as it is given. Calls after the last line stand for themselves: nothing has come of them yet. */
export function storyOf(entries: readonly TimelineEntry[]): readonly Step[] {
  const steps: Step[] = [];
  let calls: TimelineEntry[] = [];
  for (const [n, entry] of entries.entries()) {
    if (entry.kind === 'call') calls.push(entry);
    else if (!isAnswered(entry, entries.slice(n + 1))) {
      // what a person asked for comes before what was sent for it
      const own = entry.kind === 'event' ? calls : [];
      const amount_minor =
        entry.amount_minor ?? own.findLast((call) => call.amount_minor !== null)?.amount_minor ?? null;
      const provider = entry.provider ?? own.at(-1)?.provider ?? null;
      steps.push({ entry: { ...entry, amount_minor, provider }, calls: own });
      if (entry.kind === 'event') calls = [];
    }
  }
  const last = calls.at(-1);
  return last === undefined ? steps : [...steps, { entry: last, calls: calls.slice(0, -1) }];
}
