// What happens at a simulator by itself, in the order of time.

/** Something that happens by itself at a moment. */
export type Due = { readonly at_ms: number; readonly run: () => void };

/** Everything until now; what that puts on the agenda, too. */
export function catchUp({ books, now_ms }: { books: { agenda: Due[] }; now_ms: () => number }): void {
  for (;;) {
    const due = books.agenda.filter(({ at_ms }) => at_ms <= now_ms()).toSorted((a, b) => a.at_ms - b.at_ms)[0];
    if (due === undefined) return;
    books.agenda = books.agenda.filter((other) => other !== due);
    due.run();
  }
}

/** A number in the letters from a to z, as columns of a table are called. */
export function letters(number: number): string {
  const rest = Math.floor(number / 26);
  return (rest === 0 ? '' : letters(rest)) + String.fromCharCode(97 + (number % 26));
}
