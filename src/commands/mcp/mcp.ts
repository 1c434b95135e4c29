// florin mcp: a server of the Model Context Protocol on standard input and output, for programs that write code with
// Florin. It knows of the service only what a merchant knows: the address and a key. It does not listen on HTTP.
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { readConfig } from '../../settings/config.ts';
import { readWords } from '../arguments.ts';
import { keyOf, merchantAt } from '../sandbox/session.ts';
import { isSandbox, readerOf, sandboxHands } from './hands.ts';
import { type ServerOptions, answerLine } from './server.ts';

const USAGE = `florin mcp    started by the program that uses it: docs/mcp.md
  FLORIN_BASE_URL and FLORIN_VAULT_URL say where Florin runs, FLORIN_MCP_KEY is a private key with the scope read`;

/** No client sends a longer message. */
const LONGEST_LINE = 1_048_576;

export async function mcpCommand(version: string, args: readonly string[]): Promise<void> {
  readWords(args, { usage: USAGE, texts: [] });
  const config = readConfig();
  const key = keyOf(config, config.mcp_key || undefined);
  const base_url = config.base_url || `http://${config.host}:${config.api_port}`;
  const vault_url = config.vault_url || `http://${config.host}:${config.vault_port}`;
  const merchant = merchantAt({ base_url, vault_url }, key);
  const [asked] = await Promise.allSettled([isSandbox(merchant, key)]);
  // if nothing answers yet, the tools report it when they are called
  const sandbox = asked.status === 'fulfilled' ? asked.value : undefined;
  const hands = { reader: readerOf(merchant), sandbox: sandbox === true ? sandboxHands(merchant, key) : undefined };
  const say = (line: string) => console.error(line);
  say(
    `Florin ${version} at ${base_url}: ${sandbox === undefined ? 'nothing answers there yet' : sandbox ? 'a sandbox' : 'reading only'}`,
  );
  await serve({ version, hands, say }, { input: process.stdin, output: process.stdout });
}

/** Runs until the input ends and every line is answered. */
export async function serve(
  options: ServerOptions,
  { input, output }: { readonly input: Readable; readonly output: Writable },
): Promise<void> {
  const running = new Set<Promise<void>>();
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (line.trim() === '') continue;
    const answered = write(answerLine(line.length > LONGEST_LINE ? '' : line, options), output);
    running.add(answered);
    void answered.finally(() => running.delete(answered));
  }
  await Promise.all(running);
}

async function write(answering: Promise<string | undefined>, output: Writable): Promise<void> {
  const said = await answering;
  if (said !== undefined) output.write(`${said}\n`);
}
