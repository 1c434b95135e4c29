// What the log lets through: no long run of digits, but for an id of ours that has one.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openLog } from '../../src/kit/log.ts';
import { until } from '../client.ts';

const folder = mkdtempSync(join(tmpdir(), 'florin-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('fourteen digits in a row are shown as #, in a message and in a field; our own ids are shown', async () => {
  const file = join(folder, 'log');
  const log = openLog('info', file);
  const request_id = '6b08f12345678901234567ab';
  // in the form of an id, from a path say, and in truth a card
  const disguised = 'abcdef0a4242424242424242';
  const ids = { request_id, order_id: request_id, operation_id: request_id };
  log.info(
    { ...ids, merchant_account_id: '4242424242424242', card: '4242 4242 4242 4242', disguised },
    'of 4242424242424242',
  );
  // the file is opened a moment later, and written behind that
  const first = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n')[0] : undefined);
  const line = await until(() => first() || undefined);
  expect(JSON.parse(line)).toMatchObject({
    ...ids,
    merchant_account_id: '#',
    card: '#',
    disguised: 'abcdef0a#',
    msg: 'of #',
  });
});
