// Passwords: argon2id (RFC 9106) of Node's own crypto, kept as a PHC text so that the costs can be raised later.
import { spawn } from 'node:child_process';
import { argon2, secureHeapUsed, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { fewAtOnce } from './few-at-once.ts';

/** docs/hardening.md: 19 MiB, t = 2, p = 1. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;

/**
 * The text to keep: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, base64 without padding. `salt`: 16 random bytes. `from`:
 * the address that asks.
 */
export async function hashPassword(password: string, salt: Uint8Array, from: string): Promise<string> {
  const tag = await derive(password, { salt, ...COST }, from);
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${plain(salt)}$${plain(tag)}`;
}

/**
 * Is it the password of this text? With no text at all the same work is done and the answer is no, so that a caller
 * does not learn from the time whether there is such a person. `from`: the address that asks; a Refusal where too many
 * ask from there.
 */
export async function isPassword(password: string, kept: string | undefined, from: string): Promise<boolean> {
  const [, costs = '', salt = '', tag = ''] = FORM.exec(kept ?? NOBODY) ?? [];
  const [memory = 0, passes = 0, parallelism = 0] = costs.split(',').map((cost) => Number(cost.slice(2)));
  const wanted = Buffer.from(tag, 'base64');
  const costs_of_kept = { memory, passes, parallelism, tagLength: wanted.length };
  const given = await derive(password, { salt: Buffer.from(salt, 'base64'), ...costs_of_kept }, from);
  return timingSafeEqual(given, wanted) && kept !== undefined;
}

/** Two texts of which one was given a moment ago by the person themselves: no time tells anything. */
export const isSamePassword = (one: string, other: string): boolean => asOne(one) === asOne(other);

/** The same characters in whichever form a keyboard sends them. */
const asOne = (password: string) => password.normalize('NFKC');

const FORM = /^\$argon2id\$v=19\$(m=\d+,t=\d+,p=\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
const NOBODY = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${plain(Buffer.alloc(16))}$${plain(Buffer.alloc(32))}`;

function plain(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '');
}

type Costs = {
  readonly salt: Uint8Array;
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly tagLength: number;
};

/** Each takes a thread of the process's four or a process of its own, and any client may try a password. */
const inTurn = fewAtOnce({ most: 2, share: 16, waiting: 512, busy: 'too many are signing in at once' });

function derive(password: string, costs: Costs, from: string): Promise<Buffer> {
  return inTurn(from, () => deriveNow(password, costs));
}

function deriveNow(password: string, { salt, ...costs }: Costs): Promise<Buffer> {
  const message = asOne(password);
  if (secureHeapUsed().total > 0) return deriveApart({ message, nonce: plain(salt), ...costs });
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message, nonce: salt, ...costs }, (error, tag) => (error ? reject(error) : resolve(tag)));
  });
}

/**
 * In a process without a secure heap (derive.ts), which gets this one password, by its standard input, and nothing
 * else.
 */
async function deriveApart(parameters: object): Promise<Buffer> {
  const program = fileURLToPath(new URL('derive.ts', import.meta.url));
  const child = spawn(process.execPath, [program], { env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(child, 'close');
  child.stdin.end(JSON.stringify(parameters));
  const tag = Buffer.from(await text(child.stdout), 'base64');
  await ended;
  if (child.exitCode !== 0) throw new Error('a password could not be hashed');
  return tag;
}
