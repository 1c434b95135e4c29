// Why this contract, as a read of the order tells it (contract 7.5), and in words for people.
import type { Group } from '../../core/routing/experiment.ts';
import type { LeftOut } from '../../core/routing/route.ts';
import { type RouteKept, idOf, idsOf } from './note.ts';

export type RoutingView = {
  readonly version: number;
  readonly rule: string | null;
  readonly because: 'named' | 'rule' | 'priority';
  /** Ids of contracts, in the order in which they were to be tried. */
  readonly offered: readonly string[];
  readonly propensity: number;
  /** If two versions are compared: the group that the order was drawn for; null: none are. */
  readonly experiment: { readonly number: number; readonly group: Group } | null;
  readonly skipped: readonly { readonly contract: string; readonly reason: LeftOut }[];
};

/** The member `routing` of a transaction; null: no rules were in force. */
export function routingView(route: RouteKept | null): RoutingView | null {
  if (!route) return null;
  const { note, of } = route;
  const { contracts } = of ?? { contracts: [] };
  return {
    version: note.v,
    rule: of?.rule ?? null,
    because: becauseOf(route),
    offered: idsOf(note, { contracts }),
    propensity: note.p / 10_000,
    experiment: note.e ? { number: note.e[0], group: note.e[1] } : null,
    skipped: (note.x ?? []).map(([one, reason]) => ({ contract: idOf(one, contracts), reason })),
  };
}

function becauseOf({ note: { n = 0, r } }: RouteKept): RoutingView['because'] {
  if (n > 0) return 'named';
  return r === undefined ? 'priority' : 'rule';
}

const REASONS: Readonly<Record<LeftOut, string>> = {
  off: 'it is switched off',
  unfit: 'it does not take this payment',
  open: 'its provider did not answer',
  half: 'its provider had just come back, and takes one payment in twenty',
  spread: 'its provider had just come back, and takes more from minute to minute',
  held: 'a person holds it back',
  suspected: 'it declined more than the others',
};

export type RouteNames = {
  /** Name of a contract by its id. */
  contract(id: string): string;
  /** Who published the version. */
  readonly by: string | null;
  /** Shares of the rule, in basis points; empty: it has none. */
  readonly shares: readonly (readonly [contract: string, basis_points: number])[];
};

const experimentWords = ({ number, group }: NonNullable<RoutingView['experiment']>) =>
  `Experiment ${number} compares two versions: it is of group ${group}`;

function learntWords(weights: number, controlled: boolean): string {
  if (controlled) return "It is of the control group, which keeps the rule's own order";
  return weights === 0 ? 'Nothing was learnt yet' : `Shares as they were learnt, version ${weights}`;
}

const percent = (points: number) => `${points / 100} %`;

/** One sentence for each reason that led to the contract. */
export function whyWords(route: RouteKept, { contract, by, shares }: RouteNames): readonly string[] {
  const view = routingView(route);
  if (!view) return [];
  const { u, w, c } = route.note;
  const [first, ...next] = view.offered.map((id) => contract(id));
  const version = view.version === 0 ? '' : ` of version ${view.version}${by === null ? '' : ` by ${by}`}`;
  const led = {
    named: 'The request names the contract',
    rule: `Rule ${view.rule ?? ''}${version}`,
    priority:
      view.version === 0
        ? 'No rules: the first contract that fits and is well'
        : `No rule${version} decides: the contracts by their priority`,
  }[view.because];
  return [
    led,
    ...(view.experiment ? [experimentWords(view.experiment)] : []),
    ...(w === undefined || view.because === 'named' ? [] : [learntWords(w, c === 1)]),
    ...(u === undefined || view.because === 'named'
      ? []
      : [
          shares.map(([name, share]) => `${name} ${percent(share)}`).join(', '),
          `The draw 0.${String(u).padStart(4, '0')} fell to ${first ?? 'none'}, whose share of those left was ${percent(route.note.p)}`,
        ].filter((line) => line !== '')),
    ...(first === undefined ? ['Nothing is left: it is refused'] : []),
    ...(next.length > 0 ? [`Then ${next.join(', ')}`] : []),
    ...view.skipped.map((one) => `${contract(one.contract)} left out: ${REASONS[one.reason]}`),
  ];
}
