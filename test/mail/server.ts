// A mail server for tests, on a real socket of this machine: it keeps what it takes, and answers as it is told to.
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { newCertificate } from '../vault/provider.ts';

export type Taken = {
  readonly to: readonly string[];
  readonly raw: string;
  readonly secure: boolean;
  readonly user: string | undefined;
};
/** Codes that a step is answered with instead of being taken. */
export type Behaviour = { readonly sender?: number; readonly recipient?: number; readonly text?: number };

export type MailServer = AsyncDisposable & {
  readonly port: number;
  readonly ca_file: string;
  readonly password_file: string;
  readonly taken: Taken[];
  /** How often somebody tried to. */
  readonly signed_in: number;
  behave(behaviour: Behaviour): void;
  /** Takes the next text and ends the connection before it says so. */
  loseAnswer(): void;
};

type Options = { readonly starttls?: boolean };

export const USER = 'florin';
const PASSWORD = 'a password of the mail server';

export async function mailServer({ starttls = true }: Options = {}): Promise<MailServer> {
  const { cert, key } = newCertificate('localhost');
  const taken: Taken[] = [];
  let behaviour: Behaviour = {};
  let lose = false;
  let signed_in = 0;
  const refused = (code: number | undefined) =>
    code === undefined ? undefined : Object.assign(new Error(`said ${code}`), { responseCode: code });
  const server = new SMTPServer({
    key,
    cert,
    authOptional: true,
    ...(starttls ? {} : { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }),
    onAuth: ({ username, password }, _, done) => {
      signed_in += 1;
      if (username === USER && password === PASSWORD) done(null, { user: username });
      else done(refused(535) ?? null);
    },
    onMailFrom: (_, __, done) => done(refused(behaviour.sender)),
    onRcptTo: (_, __, done) => done(refused(behaviour.recipient)),
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => parts.push(chunk));
      stream.on('end', () => {
        const no = refused(behaviour.text);
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const user = session.user === undefined ? undefined : String(session.user);
        if (!no) taken.push({ to, raw: Buffer.concat(parts).toString(), secure: session.secure, user });
        if (!lose) return done(no ?? null);
        lose = false;
        for (const connection of server.connections) connection.close();
      });
    },
  });
  // a client that breaks off is no fault of the server
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'florin-mail-'));
  const [ca_file, password_file] = [join(folder, 'ca.pem'), join(folder, 'password')];
  writeFileSync(ca_file, cert);
  writeFileSync(password_file, `${PASSWORD}\n`);
  return {
    port: listeningPort(server.server),
    ca_file,
    password_file,
    taken,
    get signed_in() {
      return signed_in;
    },
    behave: (next) => {
      behaviour = next;
    },
    loseAnswer: () => {
      lose = true;
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Settings of a Florin that sends by it. */
export const settingsOf = ({ port, ca_file, password_file }: MailServer) => ({
  FLORIN_SMTP_HOST: 'localhost',
  FLORIN_SMTP_PORT: String(port),
  FLORIN_SMTP_CA_FILE: ca_file,
  FLORIN_SMTP_USER: USER,
  FLORIN_SMTP_PASSWORD_FILE: password_file,
  FLORIN_SMTP_FROM: 'Florin <pay@shop.example>',
});

/** The lines of a mail with what was wrapped for the way put together again. */
export const plainOf = (raw: string) =>
  Buffer.from(
    raw
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');
