// florin mcp as a client meets it, over a real service: what its tools say of orders, codes, doubt and pages, that
// tenants are apart, and that bad arguments are all named at once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { isSandbox, readerOf, sandboxHands } from '../../src/commands/mcp/hands.ts';
import { handsOf, serve } from '../../src/commands/mcp/mcp.ts';
import { merchantAt } from '../../src/commands/sandbox/session.ts';
import { SETTINGS } from '../../src/settings/settings.ts';
import { StartError } from '../../src/kit/start-error.ts';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { fencedIn, mcpClient } from './client.ts';

let w: World;
let mcp: ReturnType<typeof mcpClient>;
const clientOf = (key: string) => {
  const merchant = merchantAt(w.service.addresses, key);
  return mcpClient({ reader: readerOf(merchant), sandbox: sandboxHands(merchant, key) });
};
beforeAll(async () => {
  // what is lost is in doubt after a second
  w = await world({ FLORIN_SIMULATOR_DEADLINE_S: '1' });
  mcp = clientOf(w.keys.private_key);
});
afterAll(() => w[Symbol.asyncDispose]());

describe('the protocol', () => {
  test('a client is greeted in its version of it, and in ours where we do not know that one', async () => {
    const known = await mcp.rpc('initialize', { protocolVersion: '2025-03-26' });
    const unknown = await mcp.rpc('initialize', { protocolVersion: '1999-01-01' });
    expect(known).toMatchObject({ id: 7, result: { protocolVersion: '2025-03-26', serverInfo: { name: 'florin' } } });
    expect(unknown).toMatchObject({
      result: { protocolVersion: '2025-11-25', capabilities: { tools: { listChanged: true } } },
    });
    expect(await mcp.rpc('ping')).toMatchObject({ result: {} });
  });

  test('lines are answered one by one until the input ends; a notification is not, and what is no request is refused', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const merchant = merchantAt(w.service.addresses, w.keys.private_key);
    const lines = [
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      'not json',
      '[]',
      '{"jsonrpc":"2.0","id":"a","method":"ping"}',
      '{"id":1,"method":"ping"}',
      '{"jsonrpc":"2.0","id":2,"method":"tools/rain"}',
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"move_money"}}',
    ];
    input.end(lines.join('\n'));
    const hands = { reader: readerOf(merchant), sandbox: undefined };
    await serve({ version: '0', hands, say: () => undefined }, { input, output });
    const answers = String(output.read()).trim().split('\n');
    const said = answers.map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } });
    const codes = said.map(({ id, error }) => [id, error?.code]);
    expect(codes).toHaveLength(6);
    expect(codes).toEqual(
      expect.arrayContaining([
        [null, -32_700],
        [null, -32_600],
        ['a', undefined],
        [1, -32_600],
        [2, -32_601],
        [3, -32_602],
      ]),
    );
  });

  test('where Florin starts after it, the tools of the sandbox come, and the client is told so once', async () => {
    const { base_url, vault_url } = w.service.addresses;
    const merchant = merchantAt({ base_url, vault_url }, w.keys.private_key);
    let away = true;
    const asleep = async () => {
      if (away) throw new StartError('Nothing answers');
    };
    const late: typeof merchant = {
      ...merchant,
      ask: async (path, asking) => {
        await asleep();
        return merchant.ask(path, asking);
      },
    };
    const found = handsOf(late, w.keys.private_key);
    await found.look();
    const [input, output] = [new PassThrough(), new PassThrough()];
    const said: { id?: number; method?: string; result?: { tools?: { name: string }[]; isError?: boolean } }[] = [];
    const lines = createInterface({ input: output });
    lines.on('line', (line) => said.push(JSON.parse(line)));
    const served = serve(
      { version: '0', hands: found.hands, look: found.look, say: () => undefined },
      { input, output },
    );
    const ask = async (id: number, method: string, params = {}) => {
      input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return until(async () => said.find((one) => one.id === id));
    };
    const names = (one: (typeof said)[number]) => one.result?.tools?.map(({ name }) => name);
    expect(names(await ask(1, 'tools/list'))).not.toContain('trigger_event');
    expect((await ask(2, 'tools/call', { name: 'search_orders' })).result?.isError).toBe(true);
    away = false;
    expect((await ask(3, 'tools/call', { name: 'search_orders' })).result?.isError).toBeUndefined();
    expect(names(await ask(4, 'tools/list'))).toContain('trigger_event');
    input.end();
    await served;
    const told = said.map(({ id, method }) => id ?? method);
    expect(told).toEqual([1, 2, 3, 'notifications/tools/list_changed', 4]);
  });

  test('the pages are resources, and no other file is one', async () => {
    const listed = JSON.stringify(await mcp.rpc('resources/list'));
    expect(listed).toContain('"florin://docs/reference/create-order"');
    expect(listed).toContain('"florin://docs/design/engine"');
    const read = await mcp.rpc('resources/read', { uri: 'florin://docs/glossary' });
    expect(JSON.stringify(read)).toContain('# Glossary');
    for (const uri of ['florin://docs/../package', 'file:///etc/passwd', 'florin://docs/openapi.json', 7])
      expect(await mcp.rpc('resources/read', { uri })).toMatchObject({ error: { code: -32_002 } });
  });
});

