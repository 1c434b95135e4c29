// What came in as a message of a provider and was not its word.
import { counter } from '../../kit/metrics/registry.ts';

const refused = counter(
  'florin_provider_message_items_refused_total',
  'Items of messages of providers whose signature did not hold',
);

export function sawRefusedItem(provider: string): void {
  refused.add({ provider });
}
