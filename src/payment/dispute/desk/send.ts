// Sends answers to disputes to their provider: step by step, what each left committed before the next. What counts is
// noted before it leaves; when nothing comes back the provider is asked, and only what it shows not to have is sent
// once more, under the same key.
import { isFileField } from '../../../core/dispute/evidence.ts';
import type { Kept, Provider } from '../../../provider/contract.ts';
import type { DisputeAsk, DisputeReading, Disputing } from '../../../provider/disputing.ts';
import { withTransaction } from '../../../kit/database.ts';
import type { Credentials } from '../../merchant/credentials/credentials.ts';
import { credentialsOf, credentialsToSend } from '../../order/engine/provider-call.ts';
import type { OperationFacts, OrderFacts } from '../../order/facts/order-facts.ts';
import { findOrder } from '../../order/facts/order-store.ts';
import type { Tools } from '../../tools.ts';
import { type AnswerRow, claimAnswers, findAnswer, noteAnswer } from './answer-store.ts';
import { endAnswer } from './end.ts';
import { openFile, readTexts } from './evidence.ts';
import { type FileRow, listFiles } from './evidence-store.ts';
import { type DisputeRow, findDispute } from './store.ts';

const LEASE_S = 120;
const MOST_STEPS = 30;
/** Between tries: doubled each time, a quarter of an hour at most. */
const FIRST_PAUSE_S = 5;
const LONGEST_PAUSE_S = 900;

/**
 * Takes up answers that are due, at most `room`; how many there were. Each is taken when its turn comes: a lease that
 * ran while others were sent would be over before.
 */
export async function sendAnswers(tools: Tools, room: number): Promise<number> {
  for (let n = 0; n < room; n++) {
    const [due] = await claimAnswers(tools.db, 1, LEASE_S);
    if (!due) return n;
    const { merchant_account_id, id } = due;
    await sendAnswer(tools, merchant_account_id, id).catch((error: unknown) =>
      tools.log.error({ answer_id: id, error: String(error) }, 'an answer to a dispute is left for later'),
    );
  }
  return room;
}

type Sending = {
  readonly dispute: DisputeRow;
  readonly answer: AnswerRow;
  readonly provider: Provider;
  readonly disputing: Disputing;
  readonly merchant_account_id: string;
  /** The payment that is disputed. Undefined: it is not here any more. */
  readonly payment: { readonly order: OrderFacts; readonly operation: OperationFacts } | undefined;
  readonly ask: DisputeAsk;
  readonly files: readonly FileRow[];
};

async function sendAnswer(tools: Tools, merchant_account_id: string, id: string): Promise<void> {
  const db = tools.db.tenant(merchant_account_id);
  const answer = await findAnswer(db, id);
  const dispute = answer && (await findDispute(db, answer.dispute_id));
  const provider = dispute && tools.providers.get(dispute.provider);
  if (!answer || !dispute?.reference || !provider?.disputing) return;
  const [files, texts, order] = await Promise.all([
    listFiles(db, dispute.id),
    readTexts(tools, { merchant_account_id, dispute_id: dispute.id }),
    findOrder(db, dispute.order_id),
  ]);
  const operation = order?.operations.find((one) => one.id === dispute.operation_id);
  const authorized = order?.operations.find((one) => one.id === operation?.transaction_id);
  const shown = files.flatMap(({ field, name, type }) =>
    isFileField(field) ? [{ field, name, type: type as 'application/pdf' }] : [],
  );
  await walk(tools, {
    dispute,
    answer,
    provider,
    disputing: provider.disputing,
    merchant_account_id,
    payment: order && authorized && { order, operation: authorized },
    ask: { kind: answer.kind, merchant_account_id, reference: dispute.reference, texts, files: shown },
    files,
  });
}

/** Sends the steps of an answer, from the one that it has reached to its end, or to a step whose result is unknown. */
async function walk(tools: Tools, sending: Sending): Promise<void> {
  const { answer, disputing, ask } = sending;
  let kept: Kept = answer.kept;
  // what counts was sent, and what became of it is not known
  let asking = answer.sent_at !== null;
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const step = asking ? disputing.look : disputing.step(ask, kept);
    const counts = disputing.counts.includes(step);
    if (!(await note(tools, sending, { kept, sending: counts }))) return;
    const reading = await call(tools, sending, { step, kept, sent: asking });
    // who is turned away is told nothing of what was sent before
    const is_unknown = reading.kind === 'unknown' || (asking && reading.kind === 'refused');
    if (is_unknown) return later(tools, sending, { kept, counts });
    if (reading.kind === 'taken' || reading.kind === 'refused') {
      // a refusal may be of what another worker has sent since; that it was taken is so in any case
      const said = reading.kind === 'taken' ? TAKEN : { refused: reading.text, tries: answer.tries };
      return withTransaction(tools.db, sending.merchant_account_id, (tx) => endAnswer(tx, { answer, kept, ...said }));
    }
    kept = { ...kept, ...reading.keep };
    if (asking && !isOver(tools, sending)) return later(tools, sending, { kept, counts: true });
    asking = false;
  }
  await later(tools, sending, { kept, counts: false });
}

