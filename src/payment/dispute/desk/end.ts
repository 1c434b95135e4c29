// How an answer ends: that the provider has it, or its refusal, and what the dispute says of it are one commit.
import type { TenantRunner } from '../../../kit/database.ts';
import type { Kept } from '../../../provider/contract.ts';
import { type AnswerRow, noteAnswer } from './answer-store.ts';
import { markAnswered } from './store.ts';

type Ending = {
  readonly answer: AnswerRow;
  readonly kept: Kept;
  /** Why the provider did not take it; undefined: it did. */
  readonly refused: string | undefined;
  /** As in Noted. */
  readonly tries: number | null;
};

/** Does nothing if the answer has ended already, or another worker has taken it up since this try. */
export async function endAnswer(tx: TenantRunner, { answer, kept, refused, tries }: Ending): Promise<void> {
  const state = refused === undefined ? 'taken' : 'refused';
  const note = refused?.slice(0, 500) ?? '';
  const is_new = await noteAnswer(tx, { id: answer.id, state, kept, sending: false, note, again_s: 0, tries });
  if (!is_new || refused !== undefined) return;
  await markAnswered(tx, answer.dispute_id, answer.kind === 'submit' ? 'submitted' : 'accepted');
}
