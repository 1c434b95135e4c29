// florin routing health and hold: show how providers are and what changed within a day, and let a person override it.
import { DEPLOYMENT } from '../../backoffice/audit/audit.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/durations.ts';
import { type Database, withTransaction } from '../../kit/database.ts';
import { StartError } from '../../kit/start-error.ts';
import { findHealth, findHealthChanges, holdProvider } from '../../payment/routing/health-store.ts';
import type { Tools } from '../../payment/tools.ts';
import type { Words } from '../arguments.ts';
import { tableOf } from '../ledger/table.ts';
import { record } from '../published.ts';

const HOURS = 24;
const COLUMNS = ['time', 'provider', 'contract', 'scheme', 'from', 'to', 'why', 'by', 'accounts read'].map((title) => ({
  title,
}));

export async function healthText(db: Database, json: boolean): Promise<string> {
  const [rows, changes] = await Promise.all([findHealth(db), findHealthChanges(db, HOURS)]);
  if (json) return JSON.stringify({ providers: rows, changes }, undefined, 2);
  const now = rows.map(({ name, health, held }) => `${name} is ${held === null ? health : `held ${held} (${health})`}`);
  const table = tableOf(
    COLUMNS,
    changes.map((one) => [
      one.at.toISOString(),
      one.provider,
      one.contract_id ?? '',
      one.scheme ?? '',
      one.from_state,
      one.to_state,
      one.reason,
      one.by_name ?? '',
      one.told ?? '',
    ]),
  );
  return [
    now.length === 0 ? 'Nothing was ever wrong with a provider.' : now.join('\n'),
    changes.length === 0 ? 'Nothing changed within a day.' : table,
  ].join('\n\n');
}

/** The text that accounts read if the operator gives none. */
const TOLD = {
  open: 'the operator sends nothing there for now',
  closed: 'the operator says that it is well',
  free: 'the operator lets it go',
} as const;

type Holding = { readonly tools: Pick<Tools, 'db' | 'providers' | 'clock'>; readonly words: Words };

/**
 * Applies to the whole deployment: the payments of every account follow within a second. The reason is kept with the
 * change and in the deployment's audit; accounts see the text that is meant for them.
 */
export async function hold({ tools, words }: Holding, [name = '', how = '']: readonly string[]): Promise<string> {
  if (!tools.providers.has(name)) throw new StartError(`There is no provider ${name}.`);
  if (how !== 'open' && how !== 'closed' && how !== 'free')
    throw new StartError('Say open (nothing is sent to it), closed (it is well) or free (as its calls say).');
  const held = how === 'free' ? null : how;
  const until = untilOf(words.text('for'), tools.clock.now());
  if (until && held === null) throw new StartError('--for belongs to open and closed.');
  const [by, reason, told] = [words.needed('by'), words.needed('note'), words.text('tell') ?? TOLD[how]];
  const done = await withTransaction(tools.db, DEPLOYMENT, async (tx) => {
    if (!(await holdProvider(tx, { name, held, until, by, reason, told }))) return false;
    const detail = { held: how, until: until?.toISOString() ?? null, told };
    await record(words, tx, { action: 'provider held', object: name, detail });
    return true;
  });
  if (!done) return `${name} was so already.`;
  if (held === null) return `${name} is what its calls say again.`;
  return `${name} is held ${held}${until ? ` until ${until.toISOString()}` : ''}.`;
}

const UNITS_MS = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS } as const;

/** Null: the hold lasts until it is released. */
function untilOf(said: string | undefined, now: Date): Date | null {
  if (said === undefined) return null;
  const [, count = '', unit = ''] = /^([1-9]\d{0,3})([mhd])$/.exec(said) ?? [];
  if (unit !== 'm' && unit !== 'h' && unit !== 'd') throw new StartError('--for must be a time such as 30m, 4h or 2d.');
  return new Date(now.getTime() + Number(count) * UNITS_MS[unit]);
}
