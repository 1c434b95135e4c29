// However a connection ends, what came of a body over it is overwritten: it may be that of a card. Every piece that
// Node's parser makes of a body is looked at, and every packet that it could not read and copied for who hears of it.
import { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { GOOD_CARD, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { FORMS, LARGE_FORMS, type Target, open, whole } from './forms.ts';

const pieces: Buffer[] = [];
let w: World;
let vault_port = 0;
/** The simulated bank listens in this process too; a connection that is gone has no port any more. */
const isVault = ({ localPort = vault_port }: Socket) => localPort === vault_port;
const { push } = IncomingMessage.prototype;
vi.spyOn(IncomingMessage.prototype, 'push').mockImplementation(function (this: IncomingMessage, piece: unknown) {
  // requests alone, not the answers that Node's own clients hear in this process
  if (Buffer.isBuffer(piece) && this.method !== null && isVault(this.socket)) pieces.push(piece);
  return Reflect.apply(push, this, [piece]);
});
const { emit } = Server.prototype;
vi.spyOn(Server.prototype, 'emit').mockImplementation(function (this: Server, ...told: unknown[]) {
  const [name, error] = told;
  if (name === 'clientError' && error instanceof Error && 'rawPacket' in error && Buffer.isBuffer(error.rawPacket))
    pieces.push(error.rawPacket);
  return Reflect.apply(emit, this, told) === true;
});

beforeAll(async () => {
  w = await world();
  vault_port = Number(new URL(w.service.addresses.vault_url).port);
});
afterAll(() => w[Symbol.asyncDispose]());

const target = (): Target => ({
  url: w.service.addresses.vault_url,
  method: 'POST',
  path: '/token',
  headers: { 'content-type': 'application/json', 'x-api-key': w.keys.public_key },
  body: JSON.stringify(GOOD_CARD),
});

/** Digits: those of the card, or of the head of a packet. */
const left = () => pieces.filter((piece) => /\d/.test(piece.toString('latin1')));

async function expectOverwritten(form: string): Promise<void> {
  // what was sent before has come by the time this is answered
  await fetch(new URL('/health', target().url));
  await until(async () => (left().length === 0 ? true : undefined)).catch(() => undefined);
  expect.soft(left().map(String), form).toEqual([]);
  pieces.length = 0;
}

test('the received bytes of a body are overwritten, however its connection ends', async () => {
  for (const { name, play } of [...FORMS, ...LARGE_FORMS]) {
    await play(target(), Promise.resolve());
    await expectOverwritten(name);
  }
});

test('a body whose caller went away while its key was looked at is overwritten', async () => {
  const one = target();
  await w.sql('BEGIN');
  await w.sql('LOCK TABLE vault.api_keys IN ACCESS EXCLUSIVE MODE');
  for (const part of [whole(one), whole(one).slice(0, -20)]) {
    const socket = await open(one);
    await new Promise<void>((resolve) => {
      socket.write(part.replace(w.keys.public_key, 'FL_PUB_unknown'), () => resolve());
    });
    socket.destroy();
  }
  await fetch(new URL('/health', one.url));
  // beside those of the wash, which are large
  expect(pieces.filter(({ length }) => length <= one.body.length)).toHaveLength(2);
  await w.sql('COMMIT');
  await expectOverwritten('left');
});

test('a chunk that cannot be read leaves nothing of those before it', async () => {
  const one = target();
  const socket = await open(one);
  const head = whole(one).split('\r\n\r\n')[0] ?? '';
  const chunks = `${one.body.length.toString(16)}\r\n${one.body}\r\nzz\r\n`;
  socket.write(`${head.replace(/content-length: \d+/, 'transfer-encoding: chunked')}\r\n\r\n${chunks}`);
  await new Promise((resolve) => {
    socket
      .on('close', resolve)
      .on('end', () => socket.end())
      .resume();
  });
  await expectOverwritten('a chunk of no size');
});
