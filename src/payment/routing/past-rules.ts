// Reads, once each, the rules that stored attempts were chosen by, and makes the choices again with them.
import type { WeightsInForce } from '../../core/routing/learn/in-force.ts';
import type { RouteFacts } from '../../core/routing/facts.ts';
import { type Chances, type Lot, type Plan, isUnwell, settled } from '../../core/routing/route.ts';
import type { RoutingInForce } from '../../core/routing/table.ts';
import type { Tools } from '../tools.ts';
import { findWeights } from './learn/weights-store.ts';
import { type RouteNote, idOf, noteAgain, planAgain } from './note.ts';
import { tableOf } from './publish.ts';
import type { StoredAttempt } from './trial/attempts-store.ts';
import type { StoredNote } from './trial/notes.ts';

/** What an attempt was chosen by: the rules of its day, and the weights of that moment. */
export type Then = { readonly table: RoutingInForce; readonly weights: WeightsInForce | undefined };

export class Versions {
  private readonly tables = new Map<number, RoutingInForce>();
  private readonly weights = new Map<number, WeightsInForce>();
  private readonly tools: Pick<Tools, 'db'>;
  private readonly account: string;

  constructor(tools: Pick<Tools, 'db'>, account: string) {
    this.tools = tools;
    this.account = account;
  }

  /**
   * What a note that `learn` has seen was chosen by. Undefined: no rules were in force, and every provider was well.
   */
  of(noted: StoredNote | null): Then | undefined {
    const note = noted?.shape.note;
    const table = note && this.tables.get(note.v);
    return table && { table, weights: this.weights.get(note.w ?? 0) };
  }

  /**
   * Reads the versions that a page of attempts names. Of weights there may be one a minute, so others are let go.
   */
  async learn(notes: readonly (StoredNote | null)[]): Promise<void> {
    const [tables, weights] = [new Set<number>(), new Set<number>()];
    for (const noted of notes) {
      const note = noted?.shape.note;
      if (note && !this.tables.has(note.v)) tables.add(note.v);
      if (note?.w !== undefined && note.w > 0) weights.add(note.w);
    }
    for (const version of tables) this.tables.set(version, await tableOf(this.tools, this.account, version));
    for (const version of this.weights.keys()) if (!weights.has(version)) this.weights.delete(version);
    const asked = [...weights].filter((version) => !this.weights.has(version));
    if (asked.length === 0) return;
    for (const row of await findWeights(this.tools.db.tenant(this.account), asked))
      this.weights.set(row.version, row.weights);
  }
}

/** The choice of then, but for what was drawn. */
export type Chosen = {
  /** The contract that came first; null: it was refused. */
  readonly first: string | null;
  /** How likely each contract came first; undefined: its outcome is no sample of a draw. */
  readonly chances: Chances | undefined;
  /** Undefined: no rules were in force. */
  readonly again: Again | undefined;
};

/** Made once more, with the note that must come out again. */
type Again = { readonly plan: Plan; readonly note: RouteNote; readonly table: RoutingInForce };

type Asked = {
  readonly facts: RouteFacts;
  /** The contract as the request names it. */
  readonly named: string | undefined;
  /** The account's, which a version of no rules does not know. */
  readonly contracts: RoutingInForce['contracts'];
};

export function chosenThen(
  { route: noted, contract_id }: Pick<StoredAttempt, 'route' | 'contract_id'>,
  then: Then | undefined,
  { facts, named, contracts }: Asked,
): Chosen {
  if (!noted || !then) {
    const is_sample = named === undefined && contract_id !== null;
    return { first: contract_id, chances: is_sample ? new Map([[contract_id, 1]]) : undefined, again: undefined };
  }
  const { note } = noted.shape;
  const { table, weights } = then;
  const id = [...table.contracts, ...contracts].find((one) => one.id === named || one.name === named)?.id;
  const plan = planAgain({ note, table, weights, facts, named: id ?? named });
  // who was passed over because a provider was not well went elsewhere by chance, or by what happened that minute
  const is_sample = plan.because !== 'named' && (note.x ?? []).every(([, why]) => !isUnwell(why));
  return {
    first: note.o[0] === undefined ? null : idOf(note.o[0], table.contracts),
    chances: is_sample ? plan.chances : undefined,
    again: { plan, note, table },
  };
}

/** Whether the note comes out again with this draw, but for the number that was drawn, which is told apart. */
export function comesOutAgain({ plan, note, table }: Again, lot: Lot): boolean {
  const made = noteAgain(settled(plan, lot), { note, table });
  return JSON.stringify(made.u === undefined ? made : { ...made, u: 0 }) === JSON.stringify(note);
}
