// The doctor's checks of mail: whether the server accepts a connection and the sign-in, and, if a test mail is asked
// for, whether it accepts that.
import { smtpOf } from '../../hosts/mail.ts';
import { type Chance } from '../../kit/clock.ts';
import { isMailbox } from '../../kit/mail/mailbox.ts';
import { smtpMailer } from '../../kit/mail/smtp.ts';
import { StartError } from '../../kit/start-error.ts';
import type { Config } from '../../settings/config.ts';
import { type Finding, ok, problem } from './finding.ts';

const CHECK = 'mail';
const FIX = 'See the settings FLORIN_SMTP_… and the log of the mail server. Mails wait meanwhile, and are tried again.';

/** `to`: the address for a test mail; without one no mail is sent. */
export async function lookAtMail(config: Config, chance: Pick<Chance, 'id'>, to?: string): Promise<Finding> {
  const settings = smtpOf(config);
  if (to !== undefined && !isMailbox(to)) throw new StartError(`${to} is no address that a mail is sent to.`);
  if (!settings) {
    const says = 'no mail server is set: links are handed over by people';
    return to === undefined ? ok(CHECK, says) : problem(CHECK, says, 'Set FLORIN_SMTP_HOST and FLORIN_SMTP_FROM.');
  }
  const mailer = smtpMailer(settings);
  const at = `${settings.host}:${settings.port}`;
  if (to === undefined) {
    const trouble = await mailer.trouble();
    return trouble === undefined ? ok(CHECK, `${at} takes mails`) : problem(CHECK, `${at}: ${trouble}`, FIX);
  }
  const letter = {
    subject: 'Test mail of Florin',
    paragraphs: ['This mail was sent to see whether mails arrive. They do.'],
    why: 'You get this mail because somebody ran florin doctor --mail with your address.',
  };
  const came = await mailer.send({ id: chance.id(), to, letter });
  return came.kind === 'taken'
    ? ok(CHECK, `${at} took a test mail to ${to}`)
    : problem(CHECK, `${at} did not take a test mail to ${to}: ${came.says}`, FIX);
}
