// How mails are sent by the settings: through a mail server, or kept in a sandbox.
import { readSender } from '../kit/mail/mailbox.ts';
import { type SmtpSettings, smtpMailer } from '../kit/mail/smtp.ts';
import type { Mail } from '../payment/tools.ts';
import type { Config } from '../settings/config.ts';

export function mailOf(config: Config): Mail {
  const settings = smtpOf(config);
  if (settings) return { way: 'sent', mailer: smtpMailer(settings) };
  return { way: config.environment === 'sandbox' ? 'kept' : 'none' };
}

/** Undefined: no mail server is set. */
export function smtpOf(config: Config): SmtpSettings | undefined {
  const from = readSender(config.smtp_from);
  if (config.smtp_host === '' || !from) return undefined;
  return {
    host: config.smtp_host,
    port: config.smtp_port,
    tls: config.smtp_tls,
    ca_file: config.smtp_ca_file,
    user: config.smtp_user,
    password_file: config.smtp_password_file,
    from,
  };
}
