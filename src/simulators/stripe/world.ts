// One simulated Stripe: its books, its clock, its armed faults, and its events.
import { letters } from '../agenda.ts';
import { type Books, type Event, keep, openBooks } from './books.ts';
import type { Decline } from './cards.ts';
import type { Fault } from './control/faults.ts';

/** How the next charge ends, instead of as its card says. */
export type Forced = { readonly decline: Decline } | 'processing';

export type World = {
  readonly books: Books;
  /** The address of the pages for payers. */
  readonly pages_url: () => string;
  /** Milliseconds since 1970. */
  readonly now_ms: () => number;
  readonly now_s: () => number;
  readonly id: (prefix: string) => string;
  readonly faults: Fault[];
  readonly forced: Forced[];
  /** Called for each event, after the call that made it. */
  readonly tell: (told: { type: string; object: object; account: string; before?: object }) => void;
  ahead_ms: number;
};

export function openWorld(clock: () => number, pages_url: () => string, deliver: (event: Event) => void): World {
  const books = openBooks();
  const opened = Math.floor(clock() / 1000);
  let made = 0;
  const world: World = {
    books,
    pages_url,
    ahead_ms: 0,
    now_ms: () => clock() + world.ahead_ms,
    now_s: () => Math.floor(world.now_ms() / 1000),
    // only letters, so that no part of it looks like a card number
    id: (prefix) => `${prefix}_Sim${letters(opened)}${letters(made++).padStart(6, 'a')}`,
    faults: [],
    forced: [],
    tell: ({ type, object, account, before }) => {
      const event = {
        id: world.id('evt'),
        object: 'event',
        api_version: '2023-08-16',
        created: world.now_s(),
        data: { object, ...(before !== undefined && { previous_attributes: before }) },
        livemode: false,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      };
      const { id, created } = event;
      deliver(keep(books.events, { id, account, created, type, text: JSON.stringify(event, null, 2), told: false }));
    },
  };
  return world;
}
