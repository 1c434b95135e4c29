// How the merchant answers a dispute: with files, with evidence that is submitted, or by accepting it. As in Stripe's
// test mode, a text in the evidence decides the end: winning_evidence or losing_evidence; without one the bank does not
// decide.
import { type Dispute, type File as Kept, keep } from '../books.ts';
import { invalid } from '../errors.ts';
import { type Form, textIn } from '../form.ts';
import { disputeView } from '../views.ts';
import type { World } from '../world.ts';

const MOST_FILE_BYTES = 5 * 1024 * 1024;
const TYPES: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
]);

type Upload = { readonly purpose: string; readonly type: string; readonly size: number };

/** Reads a form with one file. Each character of `text` is a byte. */
function uploadOf(text: string): Upload | undefined {
  const boundary = /^--([^\r\n]{1,70})\r\n/.exec(text)?.[1];
  const parts = boundary === undefined ? [] : text.split(`--${boundary}`).slice(1, -1);
  const purpose = parts.map((part) => /name="purpose"\r\n\r\n([a-z_]+)\r\n$/.exec(part)?.[1]).find((one) => one);
  const file = parts.find((part) => /name="file"; filename="[^"]+"/.test(part));
  const type = /content-type: ([a-z/]+)/.exec(file ?? '')?.[1];
  const begins = file?.indexOf('\r\n\r\n') ?? -1;
  if (purpose === undefined || type === undefined || !file || begins < 0) return undefined;
  return { purpose, type, size: file.length - begins - '\r\n\r\n\r\n'.length };
}

export function makeFile(world: World, account: string, text: string): Kept {
  const upload = uploadOf(text);
  const type = TYPES.get(upload?.type ?? '');
  if (!upload || type === undefined) throw invalid(null, 'Invalid file: must be a PDF, PNG or JPEG.', 'file');
  if (upload.purpose !== 'dispute_evidence') throw invalid(null, 'Invalid purpose.', 'purpose');
  if (upload.size > MOST_FILE_BYTES) throw invalid(null, 'The file is larger than 5 MB.', 'file');
  const { purpose, size } = upload;
  return keep(world.books.files, { id: world.id('file'), account, created: world.now_s(), purpose, size, type });
}

function requireOpen({ status }: Dispute): void {
  if (status !== 'needs_response') throw invalid(null, `This dispute is ${status} and takes no more evidence.`);
}

export function changeDispute(world: World, dispute: Dispute, form: Form): void {
  requireOpen(dispute);
  const given = form.flatMap(([key, value]) => {
    const name = /^evidence\[(\w+)\]$/.exec(key)?.[1];
    return name === undefined ? [] : [[name, value] as const];
  });
  for (const [name, value] of given)
    if (value.startsWith('file_') && !world.books.files.has(value))
      throw invalid('resource_missing', `No such file upload: '${value}'`, `evidence[${name}]`);
  dispute.evidence = { ...dispute.evidence, ...Object.fromEntries(given) };
  if (textIn(form, 'submit') === 'true') submit(world, dispute);
}

function submit(world: World, dispute: Dispute): void {
  dispute.submissions += 1;
  const said = Object.values(dispute.evidence);
  const end = said.includes('winning_evidence') ? 'won' : said.includes('losing_evidence') ? 'lost' : undefined;
  move(world, dispute, end ?? 'under_review');
}

export function closeDispute(world: World, dispute: Dispute): void {
  requireOpen(dispute);
  move(world, dispute, 'lost');
}

function move(world: World, dispute: Dispute, status: string): void {
  const before = { status: dispute.status };
  dispute.status = status;
  const type = status === 'under_review' ? 'charge.dispute.updated' : 'charge.dispute.closed';
  world.tell({ type, object: disputeView(dispute), account: dispute.account, before });
}
