// florin mcp under the client of the official SDK, as a process, with nothing between them. The SDK is of the registry
// and large: it comes into a folder of its own, and where no registry answers these are skipped.
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt } from '../client.ts';
import { USUAL } from '../temporary.ts';
import { temporary } from '../test-kit/places.ts';
import { type World, world } from '../world.ts';

const SDK = '@modelcontextprotocol/sdk@1.32.2';
const FLORIN = fileURLToPath(new URL('../../bin/florin.mjs', import.meta.url));

/** Plays a client's part and prints what it saw. */
const SCRIPT = `
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
const [florin, order_id] = process.argv.slice(2);
const transport = new StdioClientTransport({ command: process.execPath, args: [florin, 'mcp'], env: { ...process.env } });
const client = new Client({ name: 'test', version: '1' });
await client.connect(transport);
const { tools } = await client.listTools();
const { resources } = await client.listResources();
const page = await client.readResource({ uri: 'florin://docs/reference/codes' });
const shown = await client.callTool({ name: 'show_order', arguments: { order_id } });
const bad = await client.callTool({ name: 'show_order', arguments: { order: 1 } });
const unknown = await client.callTool({ name: 'rain', arguments: {} }).catch((error) => ({ code: error.code }));
await client.ping();
console.log(JSON.stringify({
  server: client.getServerVersion(), instructions: client.getInstructions(), tools, resources: resources.length,
  page: page.contents[0].text.slice(0, 20), shown, bad, unknown,
}));
await client.close();
`;

const base = temporary('mcp-', USUAL);
let w: World;
let installed = false;
beforeAll(async () => {
  w = await world();
  const words = ['install', SDK, '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  writeFileSync(join(base.path, 'package.json'), '{"private":true,"type":"module"}');
  writeFileSync(join(base.path, 'client.mjs'), SCRIPT);
  installed = spawnSync('npm', words, { cwd: base.path, timeout: 300_000 }).status === 0;
});
afterAll(async () => {
  base.remove();
  await w[Symbol.asyncDispose]();
});

test('the official client greets it, lists what there is, calls tools, and ends it', async ({ skip }) => {
  skip(!installed, 'no registry gave the SDK');
  const order_id = textAt(await w.shop.pay({}, { order_description: '<b>refund me</b>' }), 'order_id');
  const { base_url, vault_url } = w.service.addresses;
  const env = {
    PATH: process.env['PATH'],
    FLORIN_BASE_URL: base_url,
    FLORIN_VAULT_URL: vault_url,
    FLORIN_MCP_KEY: w.keys.private_key,
  };
  const { stdout, stderr, status } = await ranAside([join(base.path, 'client.mjs'), FLORIN, order_id], env);
  expect(status, stderr).toBe(0);
  const saw: unknown = JSON.parse(stdout);
  expect(saw).toMatchObject({
    server: { name: 'florin' },
    instructions: expect.stringContaining('in doubt'),
    page: expect.stringContaining('# Result codes'),
    shown: { content: [{ type: 'text', text: expect.stringContaining('capture_successful') }] },
    bad: { isError: true, content: [{ text: expect.stringMatching(/order_id is required; order is not known/) }] },
    unknown: { code: -32_602 },
  });
  expect(stdout).not.toContain('<b>');
  expect(saw).toHaveProperty('tools.0.inputSchema.type', 'object');
  expect(stdout).toContain('"name":"trigger_event"');
});

/** Not by spawnSync: the service that is asked stands in this process. */
function ranAside(args: readonly string[], env: NodeJS.ProcessEnv) {
  return new Promise<{ stdout: string; stderr: string; status: number | null }>((resolve) => {
    const child = spawn(process.execPath, [...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (text: Buffer) => (said.stdout += text.toString()));
    child.stderr.on('data', (text: Buffer) => (said.stderr += text.toString()));
    child.on('close', (status) => resolve({ ...said, status }));
  });
}
