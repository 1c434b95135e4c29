// One archive for a person who answers a dispute at the provider's own site: the texts of the evidence, and the files.
import {
  ENDINGS,
  FILE_FIELDS,
  type FileType,
  TEXT_FIELDS,
  isFileField,
  isTextField,
} from '../../../core/dispute/evidence.ts';
import { FAMILY_WORDS, familyOf } from '../../../core/dispute/reasons.ts';
import { moneyText } from '../../../core/money.ts';
import { zip } from '../../../kit/zip.ts';
import type { OrderFacts } from '../../order/facts/order-facts.ts';
import { findOrder } from '../../order/facts/order-store.ts';
import type { Tools } from '../../tools.ts';
import { type Whose, openFile, readTexts } from './evidence.ts';
import { type FileRow, listFiles } from './evidence-store.ts';
import { type DisputeRow } from './store.ts';

/** Makes the archive; only one file at a time is in memory. */
export async function answerByHand(tools: Tools, whose: Whose, dispute: DisputeRow): Promise<AsyncGenerator<Buffer>> {
  const db = tools.db.tenant(whose.merchant_account_id);
  const [said, files, order] = await Promise.all([
    readTexts(tools, whose),
    listFiles(db, whose.dispute_id),
    findOrder(db, dispute.order_id),
  ]);
  const kept = files.filter((file) => file.kept);
  const provider = tools.providers.get(dispute.provider);
  const about = [
    ['Provider', provider?.display_name ?? dispute.provider],
    ['To be answered at', provider?.disputes_at ?? ''],
    ['Reference of the dispute', dispute.reference ?? ''],
    ['Amount', `${moneyText(dispute.amount_minor, dispute.currency)} ${dispute.currency}`],
    ['Reason', `${dispute.reason_code} ${FAMILY_WORDS[familyOf(dispute)].title}`.trim()],
    ['Opened', dispute.opened_at.toISOString()],
    ['Answer due', dispute.due_at?.toISOString() ?? ''],
    ...(order ? factsOf(order) : []),
  ] as const;
  const texts = Object.entries(said).map(
    ([field, text]) => [isTextField(field) ? TEXT_FIELDS[field].label : field, text] as const,
  );
  const listed = kept.map((file, i) => [nameOf(file, i), labelOf(file)] as const);
  const text = [
    ...about.filter(([, value]) => value !== '').map(([label, value]) => `${label}: ${value}\n`),
    ...texts.map(([label, value]) => `\n${label}\n${'-'.repeat(label.length)}\n${value}\n`),
    ...(listed.length === 0 ? [] : ['\nFiles\n-----\n', ...listed.map(([name, label]) => `${name}: ${label}\n`)]),
  ].join('');
  return zip([
    ['answer.txt', [text]],
    ...kept.map((file, i) => [nameOf(file, i), contentOf(tools, whose, file)] as const),
  ]);
}

function factsOf({ order_merchant_id, id, created_at, transactions, winner_id }: OrderFacts) {
  const paid = transactions.find((one) => one.id === winner_id);
  return [
    ['Order', `${order_merchant_id} (${id})`],
    ['Paid', created_at],
    ['Card', paid ? `${paid.payment_method_name} ${paid.first6}...${paid.last4}` : ''],
  ] as const;
}

const labelOf = ({ field }: FileRow) => (isFileField(field) ? FILE_FIELDS[field].label : field);

/**
 * The name of a file in the archive, by its place and field: two files may have the same name, and a name may be
 * anything.
 */
const nameOf = ({ field, type }: FileRow, i: number) =>
  `${String(i + 1).padStart(2, '0')}-${field.replaceAll('_', '-')}.${ENDINGS[type as FileType] ?? 'bin'}`;

async function* contentOf(tools: Tools, whose: Whose, { id }: FileRow): AsyncGenerator<Buffer> {
  const content = await openFile(tools, { ...whose, id });
  if (content) yield content;
}
