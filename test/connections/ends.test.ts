// However a connection ends, what was counted for it is given back: the running requests of a key (contract 2.10) and
// the gauge of running requests, on every host that counts.
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exposition } from '../../src/kit/metrics/registry.ts';
import { CHECKOUT, GOOD_CARD, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { FORMS, SLOW_FORMS, type Target, open, whole } from './forms.ts';

const AT_ONCE = Promise.resolve();
const RUNNING = 4;
/** Together more requests than a key may have running. */
const ROUNDS = 2;
/** Longer than any of the hosts' time limits, and the moment in which they are looked at. */
const SLOW_S = 25;

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_REQUESTS_RUNNING: String(RUNNING) });
});
afterAll(() => w[Symbol.asyncDispose]());

type HostOfTest = {
  readonly name: string;
  /** What a request of the target waits for while it is locked. */
  readonly table: string;
  /** Counted by its key, too. */
  readonly keyed: boolean;
  target(): Target;
};

const json = { 'content-type': 'application/json' };
const HOSTS: readonly HostOfTest[] = [
  {
    name: 'payment API',
    table: 'payment.checkouts',
    keyed: true,
    target: () => ({
      url: w.service.addresses.base_url,
      method: 'POST',
      path: '/payment/checkout',
      headers: { ...json, 'x-api-key': w.keys.private_key },
      body: JSON.stringify(CHECKOUT),
    }),
  },
  {
    name: 'vault',
    table: 'vault.cards',
    keyed: true,
    target: () => ({
      url: w.service.addresses.vault_url,
      method: 'POST',
      path: '/token',
      headers: { ...json, 'x-api-key': w.keys.public_key },
      body: JSON.stringify(GOOD_CARD),
    }),
  },
  {
    name: 'back office',
    table: 'payment.sessions',
    keyed: false,
    target: () => ({
      url: w.service.addresses.backoffice_url,
      method: 'POST',
      path: '/api/session/account',
      headers: { ...json, cookie: `florin_session=${'0'.repeat(43)}` },
      body: '{"account_id":"x"}',
    }),
  },
];

async function runningAt({ name }: HostOfTest): Promise<number> {
  const line = (await exposition())
    .split('\n')
    .find((l) => l.startsWith(`florin_http_requests_running{host="${name}"`));
  return Number(line?.split(' ').at(-1));
}

const runningIs = async (host: HostOfTest, count: number): Promise<void> => {
  await until(async () => ((await runningAt(host)) === count ? true : undefined));
};
const enoughRun = async (host: HostOfTest): Promise<void> => {
  await until(async () => ((await runningAt(host)) >= RUNNING ? true : undefined), 1);
};

/**
 * As many requests as a key may have running are held, one more is refused, and all that were held are then answered.
 * Undefined: one that had ended before was still counted in place of one of these.
 */
async function allSlots(host: HostOfTest): Promise<true | undefined> {
  await runningIs(host, 0);
  const target = host.target();
  const held = await Promise.all(Array.from({ length: RUNNING }, () => open(target)));
  try {
    let answered = false;
    const answers = held.map(async (socket) => {
      const [bytes] = await once(socket, 'data').catch(() => ['']);
      answered = true;
      return String(bytes).slice(0, 12);
    });
    for (const socket of held) socket.write(whole(target).slice(0, -1));
    await until(async () => (answered || (await runningAt(host)) === RUNNING ? true : undefined));
    const extra = await fetch(target.url + target.path, {
      method: target.method,
      headers: { ...target.headers },
      body: target.body,
    });
    const { detail } = (await extra.json()) as { readonly detail?: string };
    if (answered || extra.status !== 429) return undefined;
    expect(detail).toMatch(/4 .*running/);
    for (const socket of held) socket.write('}');
    return (await Promise.all(answers)).every((answer) => answer === 'HTTP/1.1 200') ? true : undefined;
  } finally {
    for (const socket of held) socket.destroy();
  }
}

