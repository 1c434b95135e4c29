import { type Rows, rowsOf } from '../pages.ts';
import type { CallOptions, Connection } from '../send/send.ts';
import type {
  ClockAdvanced,
  ClockRequest,
  ProviderBooks,
  ReadProviderBooksQuery,
  SandboxCards,
  SandboxClock,
  ScenarioAnswer,
  ScenarioList,
  ScenarioRequest,
} from '../wire/schemas.ts';
import { ask } from './call.ts';

/** In production these routes do not exist. */
export type Sandbox = {
  /** GET /sandbox/clock. */
  clock(options?: CallOptions): Promise<SandboxClock>;
  /** POST /sandbox/clock/advance: everything due until then happens, in order. */
  advanceClock(request: ClockRequest, options?: CallOptions): Promise<ClockAdvanced>;
  /** POST /sandbox/scenario: arms a fault for the next calls that match. */
  armScenario(request: ScenarioRequest, options?: CallOptions): Promise<ScenarioAnswer>;
  /** GET /sandbox/scenario. */
  scenarios(options?: CallOptions): Promise<ScenarioList>;
  /** DELETE /sandbox/scenario: disarms all. */
  removeScenarios(options?: CallOptions): Promise<ScenarioList>;
  /** GET /sandbox/provider/books: what the simulated provider believes it has done. */
  books(query?: ReadProviderBooksQuery, options?: CallOptions): Rows<ProviderBooks['entries'][number]>;
  /** GET /sandbox/cards: card numbers and what they do. */
  cards(options?: CallOptions): Promise<SandboxCards>;
};

export function sandboxOf(connection: Connection): Sandbox {
  return {
    clock: (options) => ask(connection, 'readSandboxClock', { options }),
    advanceClock: (body, options) => ask(connection, 'advanceSandboxClock', { body, options }),
    armScenario: (body, options) => ask(connection, 'armScenario', { body, options }),
    scenarios: (options) => ask(connection, 'listScenarios', { options }),
    removeScenarios: (options) => ask(connection, 'removeScenarios', { options }),
    books: (query = {}, options) =>
      rowsOf(async (cursor) => {
        const page = await ask<ProviderBooks>(connection, 'readProviderBooks', {
          query: { ...query, cursor },
          options,
        });
        return { rows: page.entries, next_cursor: page.next_cursor ?? undefined };
      }, query.cursor ?? undefined),
    cards: (options) => ask(connection, 'listSandboxCards', { options }),
  };
}
