// The routes by which others report what happened on their side: providers, and the deployment's 3-D Secure server.
import type { TableRoute } from '../../kit/http/route.ts';
import { flag, object } from '../../kit/http/schema.ts';
import { authenticator, providers } from '../../provider/registry.ts';
import type { Account } from '../merchant/account.ts';
import type { Tools } from '../tools.ts';
import type { Disputing } from './apply.ts';
import { takeBankWord } from './bank-word.ts';
import { takeMessage } from './inbox.ts';

type MessageRoute = TableRoute<Tools, Account>;

export function messageRoutes(disputing: Disputing): readonly MessageRoute[] {
  const message = messageRoute(disputing);
  return [message, bankWordRoute(message)];
}

/**
 * The route by which providers report what happened on their side; each signs in its own way, with secrets of the
 * contract.
 */
function messageRoute(disputing: Disputing): MessageRoute {
  return {
    method: 'POST',
    path: '/provider/:provider/:contract/events',
    aliases: [],
    operation_id: 'takeProviderEvent',
    summary: 'Take a message of a provider, signed by it',
    tag: 'Provider',
    key: 'none',
    scope: undefined,
    body: { type: 'object', description: "The provider's own form", examples: [{}] },
    query: undefined,
    answer: object({ received: flag('It is stored, and will be applied', true) }, { title: 'ProviderEventAnswer' }),
    refusals: ['key_invalid', 'route_unknown', 'unavailable'],
    cross_origin: false,
    raw: true,
    headers: MESSAGE_HEADERS,
    withTools: (tools) => ({
      run: ({ raw, headers, params }) =>
        takeMessage(
          tools,
          { provider: params['provider'] ?? '', contract: params['contract'] ?? '', raw, headers },
          disputing,
        ),
    }),
  };
}

const MESSAGE_HEADERS = [...new Set([...providers().values()].flatMap(({ notices }) => notices?.headers ?? []))];

/** The route by which the deployment's 3-D Secure server tells how a payer's bank ended a challenge. */
function bankWordRoute(like: MessageRoute): MessageRoute {
  return {
    ...like,
    path: '/authentication/:server/events',
    operation_id: 'takeAuthenticationEvent',
    summary: 'Take a message of the 3-D Secure server, signed by it',
    body: { type: 'object', description: "The server's own form", examples: [{}] },
    answer: object({ received: flag('It is taken', true) }, { title: 'AuthenticationEventAnswer' }),
    headers: authenticator({ simulator_deadline_s: 0 }).proof_headers,
    withTools: (tools) => ({
      run: ({ raw, headers, params }) => takeBankWord(tools, { server: params['server'] ?? '', raw, headers }),
    }),
  };
}
