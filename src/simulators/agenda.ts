// Events that a simulator makes by itself, in the order of time.

export type Due = { readonly at_ms: number; readonly run: () => void };

/** Runs all that is due by now, also what these runs add to the agenda. */
export function catchUp({ books, now_ms }: { books: { agenda: Due[] }; now_ms: () => number }): void {
  for (;;) {
    const due = books.agenda.filter(({ at_ms }) => at_ms <= now_ms()).toSorted((a, b) => a.at_ms - b.at_ms)[0];
    if (due === undefined) return;
    books.agenda = books.agenda.filter((other) => other !== due);
    due.run();
  }
}

/** Writes a number with the letters a to z, as a spreadsheet names its columns. */
export function letters(number: number): string {
  const rest = Math.floor(number / 26);
  return (rest === 0 ? '' : letters(rest)) + String.fromCharCode(97 + (number % 26));
}