test('the configuration in docs/mcp.md starts this program with settings there are, and every tool is on the page', async () => {
  const page = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8');
  const { mcpServers } = JSON.parse(/^```json\n([^]*?)^```/m.exec(page)?.[1] ?? '') as {
    mcpServers: { florin: { command: string; args: string[]; env: Record<string, string> } };
  };
  const { command, args, env } = mcpServers.florin;
  expect([command, args[0]?.endsWith('/bin/florin.mjs'), args.slice(1)]).toEqual(['node', true, ['mcp']]);
  expect(Object.keys(env).filter((name) => !Object.hasOwn(SETTINGS, name))).toEqual([]);
  expect((await mcp.names()).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

describe('tools that read', () => {
  test('an order is found by its reference, and shown with all that happened to it', async () => {
    const paid = await w.shop.pay({}, { order_merchant_id: 'cart-mcp' });
    const order_id = textAt(paid, 'order_id');
    const found = await mcp.call('search_orders', { order_merchant_id: 'cart-mcp' });
    expect(found.text).toMatch(/^1 orders\./);
    expect(fencedIn(found.text)?.data).toContain(order_id);
    const shown = await mcp.call('show_order', { order_id });
    expect(shown.text).toContain(`Order ${order_id}: capture_successful.`);
    const timeline = fencedIn((await mcp.call('order_timeline', { order_id })).text);
    expect(timeline?.data).toContain('"955555 (');
    expect(timeline?.data).toContain('"at_provider": "simulator"');
  });

  test('an order in doubt is listed, and the reason and what not to do are said', async () => {
    const lost = await w.shop.pay({ card_number: '4000009901000011' }, { operation_type: 'authorize' });
    const order_id = textAt(lost, 'order_id');
    const listed = await mcp.call('orders_in_doubt');
    expect(fencedIn(listed.text)?.data).toContain(order_id);
    expect(listed.text).not.toContain('There may be more');
    await w.shop.pay({ card_number: '4000009901000011' }, { operation_type: 'authorize' });
    expect((await mcp.call('orders_in_doubt', { limit: 1 })).text).toContain('There may be more');
    const why = await mcp.call('explain_doubt', { order_id });
    expect(why.text).toMatch(/no answer proves what became of it.*Do not send it again/);
    expect(fencedIn(why.text)?.data).toContain('"state": "in_doubt"');
    const paid = textAt(await w.shop.pay(), 'order_id');
    expect((await mcp.call('explain_doubt', { order_id: paid })).text).toContain(
      'is not in doubt: it stands at capture_successful',
    );
  });

  test('a refund in doubt is listed also where another refund of the order was done behind it', async () => {
    const order_id = textAt(await w.shop.pay({}, { operation_type: 'direct_capture', amount: '42.50' }), 'order_id');
    await w.shop.decided(order_id);
    const refund = (amount: string) => w.shop.api(`/payment/maintenance/refund/${order_id}`, { body: { amount } });
    await w.shop.api('/sandbox/scenario', { body: { operation: 'refund', fault: 'http_500_before', times: 1 } });
    const headers = { prefer: 'wait=1' };
    await w.shop.api(`/payment/maintenance/refund/${order_id}`, { body: { amount: '2.00' }, headers });
    // nobody looks at it for an hour
    await w.sql(
      `UPDATE payment.operations SET due_at = payment.now() + interval '1 hour', state = 'in_doubt'
       WHERE order_id = decode($1, 'hex') AND kind = 'refund'`,
      [order_id],
    );
    expect((await refund('3.00')).code).toBe('966666');
    const read = await w.shop.read(order_id);
    expect([read.at('is_in_doubt'), read.at('status')]).toEqual([true, 'refund_successful']);
    expect(fencedIn((await mcp.call('orders_in_doubt')).text)?.data).toContain(order_id);
    const listed = await w.shop.api('/payment/order?is_in_doubt=true&limit=100');
    expect(listed.headers.get('x-ignored-fields')).toBeNull();
    expect(JSON.stringify(listed.at('orders'))).toContain(order_id);
  });

  test('a contradicted order is explained as one, also while a refund of it is under way', async () => {
    const contradicted = (state: string) => ({
      status: 'refund_requested',
      is_in_doubt: true,
      result: { code: '200100' },
      transactions: [{ operations: [{ _id: 'a'.repeat(24), type: 'refund', state }] }],
    });
    const explained = async (state: string) => {
      const reader = { read: async () => contradicted(state) };
      const given = { order_id: 'a'.repeat(24) };
      return (await mcpClient({ reader, sandbox: undefined }).call('explain_doubt', given)).text;
    };
    expect(await explained('requested')).toMatch(/^A provider says something else than what is final here/);
    expect(await explained('in_doubt')).toMatch(/^An operation was sent, and no answer proves/);
  });

  test('a route is explained by the attempts and fallbacks that were made', async () => {
    const order_id = textAt(await w.shop.pay({ card_number: '4000009901000052' }), 'order_id');
    const data = fencedIn((await mcp.call('explain_route', { order_id })).text)?.data ?? '';
    expect(JSON.parse(data)).toMatchObject({
      tries: [
        { try: 1, by: 'attempt', payin_partner: 'simulator' },
        { try: 2, by: 'fallback', payin_partner: 'simulator_b', status: 'capture_successful' },
      ],
    });
  });

  test('codes are found by number and by words', async () => {
    expect((await mcp.call('result_code', { code: '421080' })).text).toMatch(/^421080 authorization_pending: pending/);
    expect((await mcp.call('result_code', { code: 'not enough' })).text).toContain('420100 funds_insufficient');
    expect((await mcp.call('result_code', { code: 'rain' })).text).toContain('no such code');
  });

  test('pages are searched and read by sections', async () => {
    const found = await mcp.call('search_docs', { words: 'Idempotency-Key 24' });
    expect(found.text).toMatch(/^docs\/\S+\.md, section "/);
    const [, page = '', section = ''] = /docs\/(\S+)\.md, section "([^"]+)"/.exec(found.text) ?? [];
    expect((await mcp.call('read_docs', { page, section })).text).toMatch(/Idempotency-Key/i);
    expect((await mcp.call('read_docs', { page: 'reference/create-order' })).text).toMatch(
      /more characters: read on with from 12000$/,
    );
    for (const page_name of ['../package', '/etc/passwd', 'rain'])
      expect(await mcp.call('read_docs', { page: page_name })).toMatchObject({
        wrong: true,
        text: expect.stringContaining('page must be one of'),
      });
  });

  test("another account's order does not exist", async () => {
    const other = await w.otherShop();
    const order_id = textAt(await other.pay(), 'order_id');
    for (const name of ['show_order', 'order_timeline', 'explain_doubt', 'explain_route'])
      expect(await mcp.call(name, { order_id })).toEqual({
        wrong: true,
        text: `There is no order ${order_id} in the account of this key.`,
      });
    expect((await mcp.call('search_orders')).text).not.toContain(order_id);
    expect((await clientOf(other.keys.private_key).call('show_order', { order_id })).text).toContain(
      'capture_successful',
    );
  });

  test('every problem of the arguments is named at once, and a wrong key or address is said in words', async () => {
    const bad = await mcp.call('search_orders', { status: 'rain', limit: 'many', created_from: 'soon', colour: 'red' });
    expect(bad.wrong).toBe(true);
    for (const field of ['status must', 'limit must', 'created_from must', 'colour is not known here'])
      expect(bad.text).toContain(field);
    expect(await mcp.call('show_order')).toEqual({ wrong: true, text: 'Wrong arguments: order_id is required' });
    expect((await mcp.call('show_order', { order_id: '../checkout/1' })).text).toContain('order_id must be an id');
    const stranger = await clientOf('FL_PR_sNobody0000000000000000000').call('search_orders');
    expect(stranger).toMatchObject({ wrong: true, text: expect.stringContaining('FLORIN_MCP_KEY') });
    const nowhere = merchantAt({ base_url: 'http://127.0.0.1:9', vault_url: '' }, 'k');
    const lost = await mcpClient({ reader: readerOf(nowhere), sandbox: undefined }).call('search_orders');
    expect(lost).toMatchObject({ wrong: true, text: expect.stringContaining('Nothing answers') });
  });
});

describe('tools of the sandbox', () => {
  test('a fault is armed and met, an event is made, the clock is moved', async () => {
    expect(await isSandbox(merchantAt(w.service.addresses, w.keys.private_key), w.keys.private_key)).toBe(true);
    const match = { order_merchant_id: 'cart-armed' };
    const armed = await mcp.call('arm_fault', { operation: 'direct_capture', fault: 'decline', code: '420188', match });
    expect([armed.wrong, fencedIn(armed.text)?.data]).toEqual([false, expect.stringContaining('cart-armed')]);
    expect((await w.shop.pay({}, { order_merchant_id: 'cart-armed' })).code).toBe('420188');
    const wrong = await mcp.call('arm_fault', { operation: 'rain', fault: 'snow' });
    expect(wrong.text).toMatch(/operation must.*fault must/);
    expect((await mcp.call('armed_faults', { clear: true })).text).toMatch(/^0 armed/);
    const made = await mcp.call('trigger_event', { event: 'refund_declined' });
    const id = /order ([0-9a-f]{24})/.exec(made.text)?.[1] ?? '';
    expect((await mcp.call('show_order', { order_id: id })).text).toContain('refund_declined');
    const before = fencedIn((await mcp.call('sandbox_clock')).text)?.data ?? '';
    const after = fencedIn((await mcp.call('sandbox_clock', { advance_seconds: 3600 })).text)?.data ?? '';
    const offset = (text: string) => (JSON.parse(text) as { offset_seconds: number }).offset_seconds;
    expect(offset(after) - offset(before)).toBe(3600);
    expect((await mcp.call('sandbox_cards', { words: 'enough funds' })).text).toContain('4000000000009995');
  });
});
