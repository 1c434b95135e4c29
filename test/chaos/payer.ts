// A payer whose bank wants to see them, in the middle of it all: follows the forms, asks again where nobody answers,
// and gives up after a while, as payers do.
import { type Seen, formOf, open } from '../authentication/payer.ts';
import { type Driver, pause, readOrder } from './ask.ts';
import type { Chance } from './chance.ts';

export type Acting = {
  readonly order_id: string;
  /** A code, or cancel, or nothing at all. */
  readonly act: string;
};

const TRIES = 25;
const AGAIN_MS = 250;
const LOOKS = 40;

export async function actAsPayer(driver: Driver, chance: Chance, { order_id, act }: Acting): Promise<void> {
  const url = await redirectOf(driver, chance, order_id);
  if (url === undefined || act === 'nothing') return;
  for (let tries = 0; tries < TRIES && !driver.isAborted(); tries++) {
    try {
      if (await walk(url, act)) return;
    } catch {
      // nobody was there, or a page was of the past: the payer loads it again
    }
    await pause(AGAIN_MS + chance.between(0, AGAIN_MS));
  }
}

/** True: the payer is through. */
async function walk(url: string, act: string): Promise<boolean> {
  const first = await open(url);
  if (!isWaiting(first)) return true;
  const page = first.html.includes('id="method"') ? await open(formOf(first, 'on').action, {}) : first;
  if (!page.html.includes('id="bank"')) return !isWaiting(page);
  const { action, fields } = formOf(page, 'bank');
  const bank = await open(action, fields);
  const decided = bank.html.includes('id="back"')
    ? bank
    : await open(bank.url, act === 'cancel' ? { action: 'cancel' } : { action: 'verify', code: act });
  const back = formOf(decided, 'back');
  return !isWaiting(await open(back.action, back.fields));
}

/** A page of ours that leads on: to the bank, or by looking again. */
const isWaiting = ({ html, status }: Seen): boolean =>
  status >= 500 || html.includes('id="bank"') || html.includes('id="method"');

async function redirectOf(driver: Driver, chance: Chance, order_id: string): Promise<string | undefined> {
  for (let looks = 0; looks < LOOKS && !driver.isAborted(); looks++) {
    const body = (await readOrder(driver, chance, order_id))?.body;
    const { redirect_url, status } = body ?? {};
    if (typeof redirect_url === 'string') return redirect_url;
    if (status !== undefined && status !== 'created' && status !== 'authorization_requested') return undefined;
    await pause(AGAIN_MS);
  }
  return undefined;
}
