// Who may start the embedded PostgreSQL, and as whom it then runs.
import { chmodSync, chownSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import {
  endAll,
  expectAnswer,
  folderWith,
  inChild,
  isOpenToNobody,
  isRoot,
  madeBefore,
  NOBODY,
  outcome,
  query,
  removeAll,
  socketOf,
  start,
} from './servers.ts';

afterEach(endAll);
afterAll(removeAll);

describe('the embedded PostgreSQL', () => {
  test('may be started by a normal user, in a folder of its own', async ({ skip }) => {
    skip(!isRoot, 'only root can start it as somebody else; the other tests have just run as a normal user');
    skip(!isOpenToNobody(), 'the checkout or its Node is in a folder that only root can reach');
    const data_dir = folderWith('normal');
    chownSync(data_dir, NOBODY, NOBODY);
    const child = inChild({ data_dir }, { uid: NOBODY });
    await expectAnswer(await socketOf(child));
    child.kill('SIGKILL');
    // Root goes on with it as the user whose data it is.
    await expectAnswer(await start({ data_dir }));
    expect(statSync(join(data_dir, 'postgres', 'postmaster.pid')).uid).toBe(NOBODY);
  });

  test('may not be started by a user whom the data does not belong to', async ({ skip }) => {
    skip(!isRoot, 'only root can give a folder away');
    const data_dir = folderWith('others', { PG_VERSION: '18' });
    skip(!isOpenToNobody(), 'the checkout or its Node is in a folder that only root can reach');
    expect(await outcome(inChild({ data_dir }, { uid: NOBODY }))).toContain(
      'belongs to another account (uid 0; this is uid 65534)',
    );
  });

  test.for([
    ['everybody', 0o755],
    ['only root', 0o700],
  ] as const)(
    'may be root without user namespaces, below a folder that %s can reach',
    async ([who, mode], { skip }) => {
      skip(!isRoot, 'this is what root does');
      const above = folderWith(`reach-${mode}`, {});
      chmodSync(above, mode);
      const data_dir = join(above, 'data');
      const first = await start({ data_dir, no_unshare: true });
      await query(first, 'CREATE TABLE kept (id int)');
      await first.stop();
      const again = await start({ data_dir, no_unshare: true });
      expect(await query(again, 'SELECT id FROM kept')).toEqual([]);
      const data = join(data_dir, 'postgres');
      expect(statSync(data).uid).toBe(NOBODY);
      await again.stop();
      if (who === 'only root') {
        expect(readlinkSync(data)).toMatch(/^\/var\/lib\/florin\/data-/);
        rmSync(dirname(readlinkSync(data)), { recursive: true });
      }
    },
  );

  test('may be started by root on data that root made when user namespaces were still open', async ({ skip }) => {
    skip(!isRoot, 'this is what root does');
    const data_dir = await madeBefore('closed-later');
    await (await start({ data_dir })).stop();
    const closed = await start({ data_dir, no_unshare: true });
    await expectAnswer(closed);
    await closed.stop();
    await expectAnswer(await start({ data_dir }));
  });
});
