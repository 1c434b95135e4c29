// Counts messages of providers that could not be accepted.
import { counter } from '../../kit/metrics/registry.ts';

const refused = counter(
  'florin_provider_message_items_refused_total',
  'Items of messages of providers whose signature did not hold',
);

const unclaimed = counter(
  'florin_provider_messages_unclaimed_total',
  'Messages of providers for a contract that is not here: of another deployment, or lost with an old backup',
);

export function sawUnclaimedMessage(provider: string): void {
  unclaimed.add({ provider });
}

export function sawRefusedItem(provider: string): void {
  refused.add({ provider });
}
