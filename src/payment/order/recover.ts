// An authorization whose process died or whose answer did not come: it is never sent again. The vault tells whether it went
// out, the provider's inquiry what became of it; without proof it stays in doubt (engine.md 3.2).
import { findProvider } from '../../provider/registry.ts';
import type { Provider } from '../../provider/contract.ts';
import type { Tools } from '../tools.ts';
import type { Observation } from './decide.ts';
import type { OperationFacts, OrderFacts } from './read/facts.ts';
import { findOrder } from './read/store.ts';
import { record } from './record.ts';
import { type ClaimedOperation, claimOperations, note } from './store.ts';
import { providerFacts } from './submit.ts';

const LEASE_S = 20;

/** Takes what is due and works on it; answers how many there were. */
export async function recoverDue(tools: Tools, room: number): Promise<number> {
  const claimed = await claimOperations(tools.db, { room, lease_s: LEASE_S });
  await Promise.all(
    claimed.map((operation) =>
      recover(tools, operation).catch((error: unknown) =>
        tools.log.error(
          { order_id: operation.order_id, operation_id: operation.id, error: String(error) },
          'recovery will try again',
        ),
      ),
    ),
  );
  return claimed.length;
}

async function recover(tools: Tools, claimed: ClaimedOperation): Promise<void> {
  if (tools.running.find(claimed.order_id)) return;
  const db = tools.db.tenant(claimed.merchant_account_id);
  const order = await findOrder(db, claimed.order_id);
  const operation = order?.operations.find(({ id }) => id === claimed.id);
  const transaction = order?.transactions.find(({ id }) => id === operation?.transaction_id);
  const provider = findProvider(transaction?.provider ?? '');
  if (!order || !operation || !provider) throw new Error('a claimed operation has an order and a provider');
  const open = { provider, order, operation };
  const observation =
    (operation.kind === 'authorize' && (await fromVault(tools, open))) || (await fromInquiry(tools, open));
  const retry_s = backoff(tools, claimed.tries);
  // what comes after an authorization is not recovered yet: it stays in doubt, with what was seen
  if (operation.kind !== 'authorize') {
    const { source, outcome } = observation;
    await note(db, {
      order_id: order.id,
      operation_id: operation.id,
      transaction_id: operation.transaction_id,
      source,
      outcome: outcome.kind,
      provider_ref: null,
      provider_code: null,
      state: 'in_doubt',
      waits_for: operation.waits_for,
      retry_s,
      detail: null,
    });
    return;
  }
  await record(tools, order, { operation, observation, retry_s });
}

/** engine.md 9: min(5 min, 0.5 s · 2^tries), a quarter more or less so that a crowd does not come back together. */
function backoff(tools: Tools, tries: number): number {
  return Math.min(300, 0.5 * 2 ** Math.min(tries, 12)) * (0.75 + (tools.chance.bytes(1)[0] ?? 0) / 510);
}

type Open = { readonly provider: Provider; readonly order: OrderFacts; readonly operation: OperationFacts };

/** Undefined: it was sent, and the vault has no answer to show. */
async function fromVault(tools: Tools, { provider, order, operation }: Open): Promise<Observation | undefined> {
  const stone = await tools.vault.tombstone(operation.id);
  if (!stone.sent) return { source: 'vault', outcome: { kind: 'not_sent', result: 'provider_unreachable' } };
  if (!stone.answer) return undefined;
  const outcome = provider.read(stone.answer, providerFacts(order, operation, null));
  return outcome.kind === 'unknown' ? undefined : { source: 'vault', outcome };
}

async function fromInquiry(tools: Tools, { provider, order, operation }: Open): Promise<Observation> {
  const facts = {
    ...providerFacts(order, operation, null),
    kind: 'inquiry',
    target_operation_id: operation.id,
  } as const;
  const call = provider.can.inquiry ? provider.write(facts) : undefined;
  const answer = call && (await tools.direct({ ...call, body: '' }));
  const outcome = answer ? provider.read(answer, facts) : ({ kind: 'unknown', why: 'timeout' } as const);
  return { source: 'inquiry', outcome };
}
