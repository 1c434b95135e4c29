// The messages between a client and a PostgreSQL server, as far as a way between the two reads and writes them.

/** The name of a server's socket in its folder. */
export const SOCKET = '.s.PGSQL.5432';

export type Message = { readonly type: string; readonly whole: Buffer };

/** A letter for the type, and the length of what follows. */
export const HEAD = 5;

/** Takes the whole messages from the front of what came. */
export function messagesIn(bytes: Buffer): { readonly messages: readonly Message[]; readonly rest: Buffer } {
  const messages: Message[] = [];
  let at = 0;
  while (bytes.length - at >= HEAD && bytes.length - at > bytes.readInt32BE(at + 1)) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    messages.push({ type: bytes.toString('latin1', at, at + 1), whole: bytes.subarray(at, end) });
    at = end;
  }
  return { messages, rest: bytes.subarray(at) };
}

/** Of a Bind: the name of the portal, then that of the statement. */
export function nameIn(whole: Buffer): string {
  const from = whole.indexOf(0, HEAD) + 1;
  return whole.toString('utf8', from, whole.indexOf(0, from));
}

export function written(type: string, text: string): Buffer {
  const bytes = Buffer.from(`${type}0000${text}`, 'latin1');
  bytes.writeInt32BE(bytes.length - 1, 1);
  return bytes;
}

/** The server's refusal of a round trip; it waits for the next one, in a transaction that has failed or in none. */
export function refusal(code: string, in_transaction: boolean): Buffer {
  const error = written('E', `SERROR\0VERROR\0C${code}\0M${MEANINGS[code] ?? code}\0\0`);
  return Buffer.concat([error, written('Z', in_transaction ? 'E' : 'I')]);
}

const MEANINGS: Readonly<Record<string, string>> = {
  '40001': 'could not serialize access',
  '40P01': 'deadlock detected',
  '53100': 'No space left on device',
  '57014': 'canceling statement due to statement timeout',
};
