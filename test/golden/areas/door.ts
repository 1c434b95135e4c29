// The door of each host: keys and scopes, methods, paths, content types, bodies that are too large or cannot be read.
import { addKey, makeKeyText } from '../../../src/payment/merchant/keys.ts';
import { SCOPE_NAMES } from '../../../src/core/keys/scopes.ts';
import { CHECKOUT, GOOD_CARD, send } from '../../client.ts';
import type { Area } from '../stage.ts';

export const door: Area = {
  name: 'door',
  settings: { FLORIN_FAILED_KEYS_PER_MINUTE: '100000' },
  play: async ({ w, shop, title, scene }) => {
    const { base_url, vault_url, backoffice_url } = w.service.addresses;
    const { tools } = w.service;
    const key = w.keys.private_key;

    title('Keys');
    await shop.api('/payment/order', { key: null });
    await shop.api('/payment/order', { key: 'nonsense' });
    await shop.api('/payment/order', { key: `FL_PR_s${'a'.repeat(49)}` });
    await shop.api('/payment/order', { key: w.keys.public_key });
    await shop.api('/payment/checkout', { key: w.keys.public_key, body: {} });
    await shop.vault('/token', { key: null, body: GOOD_CARD });
    await shop.vault('/token', { key: 'nonsense', body: GOOD_CARD });
    await shop.api('/payment/order', { key: null, headers: { authorization: `Bearer ${key}` } });
    const other = await w.otherShop();
    scene.stable.name(other.keys.private_key, '{private of another}');
    scene.stable.name(other.keys.public_key, '{public of another}');
    const checkout_id = await shop.checkout();
    await other.api(`/payment/checkout/${checkout_id}`);
    await other.order({ checkout_id, token: await scene.aside(() => shop.token()) });

    title('Each scope, and what it does not allow');
    const routes = [
      ['GET', '/payment/order'],
      ['POST', '/payment/checkout'],
      ['POST', '/payment/maintenance/refund/ffffffffffffffffffffffff'],
      ['DELETE', '/payment/information/id'],
      ['GET', '/notification'],
      ['GET', '/sandbox/clock'],
    ] as const;
    for (const scope of SCOPE_NAMES) {
      const text = makeKeyText(tools.chance, { letters: 'FL', kind: 'private', environment: 'sandbox' });
      const id = await addKey(tools, w.account, {
        text,
        kind: 'private',
        label: scope,
        scopes: [scope],
      });
      scene.stable.name(text, `{private, ${scope} only}`);
      for (const [method, path] of routes)
        await shop.api(path, { method, key: text, ...(method === 'GET' ? {} : { body: {} }) });
      await shop.vault('/token', { key: text, body: {} });
      const { revokeKey } = await import('../../../src/payment/merchant/keys.ts');
      await revokeKey(tools, w.account, { id });
    }

    title('Methods and paths');
    for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'])
      await send(`${base_url}/payment/checkout`, { method, key });
    for (const method of ['GET', 'PUT', 'HEAD']) await send(`${vault_url}/token`, { method, key });
    for (const path of [
      '/nowhere',
      '/payment',
      '/payment/order/',
      '/Payment/order',
      '/payment/orders',
      '/token',
      '//',
      '/%',
      '/payment/order/%2e%2e',
    ])
      await send(base_url + path, { key });
    for (const path of ['/nowhere', '/payment/checkout', '/tokens', '/pay', '/fields/en/-/x'])
      await send(vault_url + path, { key });
    for (const path of ['/api/nowhere', '/api', '/api/orders/', '/payment/checkout'])
      await send(backoffice_url + path, {});
    await send(`${base_url}/payment/order?no_such=1&limit=1&limit=2`, { key });

    title('Bodies');
    const checkout = (body: string, headers: Record<string, string> = {}) =>
      send(`${base_url}/payment/checkout`, { key, body, headers });
    const good = JSON.stringify(CHECKOUT);
    await checkout(good, { 'content-type': 'text/plain' });
    await checkout(good, { 'content-type': 'application/x-www-form-urlencoded' });
    await checkout(good, { 'content-type': 'application/json; charset=utf-8' });
    await checkout(good, { 'content-type': 'application/json; charset=latin1' });
    await checkout(good, { 'content-encoding': 'gzip' });
    await checkout('');
    await checkout('null');
    await checkout('{"a":1}x');
    await checkout('{"a":1,"a":2}');
    await checkout(`${'['.repeat(200)}${']'.repeat(200)}`);
    await checkout('{"order_merchant_id":"\\ud800"}');
    await checkout(JSON.stringify({ ...CHECKOUT, order_description: 'x'.repeat(70_000) }));
    await send(`${vault_url}/token`, {
      key,
      body: JSON.stringify({ ...GOOD_CARD, cardholder_name: 'x'.repeat(9000) }),
    });
    await send(`${vault_url}/token`, {
      key,
      body: JSON.stringify(GOOD_CARD),
      headers: { 'content-type': 'text/plain' },
    });
    await shop.api('/payment/order', { headers: { prefer: 'wait=x' }, body: {} });
    await shop.api('/payment/order', { headers: { 'idempotency-key': 'x'.repeat(300) }, body: {} });
    await shop.api('/payment/order', { headers: { version: '1.0.0' } });
    await shop.api('/payment/order', { headers: { version: '2.3.0' } });
  },
};
