// florin trigger EVENT: makes an event happen in a running sandbox, by the calls that a merchant makes.
import { StartError } from '../../kit/start-error.ts';
import { readWords } from '../arguments.ts';
import { tableOf } from '../ledger/table.ts';
import { type Made, TRIGGERS } from './events.ts';
import { type Merchant, codeOf, isJson, openMerchant } from './session.ts';

const USAGE = `florin trigger EVENT    without an event: all there are
  --key KEY    a private key; the demo account's unless given`;

export async function triggerCommand(args: readonly string[]): Promise<void> {
  const words = readWords(args, { usage: USAGE, texts: ['key'] });
  const [event, ...more] = words.rest;
  if (event === undefined || more.length > 0) {
    console.log(`Usage: ${USAGE}\n\n${eventsText()}`);
    if (more.length > 0) process.exitCode = 1;
    return;
  }
  const trigger = Object.hasOwn(TRIGGERS, event) ? TRIGGERS[event] : undefined;
  if (!trigger) throw new StartError(`There is no event ${event}. There are:\n\n${eventsText()}`);
  const merchant = openMerchant(words.text('key'));
  console.log(`${event}: ${trigger.says}`);
  const made = await trigger.run(merchant);
  const stands = await statusOf(merchant, made);
  console.log(`\n${made.what}  ${made.id}${stands === undefined ? '' : `\nstatus  ${stands}`}\n\nNext:`);
  for (const step of [trigger.next, ...stepsOf(merchant, made)])
    if (step !== undefined) console.log(`  ${step.replace(/\bID\b/, made.id)}`);
  if (trigger.status === undefined || stands?.split(' ')[0] === trigger.status) return;
  console.log(`\nIt should stand at ${trigger.status}. Is another scenario armed? florin scenario says so.`);
  process.exitCode = 1;
}

function eventsText(): string {
  const rows = Object.entries(TRIGGERS).map(([name, { says }]) => [name, says]);
  return tableOf([{ title: 'event' }, { title: 'by' }], rows);
}

/** The status with its code; undefined if it has none. */
async function statusOf(merchant: Merchant, { what, id }: Made): Promise<string | undefined> {
  if (what === 'customer') return undefined;
  const body = await merchant.get(`/payment/${what}/${id}`);
  const of = what === 'checkout' && isJson(body['checkout']) ? body['checkout'] : body;
  return `${String(of['status'])} (${codeOf(body)})`;
}

function stepsOf({ base_url }: Merchant, { what, id }: Made): readonly string[] {
  if (what === 'customer') return [`GET ${base_url}/payment/information/${id}`];
  return [...(what === 'order' ? [`florin order show ${id}`] : []), `GET ${base_url}/payment/${what}/${id}`];
}
