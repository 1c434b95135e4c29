// What the log lets through: no long run of digits, but for an id that has one.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openLog } from '../../src/kit/log.ts';
import { until } from '../client.ts';

const folder = mkdtempSync(join(tmpdir(), 'florin-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('fourteen digits in a row are shown as #, in a message and in a field; an id that has them is shown', async () => {
  const file = join(folder, 'log');
  const log = openLog('info', file);
  const request_id = '6b08f12345678901234567ab';
  log.info({ request_id, card: '4242 4242 4242 4242', other: '123456789012345678901234' }, 'of 4242424242424242');
  const line = await until(() => readFileSync(file, 'utf8').split('\n')[0] || undefined);
  expect(JSON.parse(line)).toMatchObject({ request_id, card: '#', other: '#', msg: 'of #' });
});
