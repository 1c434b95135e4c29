// A call to a provider as both senders take it: what the provider wrote, and under which key it goes out.
import type { Template } from '../contract.ts';

export type StepCall = {
  /** The provider's name. */
  readonly destination: string;
  readonly step: string;
  /** Of path and query. */
  readonly values: Readonly<Record<string, string>>;
  readonly body: Template;
  /** Goes out as the provider's idempotency key; of the operation and the step, so it is the same after a crash. */
  readonly key: string;
  readonly deadline_ms: number;
};
