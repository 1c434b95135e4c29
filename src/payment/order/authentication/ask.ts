// Asks directory and bank about the payer (contract 10.1) and commits what they said. No money moves here, so an
// authentication that was cut off is simply asked again, under new ids.
import type { Answer } from '../../../provider/contract.ts';
import type {
  Authenticated,
  AuthenticationFacts as Facts,
  Authenticator,
  MethodSeen,
  Question,
} from '../../../provider/three-ds/contract.ts';
import type { Account } from '../../merchant/account.ts';
import type { Tools } from '../../tools.ts';
import { type OrderFacts, lastTransaction } from '../facts/order-facts.ts';
import { type Applied, applyAuthentication, demandMethod } from './apply.ts';
import { type AuthenticationFacts, openAuthentication } from '../facts/authentication-facts.ts';
import { noteEnrolment } from './authentication-store.ts';

export type Asking = {
  readonly account: Pick<Account, 'name' | 'settings' | 'contracts'>;
  readonly token_hash: string;
  /** Present after the bank had its look at the browser; undefined: the bank was not asked yet. */
  readonly method?: MethodSeen;
};

export async function ask(tools: Tools, order: OrderFacts, asking: Asking): Promise<Applied> {
  const authentication = openAuthentication(order);
  if (!authentication) return { order, goes_on: undefined };
  const { authenticator: server } = tools;
  const applied = (seen: Authenticated) => applyAuthentication(tools, order, { ...asking, authentication, seen });
  if (!server) return applied({ kind: 'unreachable' });
  const asked = factsOf(tools, { order, authentication, asking });
  const send = sender(tools, { order, authentication, asking, server });
  const known = asking.method === undefined ? undefined : enrolled(authentication);
  const enrolment = known ?? (await enrol(server, asked, send));
  if (enrolment.kind !== 'enrolled') return applied(enrolment);
  const { server_id, version, method_url } = enrolment;
  if (!known && method_url !== null)
    return demandMethod(tools, order, { ...asking, authentication, enrolment: { ...enrolment, method_url } });
  if (!known) await note(tools, order, { transaction_id: authentication.transaction_id, server_id, protocol: version });
  const about = { server_id, version, method: asking.method ?? 'U' };
  const answer = await send(server.authenticate(asked, about));
  const seen = answer ? server.readAuthentication(answer, about) : ({ kind: 'unreachable' } as const);
  return applyAuthentication(tools, order, { ...asking, authentication, seen, server_id, version });
}

function enrolled({ server_id, version }: AuthenticationFacts) {
  return server_id === null || version === null
    ? undefined
    : ({ kind: 'enrolled', server_id, version, method_url: null } as const);
}

async function enrol(server: Authenticator, asked: Facts, send: Send) {
  const answer = await send(server.enrol(asked));
  return answer ? server.readEnrolment(answer) : ({ kind: 'unreachable' } as const);
}

/** A bank that is quick tells how a challenge ended before the answer that announced it is stored. */
async function note(
  tools: Tools,
  { id: order_id, merchant_account_id }: OrderFacts,
  noted: Omit<Parameters<typeof noteEnrolment>[1], 'order_id'>,
): Promise<void> {
  await noteEnrolment(tools.db.tenant(merchant_account_id), { order_id, ...noted });
}

type Send = (question: Question) => Promise<Answer | undefined>;

/** Through the vault, which fills in the card number and nothing else of it. Undefined: no answer. */
function sender(
  tools: Tools,
  { order, authentication, asking, server }: About & { readonly server: Authenticator },
): Send {
  return async (question) => {
    const forwarded = await tools.vault.forward({
      operation_id: tools.chance.id(),
      order_id: order.id,
      request_id: order.operations.at(-1)?.request_id ?? null,
      merchant_account_id: order.merchant_account_id,
      token_hash: asking.token_hash,
      checkout_id: order.checkout_id,
      contract_id: null,
      ...question,
      destination: server.destination,
      key: authentication.id,
    });
    return forwarded.outcome === 'answered' ? forwarded : undefined;
  };
}

type About = {
  readonly order: OrderFacts;
  readonly authentication: AuthenticationFacts;
  readonly asking: Asking;
};

function factsOf(tools: Tools, { order, authentication, asking }: About): Facts {
  const { vault_url } = tools.addresses;
  const { website_url } = order.body;
  const transaction = lastTransaction(order);
  return {
    authentication_id: authentication.id,
    merchant_account_id: order.merchant_account_id,
    merchant_name: asking.account.settings.page_name || asking.account.name,
    order_id: order.id,
    order_merchant_id: order.order_merchant_id,
    amount_minor: order.amount_minor,
    currency: order.currency,
    scheme: transaction.payment_method_name,
    demand: authentication.demand,
    stored_card: transaction.token_type === 'recurring',
    at: tools.clock.now(),
    notification_url: `${vault_url}/pay/${authentication.handle}/back`,
    requestor_url: typeof website_url === 'string' ? website_url : vault_url,
    body: order.body,
  };
}
