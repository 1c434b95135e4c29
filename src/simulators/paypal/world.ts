// One simulated PayPal: its books, its clock, its armed faults, and its events.
import { letters } from '../agenda.ts';
import { Books, type Event, keep } from './books.ts';
import type { Fault } from './faults.ts';

export type World = {
  readonly books: Books;
  /** The address of its pages and of its API. */
  readonly url: () => string;
  /** Milliseconds since 1970. */
  readonly now_ms: () => number;
  readonly id: () => string;
  readonly faults: Fault[];
  /** Called for each event, after the call that made it. */
  readonly tell: (told: Told) => void;
  ahead_ms: number;
};

type Told = {
  readonly type: string;
  readonly resource_type: string;
  readonly resource: object;
  readonly account: string;
};

const capitals = (number: number): string => letters(number).toUpperCase();

export function openWorld(clock: () => number, url: () => string, deliver: (event: Event) => void): World {
  const opened = capitals(Math.floor(clock() / 1000)).slice(-6);
  let made = 0;
  const world: World = {
    books: new Books(),
    url,
    ahead_ms: 0,
    faults: [],
    now_ms: () => clock() + world.ahead_ms,
    // mostly letters, so that no part of it looks like a card number
    id: () => `5S1M${opened.padStart(6, 'A')}${capitals(made++).padStart(7, 'A')}`,
    tell: ({ type, resource_type, resource, account }) => {
      const id = `WH-${world.id()}`;
      const text = JSON.stringify({
        id,
        event_version: '1.0',
        create_time: new Date(world.now_ms()).toISOString(),
        resource_type,
        resource_version: '2.0',
        event_type: type,
        summary: `${type} of a simulated PayPal`,
        resource,
        links: [{ href: `${url()}/v1/notifications/webhooks-events/${id}`, rel: 'self', method: 'GET' }],
      });
      deliver(keep(world.books.events, { id, account, type, text, told: false }));
    },
  };
  return world;
}
