// A route as code: in curl, and with the Node client where it has a method for it.
import type { Described } from '../../../src/kit/http/reference/openapi.ts';
import { wirePath } from '../../../src/kit/http/reference/openapi.ts';
import { exampleOf, propertiesOf } from '../../../src/kit/http/schema.ts';
import { fence } from './html.ts';

const IDS: Readonly<Record<string, string>> = {
  customer_id: '5512',
  provider: 'simulator',
  contract: 'main',
  server: 'simulator',
};
const AN_ID = '66bf18d25d1c9a0e47b2f317';

/** What the client calls each route: method, then what is in its brackets; `body` is the example. */
const CLIENT: Readonly<Record<string, readonly [method: string, ...before: string[]]>> = {
  createCheckout: ['checkouts.create'],
  readCheckout: ['checkouts.read', 'checkout_id'],
  createOrder: ['orders.create'],
  listOrders: ['orders.list'],
  retryOrder: ['orders.retry', 'order_id'],
  readOrder: ['orders.read', 'order_id'],
  captureOrder: ['orders.capture', 'order_id'],
  refundOrder: ['orders.refund', 'order_id'],
  cancelOrder: ['orders.cancel', 'order_id'],
  readCustomer: ['customers.read', 'customer_id'],
  removeSavedCards: ['customers.removeSavedCards'],
  createEndpoint: ['endpoints.create'],
  listEndpoints: ['endpoints.list'],
  deleteEndpoint: ['endpoints.delete', 'endpoint_id'],
  testEndpoint: ['endpoints.test', 'endpoint_id'],
  activateEndpoint: ['endpoints.activate', 'endpoint_id'],
  rotateEndpointSecret: ['endpoints.rotateSecret', 'endpoint_id'],
  listNotifications: ['notifications.list'],
  replayNotification: ['notifications.replay', 'notification_id'],
  replayNotifications: ['notifications.replayRange'],
  readSandboxClock: ['sandbox.clock'],
  advanceSandboxClock: ['sandbox.advanceClock'],
  armScenario: ['sandbox.armScenario'],
  listScenarios: ['sandbox.scenarios'],
  removeScenarios: ['sandbox.removeScenarios'],
  readProviderBooks: ['sandbox.books'],
  listSandboxCards: ['sandbox.cards'],
};

export type Hosts = { readonly base_url: string; readonly vault_url: string };

/** The tabs of a page; the reader's choice holds on every page. */
export function samples(route: Described, hosts: Hosts): string {
  const client = clientSample(route, hosts);
  const tabs = [
    ['curl', fence('bash frame="none"', curlSample(route, hosts))],
    ...(client === undefined ? [] : [['Node client', fence('js frame="none"', client)]]),
  ].map(([label, code]) => `<section data-tab="${label}">\n<p><strong>${label}</strong></p>\n\n${code}\n\n</section>`);
  return `<florin-tabs>\n${tabs.join('\n')}\n</florin-tabs>`;
}

function curlSample(route: Described, { base_url, vault_url }: Hosts): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => IDS[name] ?? AN_ID);
  const host = route.server === undefined ? base_url : vault_url;
  const { method } = route;
  const key = route.key === 'any' ? 'PUBLIC_KEY' : 'PRIVATE_KEY';
  const lines = [
    `curl${method === 'GET' || (method === 'POST' && route.body) ? '' : ` -X ${method}`} ${host}${path}`,
    ...(route.key === 'none' ? [] : [`-H "x-api-key: $${key}"`]),
    ...(route.body
      ? [`-H 'content-type: application/json'`, `-d '${JSON.stringify(exampleOf(route.body), undefined, 2)}'`]
      : []),
  ];
  return lines.join(' \\\n  ');
}

function clientSample(route: Described, { base_url, vault_url }: Hosts): string | undefined {
  if (route.operation_id === 'tokenizeCard')
    return `import { openVault } from '@florin/client/vault';

const vault = openVault({ vault_url: '${vault_url}', key: process.env.FLORIN_PUBLIC_KEY });
const answer = await vault.tokenize(${body(route)});`;
  const known = CLIENT[route.operation_id];
  if (!known) return undefined;
  const [method, ...params] = known;
  const all = [...params.map((name) => `'${IDS[name] ?? AN_ID}'`), ...(route.body ? [body(route)] : [])];
  const call = `florin.${method}(${all.join(', ')})`;
  const is_list = route.query !== undefined && propertiesOf(route.query)['cursor'] !== undefined;
  const use =
    is_list && method.endsWith('.list')
      ? `for await (const row of ${call}) console.log(row);`
      : `const answer = await ${call};`;
  return `import { Florin } from '@florin/client';

const florin = new Florin({ base_url: '${base_url}', key: process.env.FLORIN_KEY });
${use}`;
}

/** The example as a program writes it: names without quotes, texts in single ones. */
function body(route: Described): string {
  const text = JSON.stringify(route.body && exampleOf(route.body), undefined, 2);
  return text
    .replace(/^(\s*)"([a-z_]\w*)":/gim, '$1$2:')
    .replace(
      /"((?:[^"\\]|\\.)*)"/g,
      (_, value: string) => `'${value.replaceAll("'", String.raw`\'`).replaceAll(String.raw`\"`, '"')}'`,
    );
}

/** What the try-it of a page sends, as its script reads it. */
export function tryOf(route: Described): string {
  const { method, key } = route;
  const request = {
    method,
    path: wirePath(route.path),
    host: route.server === undefined ? 'base_url' : 'vault_url',
    key,
    query: Object.keys(propertiesOf(route.query ?? {})),
    ...(route.body && { body: JSON.stringify(exampleOf(route.body), undefined, 2) }),
  };
  return JSON.stringify(request);
}
