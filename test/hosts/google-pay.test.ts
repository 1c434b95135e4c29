// Google Pay on the hosted page where payment and vault are processes of their own: the payment host knows neither keys
// nor the frame's name and asks over the link, and the confined vault serves the frame.
import { expect, test } from 'vitest';
import { changeSettings } from '../../src/payment/merchant/change-settings.ts';
import { until } from '../client.ts';
import { hostedCheckout, open } from '../hosted-page/payer.ts';
import { openGoogle, setGooglePay } from '../vault/wallets/google.ts';
import { worldOfProcesses } from '../world.ts';

test('a page of the payment host names the frame that the vault, another process, serves at its own name', async () => {
  await using google = await openGoogle();
  await using w = await worldOfProcesses(google.settings);
  const account = w.account;
  await changeSettings(w.service.tools, account, { page_wallets: ['google_pay'] });
  const { url } = await hostedCheckout(w.shop);
  expect((await open(url)).html).toContain('value="google_pay"');
  await setGooglePay(w);
  await until(async () => (await open(url)).html.includes('id="google-pay"') || undefined);
  const { html, headers } = await open(url);
  expect(html).toContain(`"frame_url":"${google.wallet_url}/google-pay"`);
  expect(headers.get('content-security-policy')).toContain(`frame-src 'self' ${google.wallet_url};`);
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
  const served = await fetch(`${google.wallet_url}/google-pay`);
  expect([served.status, (await fetch(`${google.wallet_url}/scripts.json`)).status]).toEqual([200, 404]);
  expect(served.headers.get('content-security-policy')).toContain(`frame-ancestors ${w.service.addresses.vault_url}`);
  for (const host of ['payment', 'vault'] as const) {
    const said = w.service.runs.get(host);
    expect(`${said?.out()}${said?.err()}`).not.toMatch(/PRIVATE KEY/);
  }
});
