// The pinned destinations of this deployment: in a sandbox the two simulated providers, made by the start itself; in production
// what the operator's signed file says, and nothing else ever.
import type { Config } from './config.ts';
import type { Egress } from './kit/egress.ts';
import type { Direct, SandboxControl } from './payment/tools.ts';
import type { Destination, Destinations } from './vault/forward/destinations.ts';
import { readDestinations } from './vault/forward/signed.ts';

/** Those of this deployment; a file that is wrong or not signed by the operator is a StartError. */
export function openDestinations(config: Config, simulator_url: string | undefined): Destinations {
  const { destinations_file: file, destinations_key_file: key_file, environment } = config;
  const signed = file === '' ? [] : readDestinations({ file, key_file, environment });
  return new Map([...(simulator_url === undefined ? [] : sandboxDestinations(simulator_url)), ...signed]);
}

/** Where the vault may send cards, and where in the body they may stand. */
function sandboxDestinations(simulator_url: string): Destinations {
  const common = {
    base_url: simulator_url,
    tls: null,
    reach: 'loopback',
    headers: {
      accept: 'application/json',
      'idempotency-key': 'operation key',
      'x-api-key': 'secret.api_key?',
    },
    deadline_ms: 30_000,
    max_body: 32_768,
    max_answer: 262_144,
  } as const;
  const json = { method: 'POST', content_type: 'application/json', fixed: {} } as const;
  const payments = (name: string) => ({
    ...common,
    routes: {
      authorize: { ...json, path: `/${name}/payments`, slots: CARD_SLOTS, references: ['id', 'reference'] },
      authorize_token: { ...json, path: `/${name}/payments`, slots: TOKEN_SLOTS, references: ['id', 'reference'] },
    },
  });
  // ids of EMV 3-D Secure are hex, and may be a number's digits by chance
  const references = ['threeDSServerTransID', 'acsTransID', 'dsTransID'];
  // directory and bank hear the number and nothing else of the card
  const three_ds = {
    ...common,
    routes: {
      preauth: { ...json, path: '/three_ds/preauth', slots: { '/card/number': 'card.number' }, references },
      authenticate: {
        ...json,
        path: '/three_ds/authenticate',
        slots: { '/acctNumber': 'card.number' },
        references,
      },
    },
  } as const;
  return new Map<string, Destination>([
    ['simulator', payments('simulator')],
    ['simulator_b', payments('simulator_b')],
    ['three_ds', three_ds],
  ]);
}

const CARD_SLOTS = {
  '/card/number': 'card.number',
  '/card/cvc': 'card.cvc?',
  '/card/expiry_month': 'card.expiry_month',
  '/card/expiry_year': 'card.expiry_year',
  '/card/holder': 'card.holder?',
  '/card/cryptogram': 'card.cryptogram?',
  '/card/eci': 'card.eci?',
} as const;

/** A token of the provider's own, in place of a card. */
const TOKEN_SLOTS = { '/token/id': 'psp.token', '/token/customer': 'psp.customer?' } as const;

/** What the simulated provider answers where its connection was to be refused (src/sandbox/faults/fault.ts). */
const REFUSED_STATUS = 599;

/**
 * The sender of a sandbox. The simulated provider learns only from a call itself that this one call was not to be accepted, and by
 * then there is a connection: it says so by a status of its own, and here that becomes what it stands for, a call that was
 * never sent (docs/decisions/0032). No answer of a real provider passes here.
 */
export function sandboxEgress(egress: Egress): Egress {
  return {
    ...egress,
    exchange: async (sending) => {
      const exchange = await egress.exchange(sending);
      return exchange.kind === 'answered' && exchange.status === REFUSED_STATUS ? { kind: 'not_sent' } : exchange;
    },
  };
}

const DIRECT_ROUTES: Readonly<Record<string, { readonly method: 'GET' | 'POST'; readonly path: string }>> = {
  capture: { method: 'POST', path: '/payments/{payment_id}/captures' },
  refund: { method: 'POST', path: '/captures/{capture_id}/refunds' },
  cancel: { method: 'POST', path: '/payments/{payment_id}/cancel' },
  reversal: { method: 'POST', path: '/reversals' },
  inquiry: { method: 'GET', path: '/payments?reference={reference}' },
  result: { method: 'GET', path: '/results/{server_id}' },
};

/** Calls to providers that carry no card; without a simulator there are none yet. */
export function directOf(simulator_url: string | undefined, egress: Egress): Direct {
  return simulator_url === undefined
    ? async () => ({ outcome: 'not_sent', reason: 'refused' })
    : sandboxDirect(simulator_url, egress);
}

/** Calls to the simulated providers that carry no card. */
function sandboxDirect(simulator_url: string, egress: Egress): Direct {
  return async (call) => {
    const route = DIRECT_ROUTES[call.route];
    if (!route) return { outcome: 'not_sent', reason: 'refused' };
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(call.path_values[name] ?? ''),
    );
    const exchange = await egress.exchange({
      method: route.method,
      origin: simulator_url,
      pool: call.destination,
      path: `/${call.destination}${path}`,
      headers: {
        accept: 'application/json',
        'idempotency-key': call.key,
        ...(call.credentials['api_key'] !== undefined && { 'x-api-key': call.credentials['api_key'] }),
        ...(route.method === 'POST' && { 'content-type': 'application/json' }),
      },
      body: route.method === 'GET' ? null : Buffer.from(call.body),
      deadline_ms: call.deadline_ms,
      max_answer_bytes: 65_536,
    });
    if (exchange.kind === 'answered') return { ...exchange, outcome: 'answered' };
    return exchange.kind === 'not_sent'
      ? { outcome: 'not_sent', reason: 'connect' }
      : { outcome: 'unknown', reason: exchange.why };
  };
}

/** The control of the simulated provider: not a call to a provider, and never there in production. */
export function sandboxControl(simulator_url: string, egress: Egress): SandboxControl {
  return async ({ method, path, body }) => {
    const exchange = await egress.exchange({
      method,
      origin: simulator_url,
      path,
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      body: body === undefined ? null : Buffer.from(JSON.stringify(body)),
      deadline_ms: 25_000,
      max_answer_bytes: 4_194_304,
    });
    if (exchange.kind !== 'answered') return undefined;
    const said: unknown = JSON.parse(exchange.body.toString('utf8'));
    return typeof said === 'object' && said !== null ? { status: exchange.status, body: { ...said } } : undefined;
  };
}
