// florin mcp: a server of the Model Context Protocol on standard input and output, for programs that write code with
// Florin. It knows of the service only what a merchant knows: the address and a key. It does not listen on HTTP.
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { hostUrl } from '../../hosts/ports.ts';
import { readConfig } from '../../settings/config.ts';
import { readWords } from '../arguments.ts';
import { type Merchant, keyOf, merchantAt } from '../sandbox/session.ts';
import { type Reader, type SandboxHands, isSandbox, readerOf, sandboxHands } from './hands.ts';
import { type ServerOptions, answerLine } from './server.ts';

const USAGE = `florin mcp    started by the program that uses it: docs/mcp.md
  FLORIN_BASE_URL and FLORIN_VAULT_URL say where Florin runs, FLORIN_MCP_KEY is a private key with the scope read`;

/** No client sends a longer message. */
const LONGEST_LINE = 1_048_576;

export async function mcpCommand(version: string, args: readonly string[]): Promise<void> {
  readWords(args, { usage: USAGE, texts: [] });
  const config = readConfig();
  const key = keyOf(config, config.mcp_key || undefined);
  const base_url = hostUrl(config, 'api');
  const vault_url = hostUrl(config, 'vault');
  const merchant = merchantAt({ base_url, vault_url }, key);
  const say = (line: string) => console.error(line);
  const found = handsOf(merchant, key);
  await found.look();
  const { answers, hands } = found;
  const kind = answers() ? (hands.sandbox ? 'a sandbox' : 'reading only') : 'nothing answers there yet';
  say(`Florin ${version} at ${base_url}: ${kind}`);
  await serve({ version, hands, say, look: found.look }, { input: process.stdin, output: process.stdout });
}

/** What tools can do; where nothing has answered yet, `look` asks again, and says whether there is more now. */
export function handsOf(merchant: Merchant, key: string) {
  const hands: { reader: Reader; sandbox: SandboxHands | undefined } = {
    reader: readerOf(merchant),
    sandbox: undefined,
  };
  let answered = false;
  const look = async (): Promise<boolean> => {
    if (answered) return false;
    const [asked] = await Promise.allSettled([isSandbox(merchant, key)]);
    // another look may have had its answer meanwhile
    if (answered || asked.status === 'rejected') return false;
    answered = true;
    if (asked.value) hands.sandbox = sandboxHands(merchant, key);
    return asked.value;
  };
  return { hands, look, answers: () => answered };
}

/** Runs until the input ends and every line is answered. */
export async function serve(
  options: ServerOptions & { look?(): Promise<boolean> },
  { input, output }: { readonly input: Readable; readonly output: Writable },
): Promise<void> {
  const running = new Set<Promise<void>>();
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (line.trim() === '') continue;
    const answered = answer(line.length > LONGEST_LINE ? '' : line, options, output);
    running.add(answered);
    void answered.finally(() => running.delete(answered));
  }
  await Promise.all(running);
}

/** A client that was told of fewer tools before is told that there are more, and lists them again. */
const MORE_TOOLS = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });

async function answer(line: string, options: Parameters<typeof serve>[0], output: Writable): Promise<void> {
  const more = asksForTools(line) && (await options.look?.()) === true;
  const said = await answerLine(line, options);
  if (said !== undefined) output.write(`${said}\n`);
  if (more) output.write(`${MORE_TOOLS}\n`);
}

/** Only for these it matters whether there is a sandbox. */
const asksForTools = (line: string) => line.includes('"tools/');
