// A sandbox whose payers sit at other machines: they find the simulated bank where its proxy is, not at our loopback.
import { expect, test } from 'vitest';
import { textAt } from '../client.ts';
import { world } from '../world.ts';
import { redirectOf } from './payer.ts';

const BANK = 'https://bank.shop.example';

test('the payer is sent to the address the bank is given for browsers, and the page may send them there', async () => {
  await using w = await world({ FLORIN_SIMULATOR_PUBLIC_URL: BANK, FLORIN_SIMULATOR_PAGES_PORT: '0' });
  const reply = await w.shop.pay({ card_number: '4000002760003184' }, { authentication_indicator: 'force_3ds' });
  expect(textAt(reply, 'status')).toBe('authentication_requested');
  const page = await fetch(redirectOf(reply));
  expect(await page.text()).toContain(`action="${BANK}/acs/`);
  expect(page.headers.get('content-security-policy')).toContain(BANK);
});
