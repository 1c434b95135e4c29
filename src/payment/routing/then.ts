// What stored attempts were chosen by, read once each, and the choice of then made again from it.
import type { WeightsInForce } from '../../core/routing/learn/in-force.ts';
import { type Chances, isUnwell } from '../../core/routing/route.ts';
import type { RoutingInForce } from '../../core/routing/table.ts';
import type { Tools } from '../tools.ts';
import { findWeights } from './learn/weights-store.ts';
import { type RouteNote, idOf } from './note.ts';
import { type Again, type Past, type Then, chooseAgain } from './past.ts';
import { tableOf } from './publish.ts';
import type { StoredAttempt } from './trial/attempts-store.ts';

export class Versions {
  private readonly tables = new Map<number, RoutingInForce>();
  private readonly weights = new Map<number, WeightsInForce>();
  private readonly tools: Pick<Tools, 'db'>;
  private readonly account: string;

  constructor(tools: Pick<Tools, 'db'>, account: string) {
    this.tools = tools;
    this.account = account;
  }

  /** Of a note that was told to `learn`. Undefined: no rules were in force, and every provider was well. */
  of(note: RouteNote | null): Then | undefined {
    const table = note && this.tables.get(note.v);
    return table ? { table, weights: this.weights.get(note.w ?? 0) } : undefined;
  }

  /**
   * Reads the versions that a page of attempts names. Of weights there may be one a minute, so others are let go.
   */
  async learn(notes: readonly (RouteNote | null)[]): Promise<void> {
    const [tables, weights] = [new Set<number>(), new Set<number>()];
    for (const note of notes) {
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

export type Chosen = {
  /** The contract that came first; null: it was refused. */
  readonly first: string | null;
  /** Was the choice made again exactly? Of an order that was tried again the fields of then are gone. */
  readonly replayed: 'same' | 'tried_again' | 'defect';
  /** How likely each contract came first; undefined: its outcome is no sample of a draw. */
  readonly chances: Chances | undefined;
};

/** The choice of then, from the note and its version. */
export function chosenThen(row: StoredAttempt, past: Past, then: Again | undefined): Chosen {
  const { route: note, contract_id } = row;
  if (!note || !then)
    return {
      first: contract_id,
      replayed: 'same',
      chances: past.named === undefined && contract_id !== null ? new Map([[contract_id, 1]]) : undefined,
    };
  const { routed, note: made } = chooseAgain(past, note, then);
  const same = JSON.stringify(made) === JSON.stringify(note);
  // who was passed over because a provider was not well went elsewhere by chance, or by what happened that minute
  const drawn = routed.because !== 'named' && (note.x ?? []).every(([, why]) => !isUnwell(why));
  return {
    first: note.o[0] === undefined ? null : idOf(note.o[0], then.table.contracts),
    replayed: same ? 'same' : row.again ? 'tried_again' : 'defect',
    chances: drawn ? routed.chances : undefined,
  };
}
