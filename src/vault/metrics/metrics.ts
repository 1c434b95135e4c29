// The metrics of the card zone.
import { counter, gauge, histogram } from '../../kit/metrics/registry.ts';
import type { DataKeys } from '../keys/keys.ts';

const forwards = counter(
  'florin_vault_forwards_total',
  'Operations sent with a card filled in, by destination and outcome',
);
const seconds = histogram('florin_vault_forward_seconds', 'How long they took, the provider included');
const sealed = gauge('florin_vault_sealed', '1 while the keys of the vault cannot be opened');

export function sawForward({
  destination,
  outcome,
  ms,
}: {
  readonly destination: string;
  readonly outcome: string;
  readonly ms: number;
}): void {
  forwards.add({ destination, outcome });
  seconds.observe({ destination }, ms / 1000);
}

const held = counter(
  'florin_vault_sweeps_held_total',
  'Card numbers refused because too many alike came before, by kind',
);
const seen = counter('florin_vault_sweeps_seen_total', 'Very many card numbers that are alike, by kind');

/** kind: which digits of the numbers differ; key: they came under one Idempotency-Key. */
export function sawSweep(kind: 'middle' | 'end' | 'key', sweep: { readonly held: boolean }): void {
  (sweep.held ? held : seen).add({ kind });
}

/** Tells whether the keys are open, from now on until what is answered is called. */
export function watchKeys(keys: DataKeys): () => void {
  return sealed.from(async () => [[{}, (await keys.status()) === 'ok' ? 0 : 1]]);
}
