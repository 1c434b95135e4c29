// What happens to machines that Patroni leads. Who is primary next, and when, it decides alone; each ends with three
// machines of one history.
import { expect } from 'vitest';
import type { Managed } from './cluster.ts';
import type { Machine } from './machine.ts';

type Fault = (managed: Managed) => Promise<void>;

/** The primary is gone for all others until one of them leads, and then it is back as it was. */
const away =
  (goes: (old: Machine) => void, returns: (old: Machine) => void): Fault =>
  async (managed) => {
    const old = await managed.primary();
    goes(old);
    try {
      await managed.nextAfter(old);
      await managed.shop.paid(10);
    } finally {
      returns(old);
    }
    await managed.requireSound();
  };

/** By what happens, as the end of a sentence. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'the machine of the primary dies, and comes back': async (managed) => {
    const old = await managed.primary();
    old.kill();
    await managed.nextAfter(old);
    await managed.shop.paid(10);
    old.start();
  },

  'PostgreSQL dies under its Patroni': async (managed) => {
    const old = await managed.primary();
    old.killServer();
    await managed.shop.refused(3);
    await managed.shop.paid(10);
  },

  'Patroni dies, and its PostgreSQL goes on taking writes': async (managed) => {
    const old = await managed.primary();
    old.killManager();
    await managed.nextAfter(old);
    await managed.shop.paid(10);
    // nobody has told it: only that no standby confirms keeps its commits from being acknowledged
    expect(await old.look('SELECT pg_is_in_recovery() AS is_standby')).toEqual([{ is_standby: false }]);
    await managed.requireSound();
    old.start();
  },

  'the machine of the primary is frozen, and wakes up when there is another one': away(
    (old) => old.freeze(),
    (old) => old.thaw(),
  ),

  'the machine of the primary is cut from the network, and is back when there is another one': away(
    (old) => old.cut(),
    (old) => old.heal(),
  ),

  'etcd has no majority: nobody leads, and nothing is acknowledged, until it is back': async (managed) => {
    managed.etcd.kill(2);
    await managed.shop.refused(10);
    managed.etcd.restart();
    await managed.shop.paid(10);
  },

  'a member of etcd is lost, and nobody notices': async (managed) => {
    const { shop } = managed;
    const before = await managed.primary();
    managed.etcd.kill(1);
    await shop.paid(50);
    expect(await managed.primary()).toBe(before);
    managed.etcd.restart();
  },

  'a standby is lost, and nobody is refused': async (managed) => {
    const { machines, shop } = managed;
    const primary = await managed.primary();
    const standby = machines.find((machine) => machine !== primary);
    standby?.kill();
    const refused = shop.counts().refused;
    await shop.paid(50);
    expect(shop.counts().refused).toBe(refused);
    standby?.start();
  },

  'another machine is to be primary, as for an upgrade': async (managed) => {
    const old = await managed.primary();
    const next = managed.machines.find((machine) => machine !== old);
    await old.ask('/switchover', { leader: old.name, candidate: next?.name });
    expect(await managed.nextAfter(old)).toBe(next);
    await managed.shop.paid(10);
  },
};
