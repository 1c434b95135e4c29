// The simulated provider's own port, as the sandbox routes ask it.
import { Refusal } from '../../core/refusals.ts';
import type { SandboxControl, Tools } from '../tools.ts';

type ControlRequest = Parameters<SandboxControl>[0];
type Said = NonNullable<Awaited<ReturnType<SandboxControl>>>;

/** Asks the simulated provider. Throws `unavailable` if it does not answer: it may just be starting again. */
export async function control(tools: Tools, asked: ControlRequest): Promise<Said> {
  const said = await tools.sandbox?.(asked);
  if (said === undefined || said.status >= 500)
    throw new Refusal('unavailable', {
      detail: 'the simulated provider does not answer: repeat after 1 s',
      headers: { 'retry-after': '1' },
    });
  return said;
}
