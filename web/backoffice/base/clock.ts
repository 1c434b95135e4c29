// What time it is at the server. The browser's own clock may be wrong, and that of a sandbox is moved forward: payments
// go by the latter, people's sessions by the clock of the server's machine. Both come with every answer.

/** `payments`: orders, notifications, keys. `people`: sessions, sign-ins, invitations. */
export type Clock = 'payments' | 'people';

const HEADERS: Readonly<Record<Clock, string>> = { payments: 'x-now', people: 'date' };

/** Milliseconds by which the server's clocks are ahead of the browser's. */
const ahead: Record<Clock, number> = { payments: 0, people: 0 };

/** Takes the time from an answer; one without it changes nothing. */
export function hearClocks({ headers }: Response): void {
  for (const clock of ['payments', 'people'] as const) {
    const at = Date.parse(headers.get(HEADERS[clock]) ?? '');
    if (!Number.isNaN(at)) ahead[clock] = at - Date.now();
  }
}

/** The moment it is now by that clock, in milliseconds. */
export const nowBy = (clock: Clock): number => Date.now() + ahead[clock];
