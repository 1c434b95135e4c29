// A provider that does not answer is left alone until it does (engine.md 9). While its breaker is open a new authorization is
// not sent at all, so it is proved never sent and another provider may be tried; everything else waits.
import type { Database } from '../../kit/database.ts';
import type { Log } from '../../kit/log.ts';
import type { Breaker } from '../tools.ts';
import { claimProbes, closeProvider, findOpenProviders, openProvider } from './store.ts';

/** So many calls in a row without an answer. Single faults, even many, do not open it. */
const OPENS_AFTER = 5;
const PROBE_S = 5;
/** What waited comes back spread over this time. */
const SPREAD_S = 5;

export function makeBreaker({ db, log }: { readonly db: Database; readonly log: Log }): Breaker {
  const unanswered = new Map<string, number>();
  let open: ReadonlySet<string> = new Set();
  const trip = async (provider: string) => {
    log.error(
      { provider },
      `${OPENS_AFTER} calls in a row without an answer: the provider is left alone until it answers`,
    );
    open = new Set([...open, provider]);
    await openProvider(db, provider, PROBE_S);
  };
  const closeIfWell = async (provider: string, probe: (provider: string) => Promise<boolean>) => {
    if (!(await probe(provider))) return;
    unanswered.set(provider, 0);
    await closeProvider(db, provider, SPREAD_S);
    log.info({ provider }, 'the provider answers again');
  };
  return {
    isOpen: (provider) => open.has(provider),
    leftOut: (provider) => (open.has(provider) ? 'open' : undefined),
    saw: (provider, answered) => {
      const count = answered ? 0 : (unanswered.get(provider) ?? 0) + 1;
      unanswered.set(provider, count);
      if (count !== OPENS_AFTER) return;
      unanswered.set(provider, 0);
      trip(provider).catch((error: unknown) =>
        log.warn({ provider, error: String(error) }, 'a breaker could not be stored'),
      );
    },
    look: async (probe) => {
      // each on its own: one that hangs, or whose probe fails, leaves none of the others shut
      const claimed = await claimProbes(db, PROBE_S);
      await Promise.all(
        claimed.map((provider) =>
          closeIfWell(provider, probe).catch((error: unknown) =>
            log.warn({ provider, error: String(error) }, 'a provider will be probed again'),
          ),
        ),
      );
      open = new Set(await findOpenProviders(db.looks));
    },
  };
}
