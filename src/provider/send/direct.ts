// Sends calls that carry no card. It has the same destinations and the same tables as the vault, and refuses what is
// not as it is pinned; a step that carries a card is the vault's alone.
import type { Forwarded } from '../../core/link/verbs.ts';
import type { Log } from '../../kit/log.ts';
import { type Step, goesThroughVault } from '../contract.ts';
import { type StepCall, areAllowed, areComplete, bytesOf, problemOf, requestOf, stepOf } from './call.ts';
import { type Destination, type Destinations, type Host, isHostOf } from './destinations.ts';
import type { Credentials } from './secret.ts';
import { NO_CARD } from './slots.ts';
import { type Transport, isUnreadable } from './transport.ts';

/** A call, with the credentials of the merchant's contract with the provider. */
export type DirectCall = StepCall & { readonly credentials: Credentials };
export type Direct = (call: DirectCall) => Promise<Forwarded>;

type Tools = { readonly destinations: Destinations; readonly transport: Transport; readonly log: Log };

export function openDirect({ destinations, transport, log }: Tools): Direct {
  return async (call) => {
    const found = find(destinations, call);
    if ('problem' in found) {
      const { destination, step, key } = call;
      log.error({ destination, step, key, problem: found.problem }, 'a call was refused: not as its step is pinned');
      return { outcome: 'not_sent', reason: found.reason };
    }
    const sent = await send(transport, call, found);
    if (sent) return sent;
    const { destination, step, key } = call;
    log.error({ destination, step, key }, 'a call was not sent: a credential is longer than its field');
    return { outcome: 'not_sent', reason: 'credentials' };
  };
}

type Found = { readonly destination: Destination; readonly step: Step; readonly host: Host };
type Refused = { readonly problem: string; readonly reason: 'refused' | 'credentials' };

function find(destinations: Destinations, call: DirectCall): Found | Refused {
  const destination = destinations.get(call.destination);
  const step = destination && stepOf(destination, call.step);
  const host = step && destination.hosts[step.host];
  if (!host) return refused('no such destination or step');
  if (!isHostOf(host, step)) return refused('the host is not of the kind that the step wants');
  if (goesThroughVault(step)) return refused('the step carries a card');
  const problem = problemOf(call, destination, step);
  if (problem !== undefined) return refused(problem);
  if (!areComplete(step, call.credentials)) return { problem: 'a credential is missing', reason: 'credentials' };
  if (!areAllowed(destination, step, call.credentials))
    return { problem: 'a credential is not one that is allowed', reason: 'credentials' };
  return { destination, step, host };
}

const refused = (problem: string): Refused => ({ problem, reason: 'refused' });

/** Undefined: a value is longer than its field. */
async function send(
  transport: Transport,
  call: DirectCall,
  { destination, step, host }: Found,
): Promise<Forwarded | undefined> {
  const body = bytesOf(call.step, { step, body: call.body, values: { ...NO_CARD, credentials: call.credentials } });
  if (body === undefined) return undefined;
  const exchange = await transport.send(call.destination, {
    ...requestOf(step, host, call),
    body,
    deadline_ms: Math.min(call.deadline_ms, destination.deadline_ms),
  });
  if (exchange.kind === 'not_sent') return { outcome: 'not_sent', reason: 'connect' };
  if (exchange.kind === 'unknown') return { outcome: 'unknown', reason: exchange.why };
  if (isUnreadable(exchange)) return { outcome: 'unknown', reason: 'unreadable' };
  return { outcome: 'answered', status: exchange.status, body: exchange.body };
}
