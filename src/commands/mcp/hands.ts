// What tools can do. A tool that reads can only ask. A tool that changes something exists only in a sandbox, and checks
// before each step that a sandbox still answers.
import { StartError } from '../../kit/start-error.ts';
import { type Json, type Merchant, type Said, problemOf } from '../sandbox/session.ts';

/** Sends GET requests to the payment API, and nothing else. */
export type Reader = {
  /** Undefined if this key has no such thing (404). Any other status except 200 throws a StartError. */
  read(path: string): Promise<Json | undefined>;
};

/** A merchant of a sandbox. */
export type SandboxHands = Reader & { readonly merchant: Merchant };

const PRODUCTION_KEY = /^[A-Z]{2,6}_PR_p/;

export function readerOf(merchant: Merchant): Reader {
  return {
    read: async (path) => {
      const said = await merchant.ask(path, { method: 'GET' });
      if (said.status === 200) return said.body;
      if (said.status === 404) return undefined;
      throw refused(path, said);
    },
  };
}

function refused(path: string, { status, body }: Said): StartError {
  const [route] = path.split('?');
  if (status === 401 || status === 403)
    return new StartError(`The key of FLORIN_MCP_KEY may not ask for ${route}: ${problemOf(body)}`);
  return new StartError(`${route} was refused with ${status}: ${problemOf(body)}`);
}

/** True if a sandbox answers and the key may use it; production has no such path. */
export async function isSandbox(merchant: Merchant, key: string): Promise<boolean> {
  if (PRODUCTION_KEY.test(key)) return false;
  const { status } = await merchant.ask('/sandbox/cards', { method: 'GET' });
  return status === 200;
}

/** Each step first checks that a sandbox answers, because another service may have the address by now. */
export function sandboxHands(merchant: Merchant, key: string): SandboxHands {
  const requireSandbox = async () => {
    if (!(await isSandbox(merchant, key))) throw new StartError('No sandbox answers here: nothing was done.');
  };
  const guarded: Merchant = {
    base_url: merchant.base_url,
    ask: async (path, asking) => {
      await requireSandbox();
      return merchant.ask(path, asking);
    },
    get: async (path, asking) => {
      await requireSandbox();
      return merchant.get(path, asking);
    },
    token: async (number, more) => {
      await requireSandbox();
      return merchant.token(number, more);
    },
  };
  return { ...readerOf(merchant), merchant: guarded };
}
