// The server's time. The browser's own clock may be wrong, and a sandbox's clock is moved forward. Payments follow the
// sandbox's clock; people's sessions follow the clock of the server's machine. Every answer has both.

/**
 * `payments`: the clock of orders, notifications and keys. `people`: the clock of sessions, sign-ins and invitations.
 */
export type Clock = 'payments' | 'people';

const HEADERS: Readonly<Record<Clock, string>> = { payments: 'x-now', people: 'date' };

/** How many milliseconds the server's clocks are ahead of the browser's. */
const ahead: Record<Clock, number> = { payments: 0, people: 0 };

/** Takes the time from an answer; an answer without it changes nothing. */
export function hearClocks({ headers }: Response): void {
  for (const clock of ['payments', 'people'] as const) {
    const at = Date.parse(headers.get(HEADERS[clock]) ?? '');
    if (!Number.isNaN(at)) ahead[clock] = at - Date.now();
  }
}

/** The present moment by that clock, in milliseconds. */
export const nowBy = (clock: Clock): number => Date.now() + ahead[clock];
