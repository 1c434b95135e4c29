// The simulated acquirer of ISO 8583 for a sandbox.
import { systemClock } from '../../kit/clock.ts';
import type { Simulator } from '../contract.ts';
import { openAcquirer } from './acquirer.ts';

export const SIMULATOR: Simulator = {
  open: async (clock) => {
    const { port, control_port, close } = await openAcquirer({
      port: 0,
      control_port: 0,
      clock: { ...systemClock(), now: () => new Date(clock()) },
    });
    return { url: `tcp://127.0.0.1:${port}`, control_url: `http://127.0.0.1:${control_port}`, close };
  },
  credentials: { terminal_id: 'TERM0001', merchant_id: 'FLORIN-SHOP', acquirer_id: '123456' },
  signs_with: null,
};
