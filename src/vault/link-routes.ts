// The card zone's side of the link over HTTPS (vault.md 2): what inProcessLink (link.ts) offers, as routes. Whoever calls holds
// a certificate of ours, and is not believed for that: every value is checked before it is used.
import { isCredential, isCredentialName, isId, isPageKeyId, isToken } from '../core/ids.ts';
import { type Scope, isScope } from '../core/keys/scopes.ts';
import { type LinkCall, LinkRefusal, type LinkRoute } from '../kit/link/server.ts';
import type { ContractCredentials } from './contracts/contracts.ts';
import type { Forward, ForwardAnswer } from './forward/forward.ts';
import type { Part } from './forward/wire.ts';
import type { inProcessLink } from './link.ts';

const MAX_PARTS = 200;
const MAX_SETTLED = 1000;

type Link = ReturnType<typeof inProcessLink>;

/** Keys come from the payment host alone; a worker sends and asks what recovery needs. */
export function vaultLinkRoutes(link: Link): readonly LinkRoute[] {
  const both = ['payment', 'worker'] as const;
  return [
    {
      method: 'PUT',
      path: '/internal/forwards/:',
      peers: both,
      run: async (call) => packed(await link.forward(readForward(call))),
    },
    {
      method: 'PUT',
      path: '/internal/forwards/:/tombstone',
      peers: both,
      run: async (call) => packed(await link.tombstone(idOf(call))),
    },
    readyRoute(link),
    {
      method: 'PUT',
      path: '/internal/settled',
      peers: both,
      run: async ({ body }) => {
        for (const id of readIds(body)) link.settled(id);
      },
    },
    {
      method: 'PUT',
      path: '/internal/cards/:',
      peers: both,
      run: async ({ parameters: [token_hash = ''], body }) => {
        const asked = fieldsOf(body);
        const checkout_id = asked('checkout_id');
        return (
          (await link.card({
            token_hash: matching(token_hash, isToken, 'token_hash'),
            merchant_account_id: matching(asked('merchant_account_id'), isId, 'merchant_account_id'),
            checkout_id: checkout_id === null ? null : matching(checkout_id, isId, 'checkout_id'),
          })) ?? null
        );
      },
    },
    {
      method: 'DELETE',
      path: '/internal/cards/:',
      peers: both,
      run: async (call) => ({ gone: await link.remove(readRemoval(call)) }),
    },
    ...hostRoutes(link),
  ];
}

/** What is said of the host itself: who may call it, whose tokens may be brought, and how late it is in a sandbox. */
function hostRoutes(link: Link): readonly LinkRoute[] {
  const payment = ['payment'] as const;
  return [
    {
      method: 'PUT',
      path: '/internal/api_keys/:',
      peers: payment,
      run: async (call) => link.putApiKey(readApiKey(call)),
    },
    {
      method: 'PUT',
      path: '/internal/partners/:/:',
      peers: payment,
      run: async ({ parameters: [merchant_account_id, name = ''] }) =>
        link.putPartner(matching(merchant_account_id, isId, 'merchant_account_id'), name),
    },
    {
      method: 'PUT',
      path: '/internal/contracts/:/credentials',
      peers: payment,
      run: async (call) => ({ kept: await link.keepCredentials(readCredentials(call)) }),
    },
    {
      method: 'DELETE',
      path: '/internal/api_keys/:',
      peers: payment,
      run: async (call) => link.removeApiKey(keyIdOf(call)),
    },
    {
      method: 'PUT',
      path: '/internal/clock',
      peers: ['payment', 'worker'],
      run: async ({ body }) => link.moveClock(readShift(body)),
    },
  ];
}

function readyRoute(link: ReturnType<typeof inProcessLink>): LinkRoute {
  const run = async () => ({ ready: await link.ready() });
  return { method: 'GET', path: '/internal/ready', peers: ['payment', 'worker'], run };
}

/** Bytes of an answer travel as base64. */
function packed(said: object): object {
  if ('answer' in said && isAnswer(said.answer)) return { ...said, answer: inBase64(said.answer) };
  return isAnswer(said) ? inBase64(said) : said;
}

function isAnswer(value: unknown): value is ForwardAnswer {
  return typeof value === 'object' && value !== null && 'body' in value && value.body instanceof Uint8Array;
}

function inBase64(answer: ForwardAnswer): object {
  return { ...answer, body: Buffer.from(answer.body).toString('base64') };
}

/** A host of the version before does not say it. */
const NO_REQUEST = '0'.repeat(24);

function readForward(call: LinkCall): Forward {
  const asked = fieldsOf(call.body);
  const checkout_id = asked('checkout_id');
  // a host of the version before does not say it
  const contract_id = asked('contract_id') ?? null;
  const deadline_ms = asked('deadline_ms');
  if (typeof deadline_ms !== 'number' || !(deadline_ms >= 1 && deadline_ms <= 120_000))
    throw new LinkRefusal('deadline_ms must be a number from 1 to 120000');
  return {
    operation_id: idOf(call),
    order_id: matching(asked('order_id'), isId, 'order_id'),
    request_id: matching(asked('request_id') ?? NO_REQUEST, isId, 'request_id'),
    merchant_account_id: matching(asked('merchant_account_id'), isId, 'merchant_account_id'),
    token_hash: matching(asked('token_hash'), isToken, 'token_hash'),
    checkout_id: checkout_id === null ? null : matching(checkout_id, isId, 'checkout_id'),
    contract_id: contract_id === null ? null : matching(contract_id, isId, 'contract_id'),
    destination: matching(asked('destination'), isShort, 'destination'),
    route: matching(asked('route'), isShort, 'route'),
    key: matching(asked('key'), isShort, 'key'),
    body: readParts(asked('body')),
    deadline_ms,
  };
}

