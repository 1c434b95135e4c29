// What a test speaks to the MCP server with: calls of tools, and what came of them.
import { type Hands, answerLine } from '../../src/commands/mcp/server.ts';

export type Called = { readonly text: string; readonly wrong: boolean };

export function mcpClient(hands: Hands) {
  const said: string[] = [];
  const rpc = async (method: string, params: object = {}): Promise<Record<string, unknown>> => {
    const line = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
    const answer = await answerLine(line, { version: '0.0.0', hands, say: (text) => said.push(text) });
    return JSON.parse(answer ?? 'null');
  };
  const call = async (name: string, given: object = {}): Promise<Called> => {
    const { result, error } = await rpc('tools/call', { name, arguments: given });
    if (!isResult(result)) throw new Error(`no result: ${JSON.stringify(error)}`);
    return { text: result.content[0]?.text ?? '', wrong: result.isError === true };
  };
  const names = async (): Promise<readonly string[]> => {
    const { result } = await rpc('tools/list');
    return isList(result) ? result.tools.map(({ name }) => name) : [];
  };
  return { rpc, call, names, said };
}

type Result = { readonly content: readonly { readonly text: string }[]; readonly isError?: boolean };

function isResult(value: unknown): value is Result {
  return typeof value === 'object' && value !== null && 'content' in value && Array.isArray(value.content);
}

function isList(value: unknown): value is { readonly tools: readonly { readonly name: string }[] } {
  return typeof value === 'object' && value !== null && 'tools' in value && Array.isArray(value.tools);
}

/**
 * What stands between the lines of the fence, and the fence's number; undefined: there is no fence, or more than one.
 */
export function fencedIn(
  text: string,
): { readonly mark: string; readonly data: string; readonly outside: string } | undefined {
  const found = /^\[data ([0-9a-f]{18})\]\n([^]*)\n\[end of data \1\]$/m.exec(text);
  if (!found) return undefined;
  const [whole, mark = '', data = ''] = found;
  return { mark, data, outside: text.replace(whole, '') };
}
