// Notifications: endpoints, every event of an order, a receiver that fails and is switched off, replays, tests,
// secrets.
import { until } from '../../client.ts';
import { UNDECIDED } from '../../maintenance/till.ts';
import { type Area, said } from '../stage.ts';

const STEPS = [
  'authorization_requested authorization_successful authorization_declined authorization_expired',
  'capture_requested capture_successful capture_declined refund_successful refund_declined',
  'authorization_cancel_requested authorization_cancelled authorization_cancel_declined',
  'checkout.expired customer.updated',
].flatMap((line) => line.split(' '));

export const notifications: Area = {
  name: 'notifications',
  play: async ({ shop, title, pay, paid, capture, refund, cancel, scene, server, pass }) => {
    const at = '/notification/endpoint';
    const post = (path: string, body?: unknown, headers = {}) => shop.api(path, { method: 'POST', body, headers });

    title('Endpoints: named, listed, refused');
    const made = await post(at, { url: server.url, events: STEPS, description: 'all steps' });
    const id = said(made, 'endpoint._id');
    await post(
      at,
      { url: `${server.url}&n=2`, events: ['refund_requested'], secret: 'whsec_YWJjZGVmZ2hpams=' },
      { 'idempotency-key': 'endpoint-1' },
    );
    await post(
      at,
      { url: `${server.url}&n=2`, events: ['refund_requested'], secret: 'whsec_YWJjZGVmZ2hpams=' },
      { 'idempotency-key': 'endpoint-1' },
    );
    await post(at, { url: server.url }, { 'idempotency-key': 'endpoint-1' });
    await post(at, {});
    await post(at, { url: 'nowhere', events: ['no_such'], secret: 'short', description: 'x'.repeat(300) });
    const listed = await shop.api(at);
    const few = said(listed, 'endpoints.0.url').endsWith('n=2')
      ? said(listed, 'endpoints.0._id')
      : said(listed, 'endpoints.1._id');

    title('A test');
    await post(`${at}/${id}/test`);
    await scene.hears(server, 1);
    await post(`${at}/ffffffffffffffffffffffff/test`);

    title('An order with all its steps');
    const order = await paid(
      'all-steps',
      {},
      { operation_type: 'authorize', amount: '50.00', customer_id: 'ada', merchant_data: [{ key: 'k', value: 'v' }] },
    );
    await scene.hears(server, 2);
    await capture(order, { amount: '20.00', operation_merchant_id: 'c-1' });
    await scene.hears(server, 2);
    await refund(order, { amount: '5.00' });
    await scene.hears(server, 2);
    const undone = await paid('undone', {}, { operation_type: 'authorize' });
    await scene.hears(server, 2);
    await cancel(undone, { operation_merchant_id: 'x-1' });
    await scene.hears(server, 2);
    await paid('declined', '4000000000009995');
    await scene.hears(server, 2);

    title('What is due later');
    await paid('late', UNDECIDED.authorize, { operation_type: 'authorize' }, 0);
    await scene.hears(server, 1);
    await pass(120);
    await scene.hears(server, 1);
    await shop.checkout({ order_merchant_id: 'cart-late' });
    await pass(16 * 60);
    await scene.hears(server, 1);

    title('Listed and sent again');
    await delivered();
    const page = await shop.api('/notification?limit=3');
    await shop.api(`/notification?limit=3&cursor=${said(page, 'next_cursor')}`);
    await shop.api(`/notification?order_id=${order}`);
    await shop.api('/notification?event=test&state=delivered');
    await shop.api(`/notification?endpoint_id=${few}&limit=1`);
    await shop.api('/notification?state=lost&limit=0&order_id=x');
    const again = said(page, 'notifications.1._id');
    await post(`/notification/${again}/replay`, undefined, { 'idempotency-key': 'replay-1' });
    await scene.hears(server, 1);
    await post(`/notification/${again}/replay`, undefined, { 'idempotency-key': 'replay-1' });
    await post('/notification/ffffffffffffffffffffffff/replay');
    await post('/notification/replay', { endpoint_id: few, state: 'delivered' });
    await scene.hears(server, 1);
    await post('/notification/replay', { endpoint_id: few });
    await post('/notification/replay', { endpoint_id: 'ffffffffffffffffffffffff' });
    await post('/notification/replay', { state: 'lost', cursor: 1.5 });
    await delivered();

    title('A receiver that fails, and takes it the next time');
    server.mood = () => 503;
    await paid('failing', {}, { operation_type: 'authorize' });
    await scene.aside(() => until(async () => (server.got.length > server.taken.length + 1 ? true : undefined)));
    server.mood = () => 200;
    await pass(3600);
    await scene.hears(server, 2);
    await delivered();

    title('410: switched off, and on again');
    server.mood = () => 410;
    await paid('gone', {}, { operation_type: 'authorize' });
    await scene.aside(() =>
      until(async () => (JSON.stringify((await shop.api(at)).body).includes('"active":false') ? true : undefined)),
    );
    await shop.api(at);
    server.mood = () => 200;
    await post(`${at}/${id}/activate`);
    await post(`${at}/${id}/activate`);
    await post(`${at}/ffffffffffffffffffffffff/activate`);
    await scene.aside(async () => {
      const { taken } = server;
      const before = taken.length;
      await pay('after', {}, { operation_type: 'authorize' });
      await until(() => (taken.length >= before + 2 ? true : undefined));
    });
    await delivered();

    title('A new secret, and the end of an endpoint');
    await post(`${at}/${id}/secret`, { overlap_hours: 2 });
    await post(`${at}/${id}/secret`, { overlap_hours: 1000 });
    await post(`${at}/ffffffffffffffffffffffff/secret`, {});
    await shop.api(`${at}/${few}`, { method: 'DELETE' });
    await shop.api(`${at}/${few}`, { method: 'DELETE' });
    await post(`${at}/${few}/test`);
    await shop.api(at);

    /** No notification waits any more. */
    async function delivered(): Promise<void> {
      await scene.aside(() =>
        until(async () => {
          const all = await shop.api('/notification?limit=100');
          return /"state":"(?:waiting|pending|scheduled|sending)"/.test(all.text) ? undefined : true;
        }),
      );
    }
  },
};
