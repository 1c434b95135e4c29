// florin clock: shows a sandbox's clock, and moves it ahead (contract 15.4).
import { readDatetime } from '../../core/dates.ts';
import { DAY_S, HOUR_S } from '../../core/durations.ts';
import { StartError } from '../../kit/start-error.ts';
import { readWords } from '../arguments.ts';
import { ageText } from '../ledger/table.ts';
import { type Json, openMerchant } from './session.ts';

const USAGE = `florin clock                      where it stands, and when something is due next
       florin clock advance SPAN        ahead by 90s, 30m, 12h, 3d, 2w, or several: 1d12h
       florin clock to TIME             ahead to 2026-12-24 or 2026-12-24T08:00:00Z
  --key KEY    a private key; the demo account's unless given

  One clock for the whole deployment: all that is due on the way happens, in the order of time. It never goes back.`;

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: HOUR_S, d: DAY_S, w: 7 * DAY_S };

export async function clockCommand(args: readonly string[]): Promise<void> {
  const words = readWords(args, { usage: USAGE, texts: ['key'] });
  const [verb, value, ...more] = words.rest;
  if (more.length > 0) throw new StartError(`Usage: ${USAGE}`);
  const body = bodyOf(verb, value);
  const merchant = openMerchant(words.text('key'));
  const moved = body && (await merchant.get('/sandbox/clock/advance', { body }));
  console.log(clockText(await merchant.get('/sandbox/clock')));
  if (moved?.['settled'] === false)
    console.log('\nThere is much to do on the way, and it goes on: florin clock says how far it is.');
}

function bodyOf(verb: string | undefined, value: string | undefined): object | undefined {
  if (verb === undefined) return undefined;
  if (verb === 'advance' && value !== undefined) return { seconds: secondsOf(value) };
  if (verb === 'to' && value !== undefined) {
    const to = readDatetime(value);
    if (to === undefined) throw new StartError(`${value} is no time: 2026-12-24 or 2026-12-24T08:00:00Z is one.`);
    return { to };
  }
  throw new StartError(`Usage: ${USAGE}`);
}

/** 3d, 1d12h, 90s as seconds; throws a StartError if the text is no span. */
export function secondsOf(span: string): number {
  const parts = [...span.matchAll(/(\d{1,9})([smhdw])/g)];
  const seconds = parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0), 0);
  if (parts.map(([text]) => text).join('') !== span || seconds < 1)
    throw new StartError(`${span} is no span: 90s, 30m, 12h, 3d, 2w and 1d12h are.`);
  return seconds;
}

function clockText({ now, offset_seconds, next_due }: Json): string {
  const offset = Number(offset_seconds);
  const ahead = offset === 0 ? 'the real time' : `${ageText(offset)} ahead of the real time`;
  const next = typeof next_due === 'string' ? `${next_due}, in ${ageText(between(now, next_due))}` : 'nothing waits';
  return `now       ${String(now)}   ${ahead}\nnext due  ${next}`;
}

function between(from: unknown, to: string): number {
  return Math.max(0, (Date.parse(to) - Date.parse(String(from))) / 1000);
}
