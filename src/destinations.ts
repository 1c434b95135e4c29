// The pinned destinations of this deployment: in a sandbox the two simulated providers, and nothing else ever.
import type { Egress } from './kit/egress.ts';
import type { Direct } from './payment/tools.ts';
import type { Destinations } from './vault/forward/destinations.ts';

/** Where the vault may send cards, and where in the body they may stand. */
export function sandboxDestinations(simulator_url: string): Destinations {
  const slots = [
    'card.number at number',
    'card.cvc? at cvc',
    'card.expiry_month at expiry_month',
    'card.expiry_year at expiry_year',
    'card.holder? at holder',
  ];
  return new Map(
    ['simulator', 'simulator_b'].map((name) => [
      name,
      { base_url: simulator_url, routes: { authorize: { method: 'POST', path: `/${name}/payments`, slots } } },
    ]),
  );
}

const DIRECT_ROUTES: Readonly<Record<string, { readonly method: 'GET' | 'POST'; readonly path: string }>> = {
  inquiry: { method: 'GET', path: '/payments?reference={reference}' },
  capture: { method: 'POST', path: '/payments/{payment_id}/captures' },
  refund: { method: 'POST', path: '/captures/{capture_id}/refunds' },
  cancel: { method: 'POST', path: '/payments/{payment_id}/cancel' },
  reversal: { method: 'POST', path: '/reversals' },
};

/** Calls to the simulated providers that carry no card. */
export function sandboxDirect(simulator_url: string, egress: Egress): Direct {
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
      headers: { 'content-type': 'application/json', accept: 'application/json', 'idempotency-key': call.key },
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
