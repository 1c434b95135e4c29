// Asks Apple for a session of Apple Pay on the hosted page: the proof to the payer's browser that the merchant is who
// it says. The call goes to the pinned destination and nowhere else, with the account's own certificate.
import { openEgress } from '../../../kit/egress.ts';
import { pinnedTls } from '../../../kit/tls/pinned.ts';
import { areAllowed, bytesOf, problemOf, requestOf, stepOf } from '../../../provider/send/call.ts';
import type { HttpHost } from '../../../provider/send/destinations.ts';
import { NO_CARD } from '../../../provider/send/slots.ts';
import { isUnreadable } from '../../../provider/send/transport.ts';
import type { VaultTools } from '../../tools.ts';
import { APPLE_SESSION, type AppleIdentity, type AppleTools, identityOf, lacksOf } from './identity.ts';

/** The payer looks at a sheet that waits, and Apple closes it after half a minute. */
const MOST_MS = 8000;

type Asked = { readonly merchant_account_id: string; readonly display_name: string };

type Tools = AppleTools & Pick<VaultTools, 'addresses'>;

/** Apple's answer as it came, an object of JSON that only the browser reads; null: there is none. */
export async function appleSession(tools: Tools, asked: Asked): Promise<string | null> {
  const { merchant_account_id } = asked;
  const [lack] = await lacksOf(tools, merchant_account_id);
  const identity = await identityOf(tools, merchant_account_id);
  if (lack || !identity) return refused(tools, asked, lack?.says ?? 'the merchant identity is not set');
  const call = callOf(tools, asked, identity);
  if ('problem' in call) return refused(tools, asked, call.problem);
  // a connection of its own: none that showed one account's certificate is ever used for another
  const egress = openEgress({ tls: () => call.tls, connections: 1 });
  try {
    const said = await egress.exchange(call.sending);
    if (said.kind !== 'answered') return refused(tools, asked, said.kind === 'unknown' ? said.why : said.kind);
    if (said.status !== 200 || isUnreadable(said)) return refused(tools, asked, `it answered ${said.status}`);
    const text = said.body.toString('utf8');
    return isObject(text) ? text : refused(tools, asked, 'its answer is no object of JSON');
  } finally {
    await egress.destroy();
  }
}

/** Apple's words are not logged: what they hold is not known. */
function refused({ log }: Pick<Tools, 'log'>, { merchant_account_id }: Asked, problem: string): null {
  log.warn({ merchant_account_id, problem }, 'no session of Apple Pay was had');
  return null;
}

function callOf(tools: Tools, { display_name }: Asked, identity: AppleIdentity) {
  const destination = tools.destinations.get(APPLE_SESSION.destination);
  const step = destination && stepOf(destination, APPLE_SESSION.step);
  const host = step && destination.hosts[step.host];
  if (!host || !isHttps(host)) return { problem: 'the destination has no host with TLS' };
  const credentials = { merchant_id: identity.merchant_id };
  if (!areAllowed(destination, step, credentials)) return { problem: 'the merchant id is not one that is allowed' };
  const shown = { displayName: display_name, initiative: 'web', initiativeContext: hostOf(tools.addresses.vault_url) };
  const body = [
    '{"merchantIdentifier":',
    { slot: 'secret.merchant_id' },
    `,${JSON.stringify(shown).slice(1)}`,
  ] as const;
  const call = { step: APPLE_SESSION.step, values: {}, key: APPLE_SESSION.step, body };
  const problem = problemOf(call, destination, step);
  if (problem !== undefined) return { problem };
  const bytes = bytesOf(call.step, { step, body, values: { ...NO_CARD, credentials } });
  const request = requestOf(step, host, { ...call, credentials });
  if (!bytes || 'line' in request) return { problem: 'the step is no request with a body' };
  const { certificate: cert, private_key: key } = identity;
  return {
    tls: { ...pinnedTls(host.tls, destination.reach), cert, key },
    sending: {
      ...request,
      origin: host.origin,
      body: bytes,
      deadline_ms: Math.min(MOST_MS, destination.deadline_ms),
      max_answer_bytes: destination.max_answer,
    },
  };
}

const isHttps = (host: object): host is HttpHost & { readonly tls: NonNullable<HttpHost['tls']> } =>
  'origin' in host && 'tls' in host && host.tls !== null;

const hostOf = (url: string) => URL.parse(url)?.hostname ?? '';

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
