// What the stories of a night work with.
import type { Person } from '../../backoffice/person.ts';
import type { MailServer } from '../../mail/server.ts';
import type { Receiver } from '../../notifications/receiver.ts';
import type { World } from '../../world.ts';

export { contractOf } from '../../doubt/mail.ts';
export { says } from '../../doubt/said.ts';

export type Night = {
  readonly w: World;
  readonly ada: Person;
  /** The merchant's server, which is told of everything. */
  readonly server: Receiver;
  readonly mails: MailServer;
  /** A reference that nothing has yet. */
  fresh(): string;
  /** Moves the clock so many seconds ahead: everything that is due until then happens. */
  advance(seconds: number): Promise<void>;
  /** Steers the simulated Stripe, or reads its books. */
  control(verb: string, body?: object): Promise<Record<string, unknown>>;
};
