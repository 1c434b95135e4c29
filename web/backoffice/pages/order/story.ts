// Shortens a timeline: a request and its outcome become one line, and the provider calls are folded below the line that
// they led to.
import type { TimelineEntry } from '../../../../src/backoffice/wire/orders.ts';

/** `calls`: the provider calls before this entry, the oldest first. */
export type Step = { readonly entry: TimelineEntry; readonly calls: readonly TimelineEntry[] };

const REQUESTED = /^(.+)_requested$/;

/** True for an entry that only says that something was requested, if its outcome comes later. */
function isAnswered({ kind, title }: TimelineEntry, later: readonly TimelineEntry[]): boolean {
  const [, what] = REQUESTED.exec(title) ?? [];
  return (
    kind === 'event' &&
    what !== undefined &&
    later.some((one) => one.kind === 'event' && one.title.startsWith(`${what}_`))
  );
}

/**
 * The entries are given oldest first. Calls after the last line get a line of their own, because they have no outcome
 * yet.
 */
export function storyOf(entries: readonly TimelineEntry[]): readonly Step[] {
  const steps: Step[] = [];
  let calls: TimelineEntry[] = [];
  for (const [n, entry] of entries.entries()) {
    if (entry.kind === 'call') calls.push(entry);
    else if (!isAnswered(entry, entries.slice(n + 1))) {
      // only events take calls: a person's request comes before the calls made for it
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
