// What many orders must notice: each is a Florin that does one thing wrong, and is caught by what it leaves behind.
import type { World } from '../../world.ts';
import type { Plan } from './trouble.ts';

export type Mutant = {
  breaks(w: World): void;
  /** The troubles that bring it to light: they are armed, not hoped for. */
  readonly plan: Plan;
};

export const MUTANTS: Readonly<Record<string, Mutant>> = {
  /** Whatever is sent again goes under a new key, so a provider does it once more. */
  'sends again under a new key': {
    // a part alone: what is given back a second time must still fit into what was taken
    plan: { part: 1, kinds: ['closed_after', 'silent_after'], works: ['refund'], stories: ['refund_part'] },
    breaks: ({ service: { tools } }) => {
      let count = 0;
      const { direct } = tools;
      Object.assign(tools, {
        direct: (call: Parameters<typeof direct>[0]) => direct({ ...call, key: `${++count}-${call.key}`.slice(0, 64) }),
      });
    },
  },
  /** What says nothing is taken for a refusal. */
  'takes an unreadable answer for a decline': {
    plan: { part: 1, kinds: ['error_after', 'page_after'], works: ['authorize', 'capture'] },
    breaks: ({ service: { tools } }) => {
      const declined = { kind: 'declined', result: 'issuer_declined', reference: null } as const;
      const said = { provider_code: '', provider_text: '' };
      const providers = new Map(
        [...tools.providers].map(([name, one]) => {
          const read: typeof one.read = (...given) => {
            const reading = one.read(...given);
            return reading.kind === 'unknown' ? { ...declined, ...said } : reading;
          };
          return [name, { ...one, read }];
        }),
      );
      Object.assign(tools, { providers });
    },
  },
};
