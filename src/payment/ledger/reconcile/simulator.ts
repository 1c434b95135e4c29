// The books of the simulated providers, read page by page over their own port (sandbox only).
import { OPERATION_KINDS } from '../../../core/states.ts';
import type { SandboxControl } from '../../tools.ts';
import { type BookLine, type BookSource, readLine, UnreadableLine } from './line.ts';

const PAGE = 1000;
/** Both simulated providers keep their books in one place. */
const PROVIDERS = new Set(['simulator', 'simulator_b']);

const STATES: Readonly<Record<string, BookLine['state']>> = {
  held: 'done',
  captured: 'done',
  refunded: 'undone',
  released: 'undone',
  declined: 'declined',
  pending: 'pending',
};

/** Throws UnreadableLine where it does not answer. */
export function simulatorBooks(control: SandboxControl, account?: string): BookSource {
  return {
    name: 'books of the simulated providers',
    providers: PROVIDERS,
    kinds: new Set(OPERATION_KINDS),
    is_live: true,
    pages: async function* () {
      for (let offset: number | null = 0; offset !== null;) {
        const query = new URLSearchParams({ limit: String(PAGE), offset: String(offset) });
        if (account !== undefined) query.set('merchant_account_id', account);
        const said = await control({ method: 'GET', path: `/books?${query.toString()}` });
        if (said?.status !== 200) throw new UnreadableLine('the simulated provider does not answer');
        const { entries, next_offset } = said.body;
        yield (Array.isArray(entries) ? entries : []).map((entry: unknown, i) =>
          lineOf(entry, `entry ${Number(offset) + i}`),
        );
        offset = typeof next_offset === 'number' ? next_offset : null;
      }
    },
  };
}

/**
 * Reads an entry of the simulator. Its word for a state depends on the kind: a refund that stands is refunded, a cancel
 * released.
 */
function lineOf(entry: unknown, where: string): BookLine {
  const { amount, state, kind, id, ...rest } =
    typeof entry === 'object' && entry !== null ? { ...EMPTY, ...entry } : EMPTY;
  const stands =
    (kind === 'refund' && state === 'refunded') || (['cancel', 'reversal'].includes(kind) && state === 'released');
  return readLine(
    { ...rest, kind, amount_minor: amount, state: stands ? 'done' : STATES[state], provider_ref: id ?? null },
    where,
  );
}

const EMPTY: { readonly amount?: unknown; readonly state: string; readonly kind: string; readonly id?: unknown } = {
  state: '',
  kind: '',
};
