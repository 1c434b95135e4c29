// The sender's part of a refused connection (faults/fault.ts).
import type { Egress } from '../kit/egress.ts';
import { REFUSED_STATUS } from './call/deliver.ts';

/**
 * The sender of a sandbox. The simulated provider can refuse a single call only after it has accepted its connection.
 * So it answers with a status of its own, which this sender turns into a call that was never sent
 * (docs/decisions/0032). Answers of real providers do not come through here.
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
