// florin demo routing plays on a sandbox of its own what it says.
import { expect, test } from 'vitest';
import { merchantAt } from '../../src/commands/sandbox/session.ts';
import { playRouting } from '../../src/commands/routing/play.ts';
import { accountOf } from '../risk/till.ts';
import { world } from '../world.ts';

test('an outage is left, a lack of funds is tried again when money has come, advice and a cap hold, and a rule is tried on all of it', async () => {
  await using w = await world();
  const { base_url, vault_url } = w.service.addresses;
  const lines: string[] = [];
  await playRouting({
    merchant: merchantAt({ base_url, vault_url }, w.service.demo?.private_key ?? ''),
    tools: w.service.tools,
    account: await accountOf(w),
    say: (line) => void lines.push(line),
  });
  const said = lines.join('\n');

  if (process.env['FLORIN_TEST_FULL'] === '1') console.log(said);
  expect(said).toMatch(/payment 1: simulator, then simulator_b\n/);
  expect(said).toMatch(/then at once simulator_b: simulator is left out \((?:half|open)\)/);
  expect(said).toMatch(
    /declined 420100: waiting, funds, tries left 4, the next 20\S+Z\n +day [3-6]: capture_successful, later tries 1: ended, approved\n/,
  );
  expect(said).toMatch(/declined 420\d\d\d, mastercard:25: later\n.* 421081, not sent: held back: /);
  expect(said).toMatch(/18 declines 420\d\d\d\n +try 19: 421081, held back: 18 tries/);
  expect(said).toMatch(/Of \d+ attempts \d+ would have gone elsewhere/);
});
