// What goes wrong while many orders are played: drawn from a seed, for three orders in ten.
import { type KillPoint } from '../../../src/core/kill-points.ts';
import type { Chance } from '../../chaos/chance.ts';
import type { World } from '../../world.ts';
import type { At, Driver, Trouble, Twist, Work } from '../at/contract.ts';
import type { Story } from './merchant.ts';

/** The work ends there as if the power was cut. */
const POINTS: readonly KillPoint[] = [
  't1_committed',
  'step_committed',
  'call_answered',
  't2_committed',
  'claim_committed',
  'tombstone_committed',
  'reversal_acknowledged',
];

const KEPT_BACK = 30;

export type Troubles = {
  /** Before an order of this provider: perhaps nothing. */
  before(at: At, chance: Chance): Promise<void>;
  /** Nothing is armed any more, and what waits is told. */
  end(): Promise<void>;
  /** How often each was armed, and how many cuts were hit. */
  readonly count: ReadonlyMap<string, number>;
};

export type Plan = {
  /** Of all orders, so many are in trouble. */
  readonly part: number;
  /** Only these; absent: all that a provider's simulator can be made to do. */
  readonly kinds?: readonly Trouble[];
  /** Of these works alone. */
  readonly works?: readonly Work[];
  /** Orders of these stories alone. */
  readonly stories?: readonly Story[];
};

export function openTroubles(w: World, providers: readonly At[], { part, kinds: only, works }: Plan): Troubles {
  const drivers = new Map<string, Driver>(providers.map((at) => [at.name, at.drive(w)]));
  const count = new Map<string, number>();
  const saw = (what: string) => count.set(what, (count.get(what) ?? 0) + 1);
  const cuts: KillPoint[] = [];
  const { tools } = w.service;
  const before = tools.crash;
  const at = (here: KillPoint) => {
    const place = cuts.indexOf(here);
    if (place < 0) return;
    cuts.splice(place, 1);
    saw('cut: reached');
    throw new Error(`the power was cut at ${here}`);
  };
  Object.assign(tools, { crash: { at, during: () => undefined } });
  const held = new Map<string, number>();
  const telling: Promise<void>[] = [];
  /** What was kept back for so many orders is told twice, the newest first, while others go on. */
  const release = async ({ name }: At, drive: Driver) => {
    const left = held.get(name);
    if (left === undefined) return;
    held.set(name, left - 1);
    if (left > 0) return;
    held.delete(name);
    await drive.hold(false);
    telling.push(drive.tellWaiting());
  };
  return {
    count,
    before: async (provider, chance) => {
      const drive = drivers.get(provider.name);
      if (drive) await release(provider, drive);
      if (!drive || !chance.isLucky(part)) return;
      const all = [...provider.troubles, ...provider.twists, 'cut', 'messages'] as const;
      const kind = chance.pick(only ? provider.troubles.filter((one) => only.includes(one)) : all);
      saw(kind);
      if (kind === 'cut') {
        cuts.push(chance.pick(POINTS));
      } else if (kind === 'messages') {
        if (!held.has(provider.name)) await drive.hold(true);
        held.set(provider.name, KEPT_BACK);
      } else {
        await drive.arm(kind, stepFor(works ? withOnly(provider, works) : provider, kind, chance));
      }
    },
    end: async () => {
      cuts.length = 0;
      await Promise.all(telling);
      for (const drive of drivers.values()) {
        await drive.clear();
        await drive.hold(false);
        await drive.tellWaiting();
      }
      Object.assign(tools, { crash: before });
    },
  };
}

const withOnly = (at: At, works: readonly Work[]): At => ({
  ...at,
  undoes: [],
  steps: Object.fromEntries(works.map((work) => [work, at.steps[work]])) as At['steps'],
});

/** Of any work; what is answered wrongly, of one that is answered with an amount. */
function stepFor({ steps, undoes }: At, kind: Trouble | Twist, chance: Chance): string {
  const work = chance.pick(Object.keys(steps) as Work[]);
  const twisted = kind === 'other_amount' || kind === 'other_currency' || kind === 'other_reference';
  if (twisted) return steps[chance.pick(['authorize', 'capture'] as const)].at(-1) ?? '';
  return chance.pick([...steps[work], ...(chance.isLucky(0.3) ? undoes : [])]);
}
