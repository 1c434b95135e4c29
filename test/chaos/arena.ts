// All that a run needs, in a folder of its own: a copy of the product, its database, the bank, the services.
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Bank, startBank } from './bank.ts';
import { ownPorts } from '../ports.ts';
import type { Chance } from './chance.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type Services, startServices } from './services.ts';
import type { Patch } from './patch.ts';
import { type Beside, publishRules } from './routing/rules.ts';
import { copyProduct } from './tree.ts';
import { SEEDING, type VendorTrouble, type Vendors, limitContracts, startVendors } from './vendors/vendors.ts';

export type Arena = {
  readonly folder: string;
  readonly postgres: Postgres;
  readonly bank: Bank;
  readonly services: Services;
  /** Undefined: the simulated bank is the only provider. */
  readonly vendors: Vendors | undefined;
  /** The merchant's own server, which takes notifications. */
  readonly receiver: Receiver;
  /** Kill points that are still to be hit, as FLORIN_CRASH_AT takes them. The next start arms the first. */
  readonly points: string[];
  /** The settings for commands beside the services. */
  readonly beside: Beside;
  close(): Promise<void>;
};

export type ArenaOptions = {
  /** The folder that its own is made in; one run at a time has it. */
  readonly within: string;
  /** The folder of the product; empty: this one. */
  readonly product: string;
  readonly patches: readonly Patch[];
  /** A database to begin with (postgres.ts); empty: none. */
  readonly template: string;
  readonly services: number;
  /** Routing rules are published before anything is paid. */
  readonly routed: boolean;
  /** The real providers stand behind it too, as simulators, and what goes wrong there; null: they do not. */
  readonly vendors: VendorTrouble | null;
  /** The bank's time: how long it is waited for. */
  readonly deadline_s: number;
  /** How the merchant's server draws. */
  readonly chance: Chance;
  /** Reports something that must never happen. */
  violated(order_id: string, what: string): void;
  /** Part of the starts that get a kill point armed, while there are any left. */
  armed(): boolean;
};

export async function openArena(options: ArenaOptions): Promise<Arena> {
  const folder = join(options.within, 'run');
  mkdirSync(folder);
  // PostgreSQL may run as another account, which must be able to walk through
  chmodSync(folder, 0o711);
  // left for the next run at this place: Node knows what it has compiled by its path
  const compiled = join(options.within, 'compiled');
  const closers: (() => Promise<void> | void)[] = [
    () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  ];
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  try {
    const tree = join(folder, 'product');
    copyProduct({ folder: tree, from: options.product, patches: options.patches });
    const [bank_port = 0, receiver_port = 0, ...ports] = await ownPorts(2 + 3 * options.services);
    const postgres = await startPostgres(join(folder, 'db'), options.template);
    closers.push(() => postgres.stop());
    const bank = await startBank({ tree, folder, compiled, port: bank_port });
    closers.push(() => bank.stop());
    const { chance, violated } = options;
    const receiver = await startReceiver({ port: receiver_port, chance, violated });
    closers.push(() => receiver.stop());
    const points: string[] = [];
    const settings = {
      FLORIN_DATABASE_URL: postgres.url,
      FLORIN_SIMULATOR_URL: bank.url,
      FLORIN_SIMULATOR_DEADLINE_S: String(options.deadline_s),
    };
    const common = { tree, folder, compiled, ports };
    const vendors = options.vendors ? await startVendors({ ...common, trouble: options.vendors }) : undefined;
    if (vendors) {
      closers.push(() => vendors.stop());
      const unarmed = { nextPoint: () => '', pointMissed: () => undefined };
      const first = await startServices({ ...common, ...unarmed, count: 1, settings: { ...settings, ...SEEDING } });
      await first.stop();
      await limitContracts(postgres);
    }
    const services = await startServices({
      ...common,
      count: options.services,
      settings: { ...settings, ...(vendors && { FLORIN_WITH: vendors.setting }) },
      nextPoint: () => (points.length > 0 && options.armed() ? (points.shift() ?? '') : ''),
      pointMissed: (point) => points.push(point),
    });
    closers.push(() => services.stop());
    const ready = () => services.all.find((service) => service.isReady())?.api_url;
    await vendors?.connect(postgres, { violated, ready });
    const beside = { tree, folder, compiled, settings, postgres };
    if (options.routed) await publishRules(beside, vendors !== undefined);
    return { folder, postgres, bank, services, vendors, receiver, points, beside, close };
  } catch (error) {
    await close();
    throw error;
  }
}
