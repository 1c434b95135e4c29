// What is answered without a key: health, metrics, the reference, problem pages, scripts, frames, logos, the back
// office's app.
import { PROBLEM_PAGES } from '../../../src/core/refusals.ts';
import { type Request, send as ask } from '../../client.ts';
import type { Area } from '../stage.ts';

const send = (url: string, request: Request = {}) => ask(url, request);
const LANGUAGES = ['en', 'fr', 'de', 'ar', 'xx'];

export const pages: Area = {
  name: 'pages',
  play: async ({ w, title, scene, shop, pay }) => {
    const { base_url, vault_url, backoffice_url } = w.service.addresses;
    title('Health');
    for (const url of [base_url, vault_url, backoffice_url])
      for (const path of ['/health', '/ready']) await ready(url + path);

    title('The payment API');
    await send(`${base_url}/`);
    for (const path of ['/docs', '/docs/settings/', '/docs/host.json', '/docs/no-such/']) await shown(base_url + path);
    await send(`${base_url}/problems`);
    for (const slug of [...Object.keys(PROBLEM_PAGES), 'no-such']) await send(`${base_url}/problems/${slug}`);
    await send(`${base_url}/openapi.json`);
    await openApi();

    title('The vault: scripts, styles, frames');
    const script = await send(`${vault_url}/javascript/2.3/florin-client.min.js`);
    await send(`${vault_url}/javascript/2.3/florin-client.js`);
    await send(`${vault_url}/stylesheet/2.3/florin-client.min.css`);
    await send(`${vault_url}/javascript/2.3/no-such.js`);
    await send(`${vault_url}/stylesheet/${'x'.repeat(33)}/florin-client.min.css`);
    await send(`${vault_url}/javascript/2.3/florin-client.min.js`, {
      headers: { 'if-none-match': script.headers.get('etag') ?? '' },
    });
    for (const language of LANGUAGES) await send(`${vault_url}/fields/${language}/${w.keys.public_key}`);
    await send(`${vault_url}/fields/en/-`);
    await send(`${vault_url}/fields/en/nobodys-key-nobodys-key-nobodys`);
    await scripts();

    title('Logos');
    for (const file of ['visa.svg', 'visa.png', 'Visa_white.svg', 'no-such.svg', '..%2Fpackage.json']) {
      await send(`${vault_url}/image/logo/${file}`);
      await send(`${vault_url}/image/partners/${file}`);
    }

    title('The back office’s app');
    const app = await send(`${backoffice_url}/`);
    await send(`${backoffice_url}/orders/ffffffffffffffffffffffff`);
    await send(`${backoffice_url}/icon.svg`);
    await send(`${backoffice_url}/app/no-such.js`);
    for (const [, path = ''] of app.text.matchAll(/(?:href|src)="(\/app\/[^"]+)"/g)) {
      const { status, headers, text } = await scene.aside(() => send(backoffice_url + path));
      scene.saw({ method: 'GET', place: 'backoffice', path, status });
      scene.note(
        `\nGET  {backoffice}/app/*.${path.split('.').at(-1)}\n< ${status} ${headers.get('content-type')} ${headers.get('cache-control')} ${text.length > 1000 ? 'long' : 'short'}`,
      );
    }

    title('Metrics: the names and what they are told by');
    await pay('measured');
    await shop.read('ffffffffffffffffffffffff');
    const metrics_url = w.service.metrics_url ?? '';
    const metrics = await scene.aside(() => send(metrics_url));
    scene.saw({ method: 'GET', place: 'metrics', path: '/metrics', status: metrics.status });
    const lines = metrics.text
      .split('\n')
      .filter((line) => line !== '' && !/^florin_(?:build|event_loop|process)|nodejs/.test(line));
    const names = lines.map((line) => (line.startsWith('#') ? line : line.replace(/ [\d.e+-]+$/, '')));
    scene.note(
      `\nGET  {metrics}/metrics\n< ${metrics.status} ${metrics.headers.get('content-type')}\n${[...new Set(names)].toSorted().join('\n')}`,
    );
    await send(metrics_url.replace('/metrics', '/health'));
    await send(metrics_url.replace('/metrics', '/nowhere'));

    /** The pages at /docs are built: what they say is no part of the transcript. */
    async function shown(url: string): Promise<void> {
      const path = new URL(url).pathname;
      const { status, headers } = await scene.aside(() => send(url));
      scene.saw({ method: 'GET', place: 'api', path, status });
      scene.note(`\nGET  {api}${path}\n< ${status} ${headers.get('content-type')} ${headers.get('cache-control')}`);
    }

    /** How late the process runs is its own. */
    async function ready(url: string): Promise<void> {
      const answer = await send(url);
      if (answer.status !== 200) throw new Error(`${url} is not ready: ${answer.text}`);
    }

    /** The description route by route: a change is seen where it is. */
    async function openApi(): Promise<void> {
      const { body } = await scene.aside(() => shop.api('/openapi.json'));
      const document = body as Readonly<Record<string, Readonly<Record<string, object>>>>;
      for (const [path, methods] of Object.entries(document['paths'] ?? {}))
        for (const [method, route] of Object.entries(methods))
          scene.note(`${method} ${path} ${scene.digest(JSON.stringify(route))}`);
      for (const [name, schema] of Object.entries(document['components']?.['schemas'] ?? {}))
        scene.note(`schema ${name} ${scene.digest(JSON.stringify(schema))}`);
    }

    async function scripts(): Promise<void> {
      const { text } = await send(`${vault_url}/scripts.json`);
      if (!text.includes('scripts')) throw new Error(text);
    }
  },
};
