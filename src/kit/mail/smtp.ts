// Sends one mail by SMTP. What came of it is one of three: taken, refused for good, or to be tried again.
import { readFile } from 'node:fs/promises';
import { type Letter, htmlOf, subjectOf, textOf } from './letter.ts';

export type SmtpSettings = {
  readonly host: string;
  readonly port: number;
  readonly tls: 'starttls' | 'implicit' | 'none';
  /** Empty: the authorities that Node knows. */
  readonly ca_file: string;
  /** Empty: no sign-in. */
  readonly user: string;
  /** Read again for each mail. */
  readonly password_file: string;
  readonly from: { readonly name: string; readonly address: string };
};

export type Mailing = { readonly id: string; readonly to: string; readonly letter: Letter };
export type Mailed =
  | { readonly kind: 'taken' }
  /** By the receiver's server: this mail to this address. */
  | { readonly kind: 'refused'; readonly says: string }
  | { readonly kind: 'again'; readonly says: string };

export type Mailer = {
  send(mailing: Mailing): Promise<Mailed>;
  /** Undefined: the server took the connection and the sign-in. */
  trouble(): Promise<string | undefined>;
};

/** Each waits for so long and no longer; a server that answers a byte now and then is cut off, too. */
const PATIENCE: Patience = { answer_ms: 15_000, whole_ms: 60_000 };
type Patience = { readonly answer_ms: number; readonly whole_ms: number };

export function smtpMailer(settings: SmtpSettings, patience = PATIENCE): Mailer {
  const within = <T>(work: (line: Line) => Promise<T>) => onLine({ ...settings, ...patience }, work);
  return {
    send: (mailing) =>
      within(async ({ sendMail }) => {
        await sendMail(mailing);
        return { kind: 'taken' } as const;
      }).catch(whatCame),
    trouble: () =>
      within(async ({ verify }) => {
        await verify();
        return undefined;
      }).catch((error: unknown) => saysOf(error)),
  };
}

type Line = { sendMail(mailing: Mailing): Promise<void>; verify(): Promise<void> };

async function onLine<T>(settings: SmtpSettings & Patience, work: (line: Line) => Promise<T>): Promise<T> {
  const { answer_ms, whole_ms } = settings;
  const { host, port, tls, ca_file, user, password_file, from } = settings;
  // only a worker that has something to send pays for loading it
  const { createTransport } = await import('nodemailer');
  const password = user === '' ? '' : (await readFile(password_file, 'utf8')).trim();
  const transport = createTransport({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(user !== '' && { auth: { user, pass: password } }),
    tls: { minVersion: 'TLSv1.2', ...(ca_file !== '' && { ca: await readFile(ca_file) }) },
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: answer_ms,
    greetingTimeout: answer_ms,
    socketTimeout: answer_ms,
    dnsTimeout: answer_ms,
  });
  const limit = AbortSignal.timeout(whole_ms);
  const late = new Promise<never>((_, reject) => {
    limit.addEventListener('abort', () => {
      transport.close();
      reject(new Error('the server took too long'));
    });
  });
  const sendMail = async ({ id, to, letter }: Mailing) => {
    await transport.sendMail({
      // the same for each try: who gets it twice can tell
      messageId: `<${id}@${from.address.split('@')[1] ?? ''}>`,
      from,
      envelope: { from: from.address, to: [to] },
      to: { name: '', address: to },
      subject: subjectOf(letter),
      text: textOf(letter),
      html: htmlOf(letter),
      headers: { 'auto-submitted': 'auto-generated' },
    });
  };
  const verify = async () => void (await transport.verify());
  try {
    return await Promise.race([work({ sendMail, verify }), late]);
  } finally {
    transport.close();
  }
}

/** 5xx to the recipient or the text is about this mail. An error of the sign-in or the sender will be fixed. */
function whatCame(error: unknown): Mailed {
  const { code, responseCode, command } = partsOf(error);
  const about_this = code === 'EMESSAGE' || (code === 'EENVELOPE' && command !== 'MAIL FROM');
  const kind = about_this && responseCode >= 500 && responseCode < 600 ? 'refused' : 'again';
  return { kind, says: saysOf(error) };
}

function partsOf(error: unknown) {
  const of = (name: string): unknown => (error instanceof Error ? Reflect.get(error, name) : undefined);
  return { code: of('code'), responseCode: Number(of('responseCode') ?? 0), command: of('command') };
}

/** In one line, and not at any length: a server's words are not ours. */
function saysOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/[\p{Cc}\s]+/gu, ' ').slice(0, 200);
}
