// Apple Pay on the hosted page where payment and vault are processes of their own: the payment host knows neither key
// nor certificate and asks over the link, and the confined vault reads its files and calls Apple.
import { expect, test } from 'vitest';
import { changeSettings } from '../../src/payment/merchant/change-settings.ts';
import { until } from '../client.ts';
import { hostedCheckout, open, sendForm } from '../hosted-page/payer.ts';
import { newFolder } from '../start/child.ts';
import { SESSION, newPayloadKey, openApple, setApplePay } from '../vault/wallets/apple.ts';
import { worldOfProcesses } from '../world.ts';

test('a page of the payment host has a session that the vault, another process, was given by Apple', async () => {
  using folder = newFolder('florin-apple-');
  await using apple = await openApple(folder.path);
  await using w = await worldOfProcesses(apple.settings);
  const account = w.account;
  await changeSettings(w.service.tools, account, { page_wallets: ['apple_pay'] });
  const { url } = await hostedCheckout(w.shop);
  expect((await open(url)).html).toContain('value="apple_pay"');
  await setApplePay(w, apple.issuer.issue(), newPayloadKey());
  await until(async () => (await open(url)).html.includes('id="apple-pay"') || undefined);
  const { status, html } = await sendForm(`${url}/wallet-session`, {});
  expect([status, JSON.parse(html)]).toEqual([200, SESSION]);
  const { status: served } = await fetch(
    `${w.service.addresses.vault_url}/.well-known/apple-developer-merchantid-domain-association`,
  );
  expect([served, apple.heard.length]).toEqual([200, 1]);
  for (const host of ['payment', 'vault'] as const) {
    const said = w.service.runs.get(host);
    expect(`${said?.out()}${said?.err()}`).not.toMatch(/PRIVATE KEY|BEGIN CERTIFICATE|SSH01/);
  }
});
