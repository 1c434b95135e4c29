// No tool moves money outside a sandbox: by the table of tools, by what each is given, and by what is asked of a
// service that is none.
import { createServer } from 'node:http';
import { readFileSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isSandbox, readerOf, sandboxHands } from '../../src/commands/mcp/hands.ts';
import { READ_TOOLS } from '../../src/commands/mcp/read-tools.ts';
import { SANDBOX_TOOLS } from '../../src/commands/mcp/sandbox-tools.ts';
import { toolsFor } from '../../src/commands/mcp/server.ts';
import { merchantAt } from '../../src/commands/sandbox/session.ts';
import { TRIGGERS } from '../../src/commands/sandbox/events.ts';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { mcpClient } from './client.ts';

const KEY = 'FL_PR_sabcdefghijklmnopqrstuvwxyz';
const ORDER = { order_id: 'a'.repeat(24) };

/** Notes every request. As production: it knows no path of a sandbox, unless it is told to play one. */
let asked: string[] = [];
let plays_sandbox = false;
/** After the first token there is no sandbox any more. */
let turns = false;
const service = createServer((request, response) => {
  const path = request.url ?? '';
  asked.push(`${request.method} ${path.split('?')[0]}`);
  if (turns && path === '/token') plays_sandbox = false;
  const known = plays_sandbox || !path.startsWith('/sandbox');
  response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ ...ORDER, orders: [ORDER], transactions: [], result: { code: '955555' } }));
});
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${listeningPort(service)}`;
});
afterAll(() => void service.close());

const merchant = () => merchantAt({ base_url: url, vault_url: url }, KEY);

/** Something that each tool takes. */
const GIVEN: Readonly<Record<string, object>> = {
  result_code: { code: '421080' },
  search_docs: { words: 'order' },
  read_docs: { page: 'reference/create-order' },
  search_orders: {},
  orders_in_doubt: {},
  show_order: ORDER,
  order_timeline: ORDER,
  explain_doubt: ORDER,
  explain_route: ORDER,
  trigger_event: { event: 'capture_successful' },
  sandbox_clock: { advance_seconds: 60 },
  arm_fault: { operation: 'capture', fault: 'decline' },
  armed_faults: { clear: true },
  sandbox_cards: {},
};

test('in production there are the tools that read, and none besides', async () => {
  plays_sandbox = false;
  expect(await isSandbox(merchant(), KEY)).toBe(false);
  plays_sandbox = true;
  expect(await isSandbox(merchant(), KEY)).toBe(true);
  expect(await isSandbox(merchant(), 'FL_PR_pabcdefghijklmnopqrstuvwxyz')).toBe(false);
  const production = mcpClient({ reader: readerOf(merchant()), sandbox: undefined });
  expect(await production.names()).toEqual(READ_TOOLS.map(({ name }) => name));
  for (const { name } of SANDBOX_TOOLS)
    expect(await production.rpc('tools/call', { name, arguments: GIVEN[name] })).toMatchObject({
      error: { code: -32_602 },
    });
  expect(READ_TOOLS.filter(({ reach }) => reach !== 'read')).toEqual([]);
  expect(SANDBOX_TOOLS.filter(({ reach }) => reach !== 'sandbox')).toEqual([]);
});

test('a tool that reads asks with GET alone, and nothing of the sandbox', async () => {
  plays_sandbox = true;
  const hands = sandboxHands(merchant(), KEY);
  const client = mcpClient({ reader: hands, sandbox: hands });
  expect(Object.keys(GIVEN).toSorted()).toEqual(
    toolsFor({ sandbox: hands })
      .map(({ name }) => name)
      .toSorted(),
  );
  for (const { name } of READ_TOOLS) {
    asked = [];
    expect((await client.call(name, GIVEN[name])).wrong, name).toBe(false);
    expect(
      asked.filter((line) => !/^GET \/payment\/order(?:\/[0-9a-f]{24})?$/.test(line)),
      name,
    ).toEqual([]);
  }
});

test('a tool of the sandbox does nothing where no sandbox answers any more', async () => {
  const hands = sandboxHands(merchant(), KEY);
  const client = mcpClient({ reader: hands, sandbox: hands });
  plays_sandbox = false;
  for (const event of Object.keys(TRIGGERS)) {
    asked = [];
    const said = await client.call('trigger_event', { event });
    expect([said.wrong, said.text], event).toEqual([true, 'No sandbox answers here: nothing was done.']);
    expect(asked, event).toEqual(['GET /sandbox/cards']);
  }
  for (const { name } of SANDBOX_TOOLS) {
    asked = [];
    expect((await client.call(name, GIVEN[name])).wrong, name).toBe(true);
    expect(
      asked.filter((line) => !line.startsWith('GET ')),
      name,
    ).toEqual([]);
  }
});

test('a service that is no sandbox any more in the middle of an event is asked for nothing further', async () => {
  const hands = sandboxHands(merchant(), KEY);
  const client = mcpClient({ reader: hands, sandbox: hands });
  turns = true;
  for (const event of Object.keys(TRIGGERS).filter((name) => name !== 'checkout.expired')) {
    asked = [];
    plays_sandbox = true;
    expect((await client.call('trigger_event', { event })).wrong, event).toBe(true);
    const changing = asked.filter((line) => !line.startsWith('GET '));
    expect(changing, event).toEqual(['POST /token']);
  }
  turns = false;
});

test('only what is between them and the service can reach it: no tool imports a way of its own', () => {
  const folder = new URL('../../src/commands/mcp/', import.meta.url);
  const reaching = /egress|node:https?|node:net|fetch\(|merchantAt|openMerchant|postgres|hosts\/|kit\/database/;
  const files = readdirSync(folder).filter((name) => reaching.test(readFileSync(new URL(name, folder), 'utf8')));
  expect(files).toEqual(['mcp.ts']);
  const tools = readFileSync(new URL('read-tools.ts', folder), 'utf8');
  expect(tools).not.toMatch(/\bmerchant\.|SandboxHands|\bask\(/);
});
