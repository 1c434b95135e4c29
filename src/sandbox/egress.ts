// The sender's half of a refused connection (faults/fault.ts).
import type { Egress } from '../kit/egress.ts';
import { REFUSED_STATUS } from './call/deliver.ts';

/**
 * The sender of a sandbox. The simulated provider learns only from a call itself that this one call was not to be
 * accepted, and by then there is a connection: it says so by a status of its own, and here that becomes what it stands
 * for, a call that was never sent (docs/decisions/0032). No answer of a real provider passes here.
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
