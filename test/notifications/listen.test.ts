// florin listen: a receiver on the developer's own machine.
import { expect, test } from 'vitest';
import { startListening } from '../../src/commands/listen/listener.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { openEgress } from '../../src/kit/egress.ts';
import { send, textAt, until } from '../client.ts';
import { world } from '../world.ts';
import { receiver } from './receiver.ts';

test('each notification is shown in a line and handed on with its signatures; at the end the endpoint is gone', async () => {
  await using florin = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  await using program = await receiver();
  const lines: string[] = [];
  const { base_url } = florin.service.addresses;
  const options = { api_url: base_url, private_key: florin.keys.private_key, brand: 'florin', to: program.url };
  const say = (line: string) => lines.push(line);
  // an earlier one that was cut off leaves nothing behind: nothing listens at its address any more
  const away = { url: 'http://127.0.0.1:9/', events: ['capture_successful'], description: 'florin listen' };
  expect((await florin.shop.api('/notification/endpoint', { body: away })).status).toBe(200);
  const listening = await startListening({ ...options, clock: systemClock(), egress: openEgress(), say });
  const endpoints = (await florin.shop.api('/notification/endpoint')).at('endpoints');
  expect(endpoints).toMatchObject([{ description: 'florin listen' }]);
  await florin.shop.pay();
  const taken = await program.until(({ length }) => length === 3);
  expect(taken.map(({ body }) => body['event'])).toEqual([
    'authorization_requested',
    'authorization_successful',
    'capture_successful',
  ]);
  expect(taken[0]?.headers['florin-signature']).toMatch(/^[0-9a-f]{64}$/);
  await until(async () => (lines.length === 3 ? lines : undefined));
  expect(lines[2]).toMatch(
    /^\d\d:\d\d:\d\d {2}capture_successful {2}[0-9a-f]{24} #3 {2}25\.00 EUR {2}955555 {2}-> 200$/,
  );
  const [endpoint] = await florin.sql<{ url: string }>(`SELECT url FROM payment.endpoints WHERE state = 'on'`);
  expect((await send(endpoint?.url ?? '', { body: { event: 'forged' } })).status).toBe(401);
  await listening.close();
  expect((await florin.shop.api('/notification/endpoint')).at('endpoints')).toEqual([]);
});

test('two that listen at once both hear, and each ends in peace, also where Florin or its endpoint is gone', async () => {
  await using florin = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  const { base_url } = florin.service.addresses;
  const heard: string[][] = [[], []];
  const start = (lines: string[], egress = openEgress()) =>
    startListening({
      api_url: base_url,
      private_key: florin.keys.private_key,
      brand: 'florin',
      to: undefined,
      clock: systemClock(),
      egress,
      say: (line) => lines.push(line),
    });
  const [first, second] = [await start(heard[0] ?? []), await start(heard[1] ?? [])];
  await florin.shop.pay();
  await until(async () => (heard.every(({ length }) => length === 3) ? true : undefined));
  await first.close();
  const listed = await florin.shop.api('/notification/endpoint');
  expect(listed.at('endpoints')).toHaveLength(1);
  await florin.shop.api(`/notification/endpoint/${textAt(listed, 'endpoints.0._id')}`, { method: 'DELETE' });
  await second.close();
  const egress = openEgress();
  const last = await start([], egress);
  // Florin was stopped
  egress.exchange = async () => ({ kind: 'not_sent' });
  await last.close();
});
