// Answers as they were given, made those of another operation: every id by which the two sides know ours is another
// one. A proxy that mixes up two connections gives such answers, and so does a cache.
import type { Answer, Facts, Kept, Provider, Reading } from '../../src/provider/contract.ts';

export type Sample = {
  readonly step: string;
  readonly facts: Facts;
  readonly kept: Kept;
  readonly answer: Answer;
  readonly said: Reading;
};

/** The provider, and every answer that it reads from now on. */
export function listeningTo(provider: Provider): { readonly provider: Provider; readonly samples: Sample[] } {
  const samples: Sample[] = [];
  const listening: Provider = {
    ...provider,
    read: (step, answer, facts, kept) => {
      const said = provider.read(step, answer, facts, kept);
      samples.push({ step, facts, kept, answer, said });
      return said;
    },
  };
  return { provider: listening, samples };
}

/** What an answer of another operation is read as; undefined: it names none, so that it can only be ours. */
export function readOfAnother(provider: Provider, { step, facts, kept, answer }: Sample): Reading | undefined {
  const text = new TextDecoder().decode(answer.body);
  const ids = idsOf(facts, kept);
  if (ids.length === 0) return undefined;
  // in one pass: an id that was changed may be another one of ours
  const other = text.replaceAll(new RegExp(ids.map((id) => id.replaceAll(/\W/g, '\\$&')).join('|'), 'g'), changed);
  if (other === text) return undefined;
  return provider.read(step, { ...answer, body: Buffer.from(other) }, facts, kept);
}

function idsOf({ operation_id, authorization_reference, authorization_kept, about }: Facts, kept: Kept): string[] {
  const named = [operation_id, about?.operation_id, about?.reference, authorization_reference];
  const left = [kept, authorization_kept, about?.kept ?? {}].flatMap((one) => Object.values(one));
  return [...new Set([...named, ...left])].filter((id) => typeof id === 'string' && id.length >= 12) as string[];
}

/** An id of the same form, and of another time: those that follow each other differ at their end. */
const changed = (id: string) => id.slice(0, 5) + (id[5] === '7' ? '8' : '7') + id.slice(6);

/** It says what became of an operation; an approval that names another one is refused by the core. */
export const endsOurs = ({ facts }: Sample, said: Reading): boolean =>
  ['declined', 'reversed', 'pending', 'payer_must_act', 'next'].includes(said.kind) ||
  (said.kind === 'approved' && [null, facts.operation_id, facts.about?.operation_id].includes(said.our_reference));
