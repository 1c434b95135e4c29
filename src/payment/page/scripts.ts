// The scripts of the hosted page beside the payment element. The vault, whose host serves them, gets the list for its
// manifest of scripts (PCI DSS 6.4.3).
import { SCRIPT } from './view/look.ts';

export const PAGE_SCRIPTS = [
  {
    name: 'hosted page',
    path: '/pay/{handle}',
    runs_on: 'the hosted page, on the vault',
    reason: 'mounts the payment element, sends its token once, and looks whether anything has changed',
    text: SCRIPT,
  },
] as const;