function readParts(value: unknown): readonly Part[] {
  if (!Array.isArray(value) || value.length > MAX_PARTS)
    throw new LinkRefusal(`body must be a list of at most ${MAX_PARTS} parts`);
  return value.map((part: unknown) => {
    if (typeof part === 'string') return part;
    if (typeof part !== 'object' || part === null || Object.keys(part).length !== 1 || !('slot' in part))
      throw new LinkRefusal('a part of body must be a text or a slot');
    return { slot: matching(part.slot, isShort, 'slot') };
  });
}

function readRemoval({ body, parameters: [token_hash] }: LinkCall) {
  const asked = fieldsOf(body);
  const still_needed = asked('still_needed');
  if (typeof still_needed !== 'boolean') throw new LinkRefusal('still_needed must be true or false');
  return {
    token_hash: matching(token_hash, isToken, 'the token in the path'),
    merchant_account_id: matching(asked('merchant_account_id'), isId, 'merchant_account_id'),
    still_needed,
  };
}

function readApiKey(call: LinkCall): Parameters<ReturnType<typeof inProcessLink>['putApiKey']>[0] {
  const asked = fieldsOf(call.body);
  const [kind, environment] = [asked('kind'), asked('environment')];
  if (kind !== 'private' && kind !== 'public') throw new LinkRefusal('kind must be private or public');
  return {
    id: keyIdOf(call),
    digest: matching(asked('digest'), isToken, 'digest'),
    merchant_account_id: matching(asked('merchant_account_id'), isId, 'merchant_account_id'),
    kind,
    environment: matching(environment, isShort, 'environment'),
    scopes: readScopes(asked('scopes')),
    page_inputs: asked('page_inputs') === true,
    registered_origins: readOrigins(asked('registered_origins')),
  };
}

/** Without a list: everything its kind may. */
function readScopes(given: unknown): readonly Scope[] | null {
  if (given === null || given === undefined) return null;
  if (!Array.isArray(given) || !given.every(isScope)) throw new LinkRefusal('scopes must be a list of scopes');
  return given;
}

function readCredentials(call: LinkCall): ContractCredentials {
  const asked = fieldsOf(call.body);
  const values = asked('values');
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new LinkRefusal('values must be an object');
  const entries = Object.entries(values).map(([name, value]: [string, unknown]) => [
    matching(name, isCredentialName, 'the name of a credential'),
    matching(value, isCredential, `values.${name}`),
  ]);
  return {
    contract_id: idOf(call),
    merchant_account_id: matching(asked('merchant_account_id'), isId, 'merchant_account_id'),
    destination: matching(asked('destination'), isShort, 'destination'),
    values: Object.fromEntries(entries),
  };
}

const MAX_ORIGINS = 100;

function readOrigins(value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.length > MAX_ORIGINS)
    throw new LinkRefusal(`registered_origins must be a list of at most ${MAX_ORIGINS}`);
  return value.map((origin: unknown) =>
    matching(origin, (text) => text.length <= 270 && ORIGIN.test(text), 'registered_origins'),
  );
}

/** It goes into the policy of the field frame as it is: nothing that would be more than one origin there. */
const ORIGIN = /^https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/;

/** Ten years: more than a sandbox can be moved in one go. */
const MOST_MS = 10 * 366 * 24 * 3600 * 1000;

function readShift(body: unknown): number {
  const shift_ms = fieldsOf(body)('shift_ms');
  if (typeof shift_ms !== 'number' || !(Math.abs(shift_ms) <= MOST_MS))
    throw new LinkRefusal('shift_ms must be a number of milliseconds');
  return shift_ms;
}

function readIds(body: unknown): readonly string[] {
  const ids = fieldsOf(body)('operation_ids');
  if (!Array.isArray(ids) || ids.length > MAX_SETTLED)
    throw new LinkRefusal(`operation_ids must be a list of at most ${MAX_SETTLED}`);
  return ids.map((id: unknown) => matching(id, isId, 'operation_ids'));
}

function idOf({ parameters: [id = ''] }: LinkCall): string {
  return matching(id, isId, 'the id in the path');
}

/** A key of a merchant, or the one of an account's hosted pages. */
function keyIdOf({ parameters: [id = ''] }: LinkCall): string {
  return matching(id, (text) => isId(text) || isPageKeyId(text), 'the id in the path');
}

function isShort(text: string): boolean {
  return /^[\x21-\x7e]{1,64}$/.test(text);
}

function matching(value: unknown, form: (text: string) => boolean, name: string): string {
  if (typeof value === 'string' && form(value)) return value;
  throw new LinkRefusal(`${name} has not the form it must have`);
}

/** A reader of own members; what is absent is undefined. */
function fieldsOf(body: unknown): (name: string) => unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new LinkRefusal('the body must be an object');
  const fields = new Map<string, unknown>(Object.entries(body));
  return (name) => fields.get(name);
}
