// Started by password.ts as a process of its own, for one password: argon2 takes its memory from OpenSSL's secure heap
// where there is one, and that of the service is far too small for it.
import { argon2Sync } from 'node:crypto';
import { text } from 'node:stream/consumers';

const { message, nonce, memory, passes, parallelism, tagLength } = JSON.parse(await text(process.stdin)) as Readonly<
  Record<'message' | 'nonce', string> & Record<'memory' | 'passes' | 'parallelism' | 'tagLength', number>
>;
const parameters = { message, nonce: Buffer.from(nonce, 'base64'), memory, passes, parallelism, tagLength };
process.stdout.write(argon2Sync('argon2id', parameters).toString('base64'));
