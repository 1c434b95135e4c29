// What the vault throws away while it runs: old cvcs and old cards.
import { deletePast } from './forget.ts';
import type { VaultTools } from './tools.ts';

/** How often old cvcs are overwritten and old cards deleted. */
const SWEEP_MS = 30_000;

/**
 * Begins to sweep. The function it returns ends that, when no cvc is needed any more, and stores what is still to be
 * stored.
 */
export function sweep(vault: VaultTools): () => Promise<void> {
  const sweeper = setInterval(() => {
    Promise.all([vault.cvcs.sweep(), deletePast(vault)]).catch((error: unknown) =>
      vault.log.warn({ error: String(error) }, 'old cards could not be deleted'),
    );
  }, SWEEP_MS);
  return async () => {
    clearInterval(sweeper);
    await vault.cvcs.sweep('all');
    await vault.answers.flush();
  };
}
