// What happens to a database machine: each ends with three servers of one history, and with merchants who pay.
import { expect } from 'vitest';
import type { Stage } from './stage.ts';

export type Fault = (stage: Stage) => Promise<void>;

/** By what happens, as the end of a sentence. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'the primary is killed, and the standby that has more is promoted': async (stage) => {
    const { primary, shop } = stage;
    await primary.kill();
    await shop.refused(3);
    await stage.rejoin(await stage.failOver());
  },

  'the primary is killed, and starts again where it was': async ({ primary, shop }) => {
    await primary.kill();
    await shop.refused(3);
    await primary.start();
    await shop.paid(10);
  },

  'replication stalls, waits are cancelled by hand, and the primary dies': async (stage) => {
    const { primary, shop, standbys } = stage;
    for (const standby of standbys) standby.freeze();
    try {
      // the commits that wait now are on this machine only
      await shop.unknown(1, () =>
        primary.look(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`),
      );
      // what was not sent is refused, and what only shows goes on
      await shop.refused(3);
      expect(await shop.reads()).toBe(200);
      await primary.kill();
    } finally {
      for (const standby of standbys) standby.thaw();
    }
    await stage.rejoin(await stage.failOver());
  },

  'replication stalls, and the primary dies': async (stage) => {
    const { primary, shop, standbys } = stage;
    for (const standby of standbys) standby.freeze();
    try {
      await shop.refused(3);
      await primary.kill();
    } finally {
      for (const standby of standbys) standby.thaw();
    }
    await stage.rejoin(await stage.failOver());
  },

  'the primary is frozen, and wakes up as a primary when there is another one': async (stage) => {
    const { primary, shop } = stage;
    primary.freeze();
    try {
      await shop.refused(3);
      await stage.failOver();
      await shop.paid(10);
    } finally {
      primary.thaw();
    }
    await stage.requireSound();
    await stage.rejoin(primary);
  },

  'the primary is cut from the network, and is back when there is another one': async (stage) => {
    const { primary, shop } = stage;
    primary.cut();
    try {
      await shop.refused(3);
      await stage.failOver();
      await shop.paid(10);
    } finally {
      primary.heal();
    }
    await stage.requireSound();
    await stage.rejoin(primary);
  },

  'a primary comes back with another history than was acknowledged from: nothing is taken from it': async (stage) => {
    const { primary: old, shop } = stage;
    await old.kill();
    await stage.failOver();
    await shop.paid(10);
    // as it was, read-write; and nobody else is there
    await old.start();
    const others = stage.others(old);
    for (const node of others) node.freeze();
    try {
      await shop.refused(10);
      expect(await old.look('SELECT pg_is_in_recovery() AS is_standby')).toEqual([{ is_standby: false }]);
    } finally {
      for (const node of others) node.thaw();
    }
    await stage.rejoin(old);
  },

  'no standby is left, and one comes back': async ({ shop, standbys }) => {
    for (const standby of standbys) await standby.kill();
    await shop.refused(3);
    for (const standby of standbys) await standby.start();
    await shop.paid(10);
  },

  'one standby is lost, and nobody notices': async ({ shop, standbys: [standby] }) => {
    await standby.kill();
    const refused = shop.counts().refused;
    await shop.paid(20);
    expect(shop.counts().refused).toBe(refused);
    await standby.start();
  },

  'another machine is to be primary, as for an upgrade': async (stage) => {
    const { primary } = stage;
    await primary.stop();
    await stage.failOver();
    await stage.rejoin(primary);
  },
};
