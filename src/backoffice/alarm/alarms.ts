// Alarms by mail: what needs a person goes to the people who asked for it, each alarm once a day and person. Days are
// those of UTC.
import { DAY_MS, HOUR_MS } from '../../core/durations.ts';
import { sha256 } from '../../kit/crypto.ts';
import { withTransaction } from '../../kit/database.ts';
import type { Letter } from '../../kit/mail/letter.ts';
import { maskDigits } from '../../core/digits.ts';
import { whyNoMail, writeMail } from '../../payment/mail/write.ts';
import type { Tools } from '../../payment/tools.ts';
import { heldRole, mayRole } from '../rights.ts';
import type { Needs } from '../wire/overview.ts';
import { needsOf } from './needs.ts';
import { findAlarmAccounts, findToldToday, listAlarmed } from './store.ts';

export type Alarm = {
  /** A name that stays the same from day to day, as long as the trouble is the same. */
  readonly name: string;
  readonly subject: string;
  readonly text: string;
  /** The page of the back office to look at. */
  readonly path: string;
};

/** Most doubt ends by itself within minutes. */
const DOUBT_MS = HOUR_MS;
/** So long before its end a dispute calls. */
const DUE_MS = 3 * DAY_MS;
const DAY_HOURS = 24;

/** The alarms by mail among the things that need a person. Pure. */
export function alarmsOf(needs: Needs, now: Date): readonly Alarm[] {
  const { in_doubt, disputes, findings, refunds_waiting, notifications, providers, keys_ending } = needs;
  const old = in_doubt.filter(({ oldest_at }) => oldest_at !== null && ageMs(oldest_at, now) >= DOUBT_MS);
  const due = disputes.filter(({ next_due_at }) => -ageMs(next_due_at, now) <= DUE_MS);
  const { failing_endpoints: failing, waiting } = notifications;
  return [
    ...some(total(due), (count) => ({
      name: 'disputes',
      subject: `${counted(count, 'dispute has', 'disputes have')} to be answered soon`,
      text: `${counted(count, 'dispute waits', 'disputes wait')} for an answer. What is not answered in time is lost.`,
      path: '/disputes',
    })),
    ...some(total(old), (count) => ({
      name: 'in doubt',
      subject: `The outcome of ${counted(count, 'payment', 'payments')} is not known`,
      text: `What became of ${counted(count, 'operation', 'operations')} has not been known for an hour or longer. Florin goes on asking; a person can look at the provider.`,
      path: '/in-doubt',
    })),
    ...some(total(findings), (count) => ({
      name: 'findings',
      subject: `${counted(count, "difference from a provider's books is", "differences from providers' books are")} open`,
      text: `A reconciliation found them. Each stays open until a later file agrees, or a person has said what it is.`,
      path: '/findings',
    })),
    ...some(refunds_waiting, (count) => ({
      name: 'refunds',
      subject: `${counted(count, 'refund waits', 'refunds wait')} for a second person`,
      text: `${counted(count, 'refund', 'refunds')} above your limit can be sent once another person has agreed.`,
      path: '/in-doubt',
    })),
    ...some(failing, (count) => ({
      name: 'notifications',
      subject: `${counted(count, 'notification endpoint', 'notification endpoints')} cannot be reached`,
      text: `${counted(waiting, 'notification waits', 'notifications wait')}: your shop does not hear what becomes of its payments until its endpoint answers again.`,
      path: '/notifications',
    })),
    ...providers
      .filter(({ health }) => health === 'down')
      .map(({ name }) => ({
        name: `provider ${name}`,
        subject: `The provider ${name} does not respond`,
        text: `New payments go to other providers where your contracts and rules allow it, and are declined where they do not.`,
        path: '/providers',
      })),
    ...some(keys_ending.length, (count) => ({
      name: 'keys',
      subject: `${counted(count, 'API key ends', 'API keys end')} within three days`,
      text: `You rolled ${count === 1 ? 'this key' : 'these keys'}: ${keys_ending.map(({ label }) => label).join(', ')}. What still uses the old text is refused from then on.`,
      path: '/keys',
    })),
  ];
}

const ageMs = (at: string, now: Date) => now.getTime() - new Date(at).getTime();
const total = (rows: readonly { readonly count: number }[]) => rows.reduce((sum, { count }) => sum + count, 0);
const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
const some = (count: number, make: (count: number) => Alarm) => (count === 0 ? [] : [make(count)]);

/** Writes the mails that are due now. */
export async function tellAlarms(tools: Tools): Promise<void> {
  if (tools.mail.way === 'none') return;
  for (const merchant_account_id of await findAlarmAccounts(tools.db))
    await tellOf(tools, merchant_account_id).catch((error: unknown) =>
      tools.log.error({ merchant_account_id, error: String(error) }, 'alarms of an account were not mailed'),
    );
}

async function tellOf(tools: Tools, merchant_account_id: string): Promise<void> {
  const db = tools.db.tenant(merchant_account_id);
  const now = tools.clock.now();
  const alarms = alarmsOf(await needsOf(tools, db), now);
  if (alarms.length === 0) return;
  const day = now.toISOString().slice(0, 10);
  const ids = alarms.map((alarm) => ({ alarm, about_id: sha256(`alarm|${alarm.name}|${day}`).slice(0, 24) }));
  const people = (await listAlarmed(db)).filter(
    (one) => mayRole(heldRole(one), 'read') && (one.address_proved || tools.mail.way === 'kept'),
  );
  const told = await findToldToday(
    db,
    ids.map(({ about_id }) => about_id),
  );
  for (const { email, account } of people)
    for (const { alarm, about_id } of ids) {
      if (told.some((one) => one.about_id === about_id && one.address === email)) continue;
      await withTransaction(tools.db, merchant_account_id, async (tx) => {
        if ((await whyNoMail(tools, tx, email)) !== undefined) return;
        const letter = letterOf(tools, alarm, account);
        await writeMail(tools, tx, { kind: 'alarm', about_id, to: email, letter, hours: DAY_HOURS });
      });
    }
}

function letterOf({ addresses }: Pick<Tools, 'addresses'>, { subject, text, path }: Alarm, account: string): Letter {
  return {
    subject: `${account}: ${subject}`,
    // a key's label may be older than the rule that it holds no card number: the alarm is told all the same
    paragraphs: [maskDigits(text)],
    link: { text: 'Look at it', url: `${addresses.backoffice_url}${path}` },
    why: `You get this mail because you asked for alarms of ${account} on the page Password and security. Switch them off there, and no more will come.`,
  };
}