/** A slot that is never given back is missed at every look. */
async function expectAllSlotsFree(host: HostOfTest): Promise<void> {
  const target = host.target();
  // what was sent before has come by the time this is answered
  await fetch(new URL('/health', target.url));
  await runningIs(host, 0);
  if (!host.keyed) return;
  await until(() => allSlots(host));
  await runningIs(host, 0);
}

/** Nothing of this table can be read or written while `work` goes on. */
async function whileLocked(table: string, work: (release: () => Promise<void>) => Promise<void>): Promise<void> {
  await w.sql('BEGIN');
  await w.sql(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  let locked = true;
  const release = async () => {
    if (locked) await w.sql('COMMIT');
    locked = false;
  };
  try {
    await work(release);
  } finally {
    await release();
  }
}

const named = FORMS.map((form) => [form.name, form] as const);
const left = named.filter(([, form]) => form.left);

describe.each(HOSTS.map((host) => [host.name, host] as const))(
  '%s: nothing stays counted as running after',
  (_, host) => {
    test.each(named)('%s', async (__, form) => {
      for (let round = 0; round < ROUNDS; round++)
        await Promise.all(Array.from({ length: RUNNING }, () => form.play(host.target(), AT_ONCE)));
      await expectAllSlotsFree(host);
    });

    test.each(left)('%s, while the host still works for it', async (__, form) => {
      await whileLocked(host.table, async (release) => {
        // a connection that breaks off while its key is looked at is not among them, and then this is not waited for
        const came = enoughRun(host).catch(() => undefined);
        await Promise.all(Array.from({ length: RUNNING }, () => form.play(host.target(), came)));
        await release();
      });
      await expectAllSlotsFree(host);
    });
  },
);

test('a caller that hangs up stops nothing: what is still worked for counts as running until it ends', async () => {
  for (const host of HOSTS.filter(({ keyed }) => keyed)) {
    const target = host.target();
    const ask = () => fetch(target.url + target.path, { ...target, headers: { ...target.headers } });
    await whileLocked(host.table, async (release) => {
      const sockets = await Promise.all(Array.from({ length: RUNNING }, () => open(target)));
      for (const socket of sockets) socket.write(whole(target));
      await runningIs(host, RUNNING);
      for (const socket of sockets) socket.resetAndDestroy();
      expect((await ask()).status).toBe(429);
      await release();
    });
    await until(async () => ((await ask()).status === 200 ? true : undefined));
    await expectAllSlotsFree(host);
  }
});

test('bytes behind a request are answered with what its body lacks', async () => {
  const target = HOSTS[0]?.target();
  if (!target) throw new Error('there is a first host');
  const socket = await open(target);
  const closed = once(socket, 'close');
  let text = '';
  socket.on('data', (bytes) => (text += String(bytes))).on('end', () => socket.end());
  socket.write('DELETE /payment/information/id HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n{"token":"x"}');
  await closed;
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect(text).toMatch(/"detail":"[^"]*content-length or transfer-encoding/);
});

test('a connection that was opened ahead and never used is closed without a word, and one with half a request with one', async () => {
  const ended = HOSTS.flatMap((host) =>
    ['', 'GET / HTTP/1.1\r\nhost: '].map(async (begun) => {
      const socket = await open(host.target());
      const closed = once(socket, 'close');
      let text = '';
      socket.on('data', (bytes) => (text += String(bytes))).on('end', () => socket.end());
      socket.write(begun);
      await closed;
      return `${host.name}: ${text.split('\r\n')[0]}`;
    }),
  );
  const names = HOSTS.map(({ name }) => name);
  expect(await Promise.all(ended)).toEqual(names.flatMap((name) => [`${name}: `, `${name}: HTTP/1.1 400 Bad Request`]));
});

test('time limits of a host give back what was counted, on every host', { timeout: 3 * SLOW_S * 1000 }, async () => {
  await Promise.all(HOSTS.map((host) => Promise.all(SLOW_FORMS.map((form) => form.play(host.target(), AT_ONCE)))));
  for (const host of HOSTS) await expectAllSlotsFree(host);
});
