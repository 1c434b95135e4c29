// The settings of mails: their rows, and how they are read.
import { type Setting, row } from './forms.ts';

export const MAIL_SETTINGS = {
  FLORIN_SMTP_HOST: row(
    'optional text',
    '',
    'mail server for invitations and notices of reports that are ready, on payment and worker hosts; empty: none, links are handed over by people',
  ),
  FLORIN_SMTP_PORT: row('port', '587', 'port of the mail server'),
  FLORIN_SMTP_TLS: {
    ...row(
      'choice',
      'starttls',
      'how the connection to the mail server is kept private: starttls is insisted on, implicit begins with TLS (port 465), none is for this machine alone',
    ),
    choices: ['starttls', 'implicit', 'none'],
  },
  FLORIN_SMTP_CA_FILE: row(
    'file',
    '',
    "authorities (PEM) that the mail server's certificate leads to; empty: the public ones",
  ),
  FLORIN_SMTP_USER: row('optional text', '', 'name that the mail server is signed in to with; empty: no sign-in'),
  FLORIN_SMTP_PASSWORD_FILE: row('file', '', 'file with the password for the mail server; read again for each mail'),
  FLORIN_SMTP_FROM: row(
    'optional text',
    '',
    'sender of mails: pay@shop.example, or Shop <pay@shop.example>; required with FLORIN_SMTP_HOST',
  ),
} as const satisfies Record<string, Setting>;

/** Empty host: no mail is sent. */
export type MailConfig = ReturnType<typeof mailSettings>;

export function mailSettings(text: (name: keyof typeof MAIL_SETTINGS) => string) {
  return {
    smtp_host: text('FLORIN_SMTP_HOST'),
    smtp_port: Number(text('FLORIN_SMTP_PORT')),
    smtp_tls: (['implicit', 'none'] as const).find((name) => name === text('FLORIN_SMTP_TLS')) ?? 'starttls',
    smtp_ca_file: text('FLORIN_SMTP_CA_FILE'),
    smtp_user: text('FLORIN_SMTP_USER'),
    smtp_password_file: text('FLORIN_SMTP_PASSWORD_FILE'),
    smtp_from: text('FLORIN_SMTP_FROM'),
  } as const;
}
