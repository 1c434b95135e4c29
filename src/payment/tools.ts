// What the money zone works with: made once in main.ts and passed first. This is the whole of dependency injection.
import type { Chance, Clock } from '../kit/clock.ts';
import type { Database } from '../kit/database.ts';
import type { Addresses } from '../kit/http/host.ts';
import type { Log } from '../kit/log.ts';
import type { ForwardAnswer, VaultLink } from './vault-link.ts';

/** Sends a provider call that carries no card. Undefined: no answer that could be read in time. */
export type Direct = (call: {
  readonly destination: string;
  readonly route: string;
  readonly path_values: Readonly<Record<string, string>>;
  readonly body: string;
  readonly key: string;
  readonly deadline_ms: number;
}) => Promise<ForwardAnswer | undefined>;

export type Tools = {
  readonly db: Database;
  readonly vault: VaultLink;
  readonly direct: Direct;
  readonly clock: Clock;
  readonly chance: Chance;
  /** The money zone's own key: seals the tokens of saved cards. */
  readonly secret_key: Uint8Array;
  readonly log: Log;
  readonly environment: 'sandbox' | 'production';
  readonly key_letters: string;
  readonly addresses: Addresses;
  /** Calls that go on after their answer; awaited at shutdown. */
  readonly running: Running;
};

/** Work under way, by the id of its order: a second request for the same order joins it. */
export class Running {
  /** The service stops: nobody waits longer than for the calls that are under way. */
  ending = false;
  private readonly work = new Map<string, Promise<void>>();

  start(order_id: string, work: Promise<void>): Promise<void> {
    const tracked = work.finally(() => this.work.delete(order_id));
    this.work.set(order_id, tracked);
    return tracked;
  }

  find(order_id: string): Promise<void> | undefined {
    return this.work.get(order_id);
  }

  async drain(): Promise<void> {
    await Promise.allSettled(this.work.values());
  }
}
