// Passwords: argon2id (RFC 9106) of Node's own crypto, kept as a PHC text so that the costs can be raised later.
import { type Argon2Parameters, argon2, timingSafeEqual } from 'node:crypto';

/** targets.md 11: 19 MiB, t = 2, p = 1. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;

/** The text to keep: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, base64 without padding. `salt`: 16 random bytes. */
export async function hashPassword(password: string, salt: Uint8Array): Promise<string> {
  const tag = await derive(password, { salt, ...COST });
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${plain(salt)}$${plain(tag)}`;
}

/**
 * Is it the password of this text? With no text at all the same work is done and the answer is no, so that nobody learns from the
 * time whether there is such a person.
 */
export async function isPassword(password: string, kept: string | undefined): Promise<boolean> {
  const [, costs = '', salt = '', tag = ''] = FORM.exec(kept ?? NOBODY) ?? [];
  const [memory = 0, passes = 0, parallelism = 0] = costs.split(',').map((cost) => Number(cost.slice(2)));
  const wanted = Buffer.from(tag, 'base64');
  const given = await derive(password, {
    salt: Buffer.from(salt, 'base64'),
    ...{ memory, passes, parallelism, tagLength: wanted.length },
  });
  return timingSafeEqual(given, wanted) && kept !== undefined;
}

const FORM = /^\$argon2id\$v=19\$(m=\d+,t=\d+,p=\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
const NOBODY = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${plain(Buffer.alloc(16))}$${plain(Buffer.alloc(32))}`;

function plain(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}

type Costs = {
  readonly salt: Uint8Array;
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly tagLength: number;
};

function derive(password: string, { salt, ...costs }: Costs): Promise<Buffer> {
  // the same characters in whichever form a keyboard sends them
  const parameters: Argon2Parameters = { message: password.normalize('NFKC'), nonce: salt, ...costs };
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, tag) => (error ? reject(error) : resolve(tag)));
  });
}
