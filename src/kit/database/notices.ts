// A commit that waits for a standby may have its wait cancelled (by an administrator, or by the server as it ends).
// PostgreSQL then answers success with a warning. Such a commit is on one machine only, and lost with that machine. So
// it must not be acknowledged.
import type pg from 'pg';
import { Unreplicated } from './errors.ts';

/** Connections on which a wait was cancelled, with what the server said. */
const WARNED = new WeakMap<pg.ClientBase, string>();

/** A warning without a code of its own (01000); ours are none: nothing in the schemas raises a warning. */
const WARNING = '01000';

/** From now on the warnings of this connection are stored. */
export function hearNotices(client: pg.ClientBase): void {
  client.on('notice', ({ code, message }) => {
    if (code === WARNING) WARNED.set(client, message ?? '');
  });
}

/**
 * Called after a commit: throws Unreplicated if the server warned. The connection is then closed, so one warning spoils
 * only one commit.
 */
export function requireReplicated(client: pg.ClientBase): void {
  const said = WARNED.get(client);
  if (said !== undefined) throw new Unreplicated(`a commit is on one machine only: ${said}`);
}
