// An answer of which nothing is known ends by a message of the provider: that it has evidence, or that it had none in
// time.
import { withTransaction } from '../../../kit/database.ts';
import type { Dispute } from '../../../provider/notices.ts';
import type { Tools } from '../../tools.ts';
import { type AnswerRow, listAnswers } from './answer-store.ts';
import { endAnswer } from './end.ts';

type Told = {
  readonly merchant_account_id: string;
  readonly dispute_id: string;
  readonly evidence: NonNullable<Dispute['evidence']>;
};

/** Evidence that arrived was submitted, and who accepted gave none; the opposite did not happen. */
export async function endDoubt(tools: Tools, { merchant_account_id, dispute_id, evidence }: Told): Promise<void> {
  const answers = await listAnswers(tools.db.tenant(merchant_account_id), dispute_id);
  for (const answer of answers.filter(({ state }) => state === 'in_doubt')) {
    const is_taken = (answer.kind === 'submit') === (evidence === 'given');
    await withTransaction(tools.db, merchant_account_id, (tx) =>
      endAnswer(tx, { answer, kept: answer.kept, refused: is_taken ? undefined : refusalOf(answer), tries: null }),
    );
  }
}

const refusalOf = ({ kind }: AnswerRow): string =>
  kind === 'submit' ? 'the provider says that no evidence came in time' : 'the provider says that it has evidence';
