// Answering a dispute: evidence is submitted or the dispute accepted through its provider, or a person says that it was
// answered elsewhere. The intent is one commit; the worker sends it.
import { Refusal } from '../../../core/refusals.ts';
import { type InCommit, type TenantRunner, withTransaction } from '../../../kit/database.ts';
import type { Disputing } from '../../../provider/disputing.ts';
import type { Tools } from '../../tools.ts';
import { insertAnswer } from './answer-store.ts';
import { type Whose, readTexts } from './evidence.ts';
import { listFiles } from './evidence-store.ts';
import { type DisputeRow, findDispute, lockUnanswered, markAnswered } from './store.ts';

type Answering = Whose & {
  readonly kind: 'submit' | 'accept' | 'elsewhere';
  readonly reason: string;
  readonly by: string;
  readonly also: InCommit;
};

/** Refused: there is none such, it cannot be answered so, or it was. Undefined: unknown. */
export async function answerDispute(tools: Tools, answering: Answering): Promise<DisputeRow | undefined> {
  const { merchant_account_id, dispute_id, kind } = answering;
  const dispute = await findDispute(tools.db.tenant(merchant_account_id), dispute_id);
  if (!dispute) return undefined;
  const disputing = kind === 'elsewhere' ? undefined : requireTakes(tools, dispute);
  await withTransaction(tools.db, merchant_account_id, async (tx) => {
    if (!(await lockUnanswered(tx, dispute_id)))
      throw new Refusal('change_conflict', {
        detail: 'the dispute has ended, or an answer was given already or is under way',
      });
    // from here on nobody changes the evidence: what is looked at is what is sent
    if (disputing && kind === 'submit') await requireEvidence(tools, disputing, answering);
    await write(tools, tx, answering);
    await answering.also(tx);
  });
  tools.wake_up.wake();
  return dispute;
}

/** Through its provider: it takes answers, and knows the dispute by a reference. */
function requireTakes(tools: Tools, dispute: DisputeRow): Disputing {
  const provider = tools.providers.get(dispute.provider);
  const disputing = provider?.disputing;
  if (!provider || !disputing || dispute.reference === null)
    throw new Refusal('change_conflict', {
      detail: `answer it at the ${provider?.disputes_at ?? dispute.provider}, and mark it as answered here`,
    });
  return disputing;
}

/** There is evidence, and the provider takes it. */
async function requireEvidence(tools: Tools, disputing: Disputing, whose: Whose): Promise<void> {
  const [texts, files] = await Promise.all([
    readTexts(tools, whose),
    listFiles(tools.db.tenant(whose.merchant_account_id), whose.dispute_id),
  ]);
  const said = Object.values(texts).reduce((sum, text) => sum + text.length, 0);
  const shown = files.reduce((sum, { size }) => sum + size, 0);
  const refused = (detail: string) => new Refusal('change_conflict', { detail });
  const has: ReadonlySet<string> = new Set([...disputing.texts, ...disputing.files]);
  const given = [
    ...Object.entries(texts).flatMap(([field, text]) => (text === '' ? [] : [field])),
    ...files.map(({ field }) => field),
  ];
  const untaken = given.filter((field) => !has.has(field));
  if (untaken.length > 0) throw refused(`the provider has no place for ${untaken.join(', ')}`);
  const unread = files.find(({ type }) => !disputing.types.some((one) => one === type));
  if (unread) throw refused(`${unread.name} is ${unread.type}: the provider reads ${disputing.types.join(', ')}`);
  if (said === 0 && files.length === 0) throw refused('there is no evidence yet: say or show something first');
  if (said > disputing.most_text) throw refused(`all texts together are longer than ${disputing.most_text} characters`);
  if (shown > disputing.most_file_bytes)
    throw refused(`all files together are larger than ${disputing.most_file_bytes} bytes`);
}

async function write(tools: Tools, tx: TenantRunner, { kind, dispute_id, reason, by }: Answering): Promise<void> {
  if (kind === 'elsewhere') await markAnswered(tx, dispute_id, 'elsewhere');
  else await insertAnswer(tx, { id: tools.chance.id(), dispute_id, kind, reason, requested_by: by });
}
