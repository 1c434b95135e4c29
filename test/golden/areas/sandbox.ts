// The sandbox: faults that are armed, the clock, cards and books; and the port of the simulated providers itself.
import { until } from '../../client.ts';
import { controlOf } from '../../sandbox/control.ts';
import { type Area, said } from '../stage.ts';

export const sandbox: Area = {
  name: 'sandbox',
  play: async ({ shop, bank_url, title, pay, paid, capture, scene, server }) => {
    const post = (path: string, body: unknown, headers = {}) => shop.api(path, { body, headers });
    const arm = (body: unknown, headers = {}) => post('/sandbox/scenario', body, headers);

    title('Cards and codes');
    await shop.api('/sandbox/cards');

    title('Faults');
    await arm({
      operation: 'capture',
      fault: 'decline',
      code: '520200',
      times: 2,
      match: { order_merchant_id: 'armed' },
    });
    await arm(
      { operation: 'authorize', fault: 'pending', seconds: 60, provider: 'simulator_b' },
      { 'idempotency-key': 'arm-1' },
    );
    await arm(
      { operation: 'authorize', fault: 'pending', seconds: 60, provider: 'simulator_b' },
      { 'idempotency-key': 'arm-1' },
    );
    await arm({ operation: 'authorize', fault: 'garbage' }, { 'idempotency-key': 'arm-1' });
    await arm({ operation: 'notification', fault: 'http_500_before', match: { order_merchant_id: 'nobody' } });
    await shop.api('/sandbox/scenario');
    const armed = await paid('armed', {}, { operation_type: 'authorize' });
    await capture(armed);
    await shop.api('/sandbox/scenario');
    await arm({});
    await arm({ operation: 'capture', fault: 'decline', code: '999999', seconds: 5, times: 0 });
    await arm({ operation: 'notification', fault: 'garbage', provider: 'simulator', delay_ms: 5 });
    await shop.api('/sandbox/scenario', { method: 'DELETE' });
    for (const fault of ['decline', 'answer_twice', 'callback_first', 'callback_twice', 'refuse_connection']) {
      await scene.aside(() =>
        arm({ operation: 'direct_capture', fault, times: 1, match: { order_merchant_id: `fault ${fault}` } }),
      );
      await pay(`fault ${fault}`);
    }

    title('The clock');
    // once nothing is due: when the worker has done it differs
    await scene.aside(() => until(async () => (await shop.api('/sandbox/clock')).at('next_due') === null || undefined));
    await shop.api('/sandbox/clock');
    await post('/sandbox/clock/advance', { seconds: 86_400 }, { 'idempotency-key': 'move-1' });
    await post('/sandbox/clock/advance', { seconds: 86_400 }, { 'idempotency-key': 'move-1' });
    await post('/sandbox/clock/advance', { seconds: 60 }, { 'idempotency-key': 'move-1' });
    for (const body of [
      {},
      { seconds: 0 },
      { to: '2020-01-01' },
      { seconds: 1, to: '2099-01-01T00:00:00Z' },
      { seconds: 34_560_001 },
    ])
      await post('/sandbox/clock/advance', body);

    title('The books');
    const books = '/sandbox/provider/books';
    const page = await shop.api(`${books}?limit=2`);
    await shop.api(`${books}?limit=1&cursor=${said(page, 'next_cursor')}`);
    await shop.api(`${books}?order_id=${armed}`);
    await shop.api(`${books}?order_merchant_id=armed&limit=1`);
    await shop.api(`${books}?limit=0&order_id=x`);

    title('The port of the simulated providers');
    const { control } = controlOf(() => bank_url);
    const ask = async (method: string, path: string, body?: object) =>
      void (await (await fetch(bank_url + path, { method, ...(body && { body: JSON.stringify(body) }) })).text());
    await ask('GET', '/health');
    await ask('GET', '/cards');
    await control.state();
    await ask('POST', '/control', { callbacks: 'none' });
    await ask('POST', '/control', { callbacks: 'perhaps' });
    await ask('POST', '/control', { hang_ms: -1 });
    await control.clock();
    await ask('POST', '/clock', { to: 'never' });
    await ask('POST', '/clock', { shift_ms: 'x' });
    await ask('GET', `/books?order_id=${armed}`);
    await ask('GET', '/books/newest?limit=1');
    await ask('POST', '/scenarios', { operation: 'capture', fault: 'no_such' });
    await ask('GET', '/scenarios');
    await ask('GET', '/scenarios/once?key=none');
    await ask('POST', '/scenarios/clear');
    await ask('POST', '/subscriptions', { subscriptions: [{ provider: 'simulator' }] });
    await ask('GET', '/nowhere');
    await ask('GET', '/simulator/payments?reference=ffffffffffffffffffffffff');
    await ask('POST', '/simulator/payments', {});
    await ask('POST', '/simulator_b/reversals', {});
    await ask('POST', '/three_ds/preauth', {});
    await ask('POST', '/three_ds/authenticate', {});
    await ask('GET', '/three_ds/results/00000000-0000-4000-8000-000000000000');
    await ask('POST', '/acs/method');
    await ask('POST', '/acs/challenge');
    await ask('GET', '/acs/challenge/00000000-0000-4000-8000-000000000000');
    await control.reset();
    await ask('GET', '/books');

    title('A receiver, to its end');
    await shop.api('/notification/endpoint', { body: { url: server.url } });
    said(await pay('told'), 'order_id');
    await scene.hears(server, 2);
  },
};
