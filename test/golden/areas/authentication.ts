// 3-D Secure: nobody must act, the payer acts at the bank, the bank is away, somebody else has authenticated.
import { CHALLENGE_CODES } from '../../../src/core/sandbox/challenge-codes.ts';
import { send } from '../../client.ts';
import { actAt, authenticates, open, redirectOf, toBank } from '../../authentication/payer.ts';
import { type Area, parts, said } from '../stage.ts';

const CHALLENGE = '4000002760003184';
const URLS = { accept_url: 'https://shop.example/back?ok=1', decline_url: 'https://shop.example/back?ok=0' };
const ASK = { authentication_indicator: 'ask_3ds', ...URLS };
const FORCE = { authentication_indicator: 'force_3ds' };

export const authentication: Area = {
  name: 'authentication',
  play: async ({ shop, title, pay, pass, settled, scene, server }) => {
    await shop.api('/notification/endpoint', {
      body: {
        url: server.url,
        events: ['authentication_requested', 'authentication_declined', 'authorization_successful'],
      },
    });
    title('Below the limit the bank says yes by itself');
    const easy = await pay('easy', {}, ASK);
    await shop.read(said(easy, 'order_id'));
    await scene.hears(server, 1);

    title('The payer types the code, and lands at the shop');
    const typed = await pay('typed', CHALLENGE, ASK);
    await shop.read(said(typed, 'order_id'));
    await scene.hears(server, 1);
    await authenticates(typed);
    await shop.read(said(typed, 'order_id'));
    await open(redirectOf(typed));
    await scene.hears(server, 1);

    title('Without an address to go back to');
    const nowhere = await pay('nowhere', CHALLENGE, FORCE);
    await scene.hears(server, 1);
    await authenticates(nowhere);
    await scene.hears(server, 1);

    title('The payer cancels at the bank');
    const cancelled = await pay('cancelled', CHALLENGE, ASK);
    await scene.hears(server, 1);
    await actAt(await toBank(redirectOf(cancelled)), 'cancel');
    await shop.read(said(cancelled, 'order_id'));
    await scene.hears(server, 1);

    title('Every code that means something');
    for (const { code } of CHALLENGE_CODES) {
      const reply = await scene.aside(() => pay(`code-${code}`, {}, { ...ASK, amount: '1000' }));
      const end = await scene.aside(() =>
        authenticates(reply, code).catch((error: unknown) => String(error).slice(0, 60)),
      );
      const read = await scene.aside(() => shop.read(said(reply, 'order_id')));
      scene.note(
        `${code}: ${typeof end === 'string' ? end : `${end.status} ${end.location}`} | ${parts(read, ['status', 'result.code', 'authentication_result', 'is_authenticated'])}`,
      );
    }

    title('The bank is asked in vain');
    for (const [card, name] of [
      ['4000009907000015', 'not enrolled'],
      ['4000009907000049', 'unavailable'],
      ['4000008400001280', 'directory down'],
    ] as const) {
      await pay(`${name} asked`, card, ASK);
      await pay(`${name} forced`, card, FORCE);
    }
    await pay('attempted', '4000009907000031', FORCE);
    await pay('moto', CHALLENGE, { ...FORCE, payment_channel: 'moto' });

    title('The issuer wants it after all: a soft decline becomes a challenge');
    const soft = await pay('soft', CHALLENGE, { authentication_indicator: 'no_3ds', ...URLS });
    await shop.read(said(soft, 'order_id'));

    title('Nobody comes');
    const left = await pay('left', CHALLENGE, ASK);
    await pass(3600);
    await settled(said(left, 'order_id'), (read) => read.at('status') === 'authentication_declined');
    await open(redirectOf(left));

    title('The merchant cancels while the payer is at the bank');
    const undone = await pay('undone', CHALLENGE, { ...ASK, operation_type: 'authorize' });
    await shop.api(`/payment/maintenance/cancel/${said(undone, 'order_id')}`, {
      method: 'POST',
      headers: { prefer: 'wait=20' },
    });
    await shop.read(said(undone, 'order_id'));

    title('Authenticated elsewhere');
    const data = {
      cavv: 'AAABCSIIAAAAAAACcwgAEMCoNh+=',
      eci: '05',
      x_id: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
      version: '2.2.0',
      pares_status: 'Y',
    };
    const outside = await pay('outside', {}, { '3ds_data': data });
    await shop.read(said(outside, 'order_id'));

    title('The browser of the payer is known');
    await pay('browser', '5300000000000006', {
      ...ASK,
      customer_ip: '203.0.113.7',
      customer_browser_info_accept_header: 'text/html',
      customer_browser_info_java_enabled: false,
      customer_browser_info_js_enabled: true,
      customer_browser_info_language: 'fr-FR',
      customer_browser_info_color_depth: 24,
      customer_browser_info_screen_height: 900,
      customer_browser_info_screen_width: 1440,
      customer_browser_info_timezone_offset: -60,
      customer_browser_info_user_agent: 'Mozilla/5.0',
    });

    title('A message that is not the 3-D Secure server’s');
    const { base_url } = shop.addresses;
    for (const name of ['simulator', 'no-such'])
      await send(`${base_url}/authentication/${name}/events`, { method: 'POST', body: { state: 'passed' } });

    title('Addresses that are nobody’s');
    const { vault_url } = shop.addresses;
    await open(`${vault_url}/pay/${'f'.repeat(64)}`);
    await open(`${vault_url}/pay/${'f'.repeat(64)}/status`);
  },
};
