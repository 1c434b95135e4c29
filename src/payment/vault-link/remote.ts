// The vault on a host of its own: the same verbs as in-process, over HTTPS with mutual TLS. The difference between
// answered, not sent and unknown is kept exactly: without a connection nothing was sent; once a byte of the request may
// have left, only the vault's own word counts, and a lost one is `unknown`.
import { FormProblem } from '../../core/link/form.ts';
import { VAULT_VERBS } from '../../core/link/verbs.ts';
import { Refusal } from '../../core/refusals.ts';
import type { Clock } from '../../kit/clock.ts';
import type { LinkClient } from '../../kit/link/client.ts';
import { answerOf, askOf, callsOf } from '../../kit/link/verbs.ts';
import type { Log } from '../../kit/log.ts';
import type { Forward, Forwarded, VaultLink } from '../vault-link.ts';

/** The time that the vault itself may take beside the provider's: its commits before and after. */
const VAULT_MS = 6000;
/** Hints are gathered for so long and go together. */
const GATHER_MS = 20;
const MAX_GATHERED = 1000;

type Tools = { readonly link: LinkClient; readonly clock: Clock; readonly log: Log };

export function remoteLink(tools: Tools): VaultLink {
  const calls = callsOf(VAULT_VERBS, tools.link, 'the vault');
  return {
    ...calls,
    forward: (asked) => forward(tools.link, asked),
    settled: gathered(tools),
    card: (question) =>
      calls.card(question).catch((error: unknown) => {
        if (error instanceof FormProblem) throw error;
        tools.log.error({ error: String(error) }, 'the vault did not say what a card is');
        throw unavailable();
      }),
    ready: () => calls.ready({}).catch(() => false),
  };
}

async function forward(link: LinkClient, asked: Forward): Promise<Forwarded> {
  const deadline_ms = asked.deadline_ms + VAULT_MS;
  const exchange = await link.ask({ ...askOf(VAULT_VERBS.forward, asked), deadline_ms });
  if (exchange.kind === 'not_sent') return { outcome: 'not_sent', reason: 'connect' };
  if (exchange.kind === 'unknown') return { outcome: 'unknown', reason: exchange.why };
  // refused as malformed, or from a host that may not: nothing was begun
  if (exchange.status === 400 || exchange.status === 403) return { outcome: 'not_sent', reason: 'refused' };
  if (exchange.status !== 200) throw new Error(`the vault answered a forward with ${exchange.status}`);
  try {
    return answerOf(VAULT_VERBS.forward, exchange.body);
  } catch (error) {
    if (error instanceof FormProblem) return { outcome: 'unknown', reason: 'unreadable' };
    throw error;
  }
}

/** The vault is asked before anything is stored, so this request left nothing behind. */
function unavailable(): Refusal {
  return new Refusal('unavailable', {
    detail: 'the vault cannot be reached; nothing was accepted, and the token was not spent',
    headers: { 'retry-after': '2' },
  });
}

/**
 * Joins all hints of a moment in one call. If the call is lost, the vault keeps the answers for a while: nothing
 * depends on it.
 */
function gathered({ link, clock, log }: Tools): (operation_id: string) => void {
  let waiting: string[] = [];
  const send = async () => {
    await clock.sleep(GATHER_MS);
    const operation_ids = waiting.slice(0, MAX_GATHERED);
    waiting = [];
    const { kind } = await link.ask(askOf(VAULT_VERBS.settled, { operation_ids }));
    if (kind !== 'answered') log.debug({ kind }, 'the vault was not told which answers are settled');
  };
  return (operation_id) => {
    waiting.push(operation_id);
    if (waiting.length === 1) void send();
  };
}
