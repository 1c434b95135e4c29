// The hosted page: opened, paid, declined and paid with another card, cancelled, expired, in every language, sent
// twice, by strangers.
import { URLS, follow, hostedCheckout, nonceIn, open, pay, sendForm, typed } from '../../hosted-page/payer.ts';
import { until } from '../../client.ts';
import type { Area } from '../stage.ts';
import { toBank, actAt, open as go } from '../../authentication/payer.ts';
import { UNDECIDED } from '../../maintenance/till.ts';

const CART = {
  locale: 'en_GB',
  merchant_data: [{ key: 'a', value: 'b' }],
  order_description: 'Two lamps\nand a <b>shade</b>',
};

export const hostedPage: Area = {
  name: 'hosted-page',
  play: async ({ w, shop, title, scene, pass }) => {
    let count = 0;
    const made = (fields: object = {}) =>
      scene.aside(() => hostedCheckout(shop, { order_merchant_id: `page-${++count}`, ...fields }));

    title('Opened, paid, opened again: the shop is where it leads');
    const first = await made({ ...URLS, ...CART });
    await pay(shop, first.url);
    await open(`${first.url}/status`);
    await open(first.url);
    await shop.api(`/payment/checkout/${first.checkout_id}`);

    title('Without addresses of the shop');
    const plain = await made();
    await pay(shop, plain.url);
    await open(`${plain.url}/status`);

    title('Declined, and paid with another card');
    const second = await made(URLS);
    await pay(shop, second.url, { card_number: '4000000000009995' });
    await open(`${second.url}?again`);
    await pay(shop, second.url);

    title('Declined until no attempt is left');
    const last = await made({ max_attempts: 1 });
    await pay(shop, last.url, { card_number: '4000000000000002' });
    await open(last.url);

    title('Cancelled');
    for (const fields of [URLS, {}]) {
      const { url } = await made(fields);
      const page = await scene.aside(() => open(url));
      await follow(url, await sendForm(`${url}/cancel`, { nonce: nonceIn(page) }));
      await open(url);
    }

    title('Expired');
    const late = await made();
    const late_back = await made(URLS);
    await pass(16 * 60);
    await open(late.url);
    await open(late_back.url);
    await open(`${late.url}/status`);

    title('The bank asks the payer');
    const asked = await made({ ...URLS, authentication_indicator: 'force_3ds' });
    await pay(shop, asked.url, { card_number: '4000002760003184' });
    await open(`${asked.url}/status`);
    const page = await scene.aside(() => open(asked.url));
    const to = /href="([^"]*\/pay\/[0-9a-f]{64}[^"]*)"/.exec(page.html)?.[1];
    if (to !== undefined) await actAt(await toBank(to.replaceAll('&amp;', '&')), { code: '1234' });
    await open(asked.url);

    title('The bank takes its time');
    const slow = await made(URLS);
    await pay(shop, slow.url, { card_number: UNDECIDED.authorize });
    await open(`${slow.url}/status`);
    await pass(120);
    await scene.aside(() =>
      until(async () => ((await open(`${slow.url}/status`)).html.includes('paid') ? true : undefined)),
    );
    await open(`${slow.url}/status`);
    await open(slow.url);

    title('What is sent and cannot be');
    const odd = await made(URLS);
    const shown = await scene.aside(() => open(odd.url));
    const token = await scene.aside(() => typed(shop, shown));
    await sendForm(odd.url, { token, nonce: 'f'.repeat(64), token_type: 'oneshot' });
    await sendForm(odd.url, { token: 'nonsense', nonce: nonceIn(shown), token_type: 'oneshot' });
    await sendForm(odd.url, { nonce: nonceIn(shown) });
    await sendForm(odd.url, { token, nonce: nonceIn(shown) }, { origin: 'https://elsewhere.example' });
    await sendForm(`${odd.url}/cancel`, { nonce: '' });
    await open(`${odd.url}?unable`);
    await open((await made()).url.concat('?unable'));
    await sendForm(odd.url, { token, nonce: nonceIn(shown), token_type: 'oneshot' });
    await sendForm(odd.url, { token, nonce: nonceIn(shown), token_type: 'oneshot' });

    title('A page that is nobody’s');
    const { vault_url } = shop.addresses;
    const nobodys = `${vault_url}/pay/${'f'.repeat(64)}`;
    await open(nobodys, { 'accept-language': 'de' });
    await sendForm(nobodys, { token, nonce: '' });
    for (const [path, method] of [
      ['/status', 'GET'],
      ['/back', 'GET'],
      ['/return', 'GET'],
      ['/cancel', 'POST'],
      ['/leave', 'POST'],
      ['/back', 'POST'],
      ['/return', 'POST'],
      ['/seen', 'POST'],
      ['/method', 'POST'],
    ] as const)
      await (method === 'GET' ? go(nobodys + path) : sendForm(nobodys + path, {}));

    title('In every language');
    for (const locale of [
      'fr_FR',
      'de',
      'es',
      'it',
      'nl',
      'pt',
      'pl',
      'ar',
      'sv_SE',
      'da_DK',
      'fi_FI',
      'cs_CZ',
      'el_GR',
      'ro_RO',
      'hu_HU',
      'zz',
    ])
      await open((await made({ locale })).url, { 'accept-language': 'it' });

    title('With the looks of the account');
    const { tools } = w.service;
    scene.note(`(account settings: a colour, a name, saving offered)`);
    await scene.aside(async () => {
      const { changeSettings } = await import('../../../src/payment/merchant/change-settings.ts');
      await changeSettings(tools, w.account, { page_colour: '#224466', display_save: true });
    });
    await open((await made({ customer_id: 'grace' })).url);

    title('A session of a wallet that this account has not: the page does not ask, a stranger may');
    const walletless = await made();
    await sendForm(`${walletless.url}/wallet-session`, {});
    await sendForm(`${walletless.url}/wallet-session`, {}, { origin: 'https://shop.example' });
  },
};
