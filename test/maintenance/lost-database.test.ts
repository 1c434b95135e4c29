// The database is lost in the moment after a cancel was accepted: the caller hears of it, the process goes on, and the cancel
// is done by recovery. (A cancel, since recovery sends that again at once: it does no harm twice.) Found by the nightly chaos run:
// a rejection that nobody heard ended the process.
import { expect, test } from 'vitest';
import { until } from '../client.ts';
import { openTill } from './till.ts';

test('what fails after the commit is left to recovery, and ends no process', async () => {
  await using till = await openTill();
  const order_id = await till.authorize();
  const { tools } = till.w.service;
  const unheard: unknown[] = [];
  const hear = (error: unknown) => unheard.push(error);
  process.on('unhandledRejection', hear);
  const { tenant } = tools.db;
  let accepted = false;
  tools.db.tenant = (account) => {
    const db = tenant(account);
    return {
      ...db,
      run: (name, text, parameters) => {
        // from the commit on, nobody can look
        if (accepted && name === 'find_order') return Promise.reject(new Error('write EPIPE'));
        if (name === 'accept_operation') accepted = true;
        return db.run(name, text, parameters);
      },
    };
  };
  const reply = await till.maintain('cancel', order_id);
  tools.db.tenant = tenant;
  expect([reply.status, reply.at('title')]).toEqual([500, expect.stringContaining('outcome')]);
  await till.w.sql(`UPDATE payment.operations SET due_at = payment.now() WHERE state = 'requested'`);
  tools.waker.wake();
  const read = await until(async () => {
    const seen = await till.shop.read(order_id);
    return seen.at('status') === 'authorization_cancelled' ? seen : undefined;
  });
  expect(read.at('is_cancelled')).toBe(true);
  process.off('unhandledRejection', hear);
  expect(unheard).toEqual([]);
});