const TAKEN = { refused: undefined, tries: null } as const;

/** True: an answer that was sent, and that the provider does not have, can arrive no more. */
function isOver({ clock }: Tools, { answer, provider }: Sending): boolean {
  const sent_ms = answer.sent_at?.getTime() ?? 0;
  return clock.now().getTime() - sent_ms > provider.can.in_flight_s * 1000;
}

type Noting = { readonly kept: Kept; readonly sending: boolean };

function note(tools: Tools, { answer, merchant_account_id }: Sending, { kept, sending }: Noting): Promise<boolean> {
  const { id, state, tries } = answer;
  const db = tools.db.tenant(merchant_account_id);
  return noteAnswer(db, { id, kept, state: sending ? 'in_doubt' : state, sending, note: '', again_s: LEASE_S, tries });
}

type Stepping = { readonly step: string; readonly kept: Kept; readonly sent: boolean };

async function call(tools: Tools, sending: Sending, { step, kept, sent }: Stepping): Promise<DisputeReading> {
  const { answer, provider, disputing } = sending;
  const ask = await withFiles(tools, sending, { step, kept });
  const written = disputing.write(step, ask, kept);
  if (!written) return { kind: 'refused', text: `${provider.display_name} does not take this` };
  const [sent_first = step] = disputing.sends(step, ask, kept);
  const credentials = await credentialsAt(tools, sending);
  const said = await tools.direct({
    destination: provider.name,
    step,
    ...written,
    // the same after a crash, another one for each file
    key: `${answer.id}-${sent_first}`.slice(0, 64),
    deadline_ms: provider.can.answer_deadline_s * 1000,
    credentials,
  });
  if (said.outcome !== 'answered') {
    const refused = said.outcome === 'not_sent' && said.reason === 'credentials';
    return refused ? { kind: 'refused', text: 'the credentials of the contract were not sent' } : { kind: 'unknown' };
  }
  return disputing.read(step, said, { ask, kept, sent });
}

/**
 * Those of the account in which the payment began: the dispute is there, and in no other one (decision 198). Where that
 * is not known, the present ones: the wrong account has no such dispute, and says so.
 */
async function credentialsAt(tools: Tools, { provider, payment }: Sending): Promise<Credentials> {
  if (!payment) return {};
  const sent = { provider, ...payment };
  return (await credentialsToSend(tools, { ...sent, again: true })) ?? credentialsOf(tools, sent);
}

/** With the bytes of the files that the step sends. */
async function withFiles(
  tools: Tools,
  { ask, disputing, files, dispute, merchant_account_id }: Sending,
  { step, kept }: Omit<Stepping, 'sent'>,
): Promise<DisputeAsk> {
  const sent = disputing.sends(step, ask, kept);
  if (sent.length === 0) return ask;
  const whole = ask.files.map(async (file) => {
    const row = files.find(({ field }) => field === file.field);
    if (!row || !sent.includes(file.field)) return file;
    const content = await openFile(tools, { merchant_account_id, dispute_id: dispute.id, id: row.id });
    return { ...file, ...(content && { content }) };
  });
  return { ...ask, files: await Promise.all(whole) };
}

async function later(
  tools: Tools,
  { answer, merchant_account_id }: Sending,
  { kept, counts }: { readonly kept: Kept; readonly counts: boolean },
): Promise<void> {
  const pause = Math.min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** Math.min(20, answer.tries - 1));
  const doubt = counts || answer.sent_at !== null;
  await noteAnswer(tools.db.tenant(merchant_account_id), {
    id: answer.id,
    state: doubt ? 'in_doubt' : 'requested',
    kept,
    sending: false,
    note: doubt
      ? 'sent, and nothing came back: the provider is asked'
      : 'the provider does not answer: it is tried again',
    again_s: pause,
    tries: answer.tries,
  });
}
