// Simulators of the real providers behind a run: one process, with books of its own, that is not killed, for nobody
// kills a provider. Each gives trouble by its control, and its messages go to the services over a post office that
// gives up none of them.
import { join } from 'node:path';
import { adyen } from '../../conformance/at/adyen.ts';
import type { At, Driver, Payment, Trouble, Work } from '../../conformance/at/contract.ts';
import { iso8583 } from '../../conformance/at/iso8583.ts';
import { paypal } from '../../conformance/at/paypal.ts';
import { stripe } from '../../conformance/at/stripe.ts';
import type { World } from '../../world.ts';
import type { Chance } from '../chance.ts';
import type { Postgres } from '../postgres.ts';
import { type Child, launch } from '../process.ts';
import { type OpenPostOffice, type PostOffice, openPostOffice } from './post-office.ts';

export const VENDORS: readonly At[] = [stripe, adyen, iso8583, paypal];
/** No order of the other stories is in it: those stay at the simulated bank, whatever it does. */
export const VENDOR_CURRENCY = 'GBP';
export const BANK_CURRENCIES = ['EUR', 'USD', 'JPY', 'KWD'] as const;

const NAMES = VENDORS.map(({ name }) => name);
/** Troubles after which nothing waits: an answer that does not come holds its place for half a minute. */
const isQuick = (trouble: Trouble) => !trouble.startsWith('silent');

type Simulators = NonNullable<World['service']['simulators']>;
type Simulated = Simulators extends ReadonlyMap<string, infer S> ? S : never;
type PartOfWorld = { readonly service: { readonly simulators?: Simulators | undefined } };

export type Vendors = {
  /** The value for FLORIN_WITH. */
  readonly setting: string;
  readonly troubles: ReadonlyMap<string, number>;
  /** Messages go out from now on. */
  connect(postgres: Postgres, to: PostOffice): Promise<void>;
  /** Perhaps one of its next calls goes wrong. */
  trouble(at: At, chance: Chance): Promise<void>;
  calm(): Promise<void>;
  books(): Promise<ReadonlyMap<string, readonly Payment[]>>;
  stop(): Promise<void>;
};

/** How often before a step of a story; of all kinds, or of one at the last call of a work. */
export type VendorTrouble = { readonly part: number; readonly only?: { readonly kind: Trouble; readonly work: Work } };

export type VendorsOptions = {
  readonly tree: string;
  readonly folder: string;
  readonly compiled: string;
  readonly trouble: VendorTrouble;
};

export async function startVendors({ tree, folder, compiled, trouble }: VendorsOptions): Promise<Vendors> {
  const script = join(tree, 'src/simulators/main.ts');
  const line = Promise.withResolvers<string>();
  const child: Child = launch({
    script,
    args: [JSON.stringify(NAMES)],
    cwd: folder,
    env: {},
    compiled,
    nice: 0,
    line: (text) => line.resolve(text),
  });
  const fallen = child.ended.then(() =>
    Promise.reject(new Error('the simulators of the real providers did not start')),
  );
  const said = JSON.parse(await Promise.race([line.promise, fallen])) as Readonly<Record<string, Simulated>>;
  fallen.catch(() => undefined);
  const simulators = new Map(Object.entries(said));
  // all that drivers of the conformance stories ask of a world
  const world: PartOfWorld = { service: { simulators } };
  const drivers = new Map<string, Driver>(VENDORS.map((at) => [at.name, at.drive(world as World)]));
  const troubles = new Map<string, number>();
  let office: OpenPostOffice | undefined;
  return {
    setting: NAMES.map((name) => `${name}=${simulators.get(name)?.url}`).join(','),
    troubles,
    connect: async (postgres, to) => {
      office = await openPostOffice(to);
      for (const [name, one] of simulators) {
        const secret = one.credentials[one.signs_with ?? ''];
        // PayPal's proof is a certificate that a service finds with simulators of its own alone
        if (secret === undefined || one.hosts !== undefined) continue;
        const [contract] = await postgres.sql<{ id: string }>(
          `SELECT encode(id, 'hex') AS id FROM payment.contracts WHERE provider = $1`,
          [name],
        );
        const url = `${office.url}/provider/${name}/${contract?.id}/events`;
        await post(`${one.control_url}/control/endpoints`, { url, secrets: [secret] });
      }
    },
    trouble: async (at, chance) => {
      const { part, only } = trouble;
      if (!chance.isLucky(part)) return;
      const kind = only?.kind ?? chance.pick(at.troubles.filter(isQuick));
      const steps = only ? at.steps[only.work].slice(-1) : chance.pick(Object.values(at.steps));
      await drivers.get(at.name)?.arm(kind, chance.pick(steps));
      troubles.set(at.name, (troubles.get(at.name) ?? 0) + 1);
    },
    calm: async () => {
      // that of the acquirer waits for as many lines as there were, and may have to wait for services
      for (const driver of drivers.values()) await driver.clear().catch(() => undefined);
    },
    books: async () => {
      const all = new Map<string, readonly Payment[]>();
      for (const [name, driver] of drivers) all.set(name, await driver.books(null));
      return all;
    },
    stop: async () => {
      await office?.close();
      child.signal('SIGKILL');
      await child.ended;
    },
  };
}

async function post(url: string, body: object): Promise<void> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
}

/**
 * The setting of a start that makes contracts with them: those of simulators of its own, whose credentials are always
 * the same.
 */
export const SEEDING = { FLORIN_WITH: NAMES.join(',') } as const;

/**
 * Limits the contracts by currency: a vendor that is not well gives its payments to another vendor, never to the bank,
 * and the bank's never go to a vendor.
 */
export async function limitContracts(postgres: Postgres): Promise<void> {
  await postgres.sql(
    `UPDATE payment.contracts SET currencies = CASE WHEN provider = ANY($1) THEN $2::text[] ELSE $3::text[] END`,
    [NAMES, [VENDOR_CURRENCY], BANK_CURRENCIES],
  );
}
