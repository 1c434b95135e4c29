// Writes a mail into the table that the worker sends from, in the commit of what it tells. The letter is sealed: a link
// in it lets in.
import { holdsCardNumber } from '../../core/card.ts';
import { open, seal } from '../../kit/crypto.ts';
import type { TenantRunner } from '../../kit/database.ts';
import type { Letter } from '../../kit/mail/letter.ts';
import { isMailbox } from '../../kit/mail/mailbox.ts';
import { mailSealing } from '../sealings.ts';
import type { Tools } from '../tools.ts';
import { type MailKind, type MailRow, countMails, insertMail } from './store.ts';

/** The most mails of an account in an hour. */
const MOST_AN_HOUR = 100;

export type MailToWrite = {
  readonly kind: MailKind;
  readonly about_id: string;
  readonly to: string;
  readonly letter: Letter;
  readonly hours: number;
};

/** Why this address is not written to now, in words; undefined: it can be. */
export async function whyNoMail({ mail }: Pick<Tools, 'mail'>, tx: TenantRunner, to: string) {
  if (mail.way === 'none') return 'no mail server is set';
  if (!isMailbox(to)) return 'no mail is sent to an address of this form';
  if ((await countMails(tx)) >= MOST_AN_HOUR) return `${MOST_AN_HOUR} mails were written in the last hour`;
  return undefined;
}

type Writing = Pick<Tools, 'mail' | 'chance' | 'secret_key'>;

export async function writeMail(tools: Writing, tx: TenantRunner, mail: MailToWrite): Promise<void> {
  const { kind, about_id, to, letter, hours } = mail;
  const text = JSON.stringify(letter);
  if (holdsCardNumber(text)) throw new Error('a letter with a card number is not written');
  const id = tools.chance.id();
  const sealing = mailSealing(tools.secret_key, tx.merchant_account_id, id);
  const sealed = seal(Buffer.from(text), tools.chance.bytes(12), sealing);
  const state = tools.mail.way === 'sent' ? 'waiting' : 'kept';
  await insertMail(tx, { id, kind, about_id, address: to, sealed, state, hours });
}

export function openLetter(
  { secret_key }: Pick<Tools, 'secret_key'>,
  merchant_account_id: string,
  { id, sealed }: Pick<MailRow, 'id' | 'sealed'>,
): Letter {
  return JSON.parse(
    open(Buffer.from(sealed, 'hex'), mailSealing(secret_key, merchant_account_id, id)).toString('utf8'),
  ) as Letter;
}
