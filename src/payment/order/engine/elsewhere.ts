// What a merchant did at the provider's own site. The provider is asked for its books of the payment; what they show
// and ours do not is booked in one commit. What does not fit is a contradiction: the order is in doubt, and a person
// looks. A provider that cannot be asked tells it by messages that are believed.
import { withTransaction } from '../../../kit/database.ts';
import type { Tools } from '../../tools.ts';
import { contradiction } from '../decide/ended.ts';
import { type Observation, NOTHING_SAID } from '../decide/decision.ts';
import {
  type Made,
  adopting,
  capturesOf,
  isCaptureOpenElsewhere,
  isQuiet,
  madeElsewhere,
  standingOf,
} from '../decide/elsewhere.ts';
import { findOrder } from '../facts/order-store.ts';
import { settledFacts } from '../facts/settled.ts';
import { type OperationFacts, type OrderFacts, providerNameOf } from '../facts/order-facts.ts';
import { contradict } from './contradict.ts';
import { dropLapse } from '../expiry/expiry-store.ts';
import { showBooks } from './inquire.ts';
import { observed, settleFacts } from './record-plan.ts';
import { settleIn } from './settle-store.ts';

/**
 * `adopted`: it is booked here, or the order is in doubt about it. `nothing`: the books say what ours say. `silent`:
 * the provider did not say. `later`: something is under way or in doubt here, so nothing can be told yet.
 */
export type Looked = 'adopted' | 'nothing' | 'silent' | 'later';

const MAX_ROUNDS = 5;

/** Asks for the provider's books of the payment that holds the order's money. */
export async function lookElsewhere(tools: Tools, first: OrderFacts): Promise<Looked> {
  let order = first;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const authorize = standingOf(order);
    if (!authorize) return 'nothing';
    if (!isQuiet(order)) return 'later';
    const provider = tools.providers.get(providerNameOf(order, authorize));
    const heard = provider && (await showBooks(tools, { provider, order, operation: authorize }));
    if (!heard) return 'silent';
    const made = madeElsewhere(order, heard.shown);
    if (made.length === 0) return isCaptureOpenElsewhere(order, heard.shown) ? 'later' : 'nothing';
    if (await adopt(tools, order, { all: made, source: 'inquiry', answer: heard.answer })) return 'adopted';
    order = (await findOrder(tools.db.tenant(order.merchant_account_id), order.id)) ?? order;
  }
  return 'later';
}

/** A message that is believed by itself tells of one thing that was done there. */
export async function adoptTold(tools: Tools, order: OrderFacts, made: Made): Promise<Looked> {
  if (!standingOf(order)) return 'nothing';
  if (!isQuiet(order)) return 'later';
  return (await adopt(tools, order, { all: [made], source: 'webhook' })) ? 'adopted' : 'later';
}

type Adopting = Pick<Observation, 'source' | 'answer'> & { readonly all: readonly Made[] };
class Moved extends Error {}

/** False: the order has moved, and nothing was done. */
async function adopt(tools: Tools, order: OrderFacts, { all, ...heard }: Adopting): Promise<boolean> {
  const authorize = standingOf(order);
  if (!authorize) return false;
  const observation = { ...heard, outcome: standing(order, authorize) } as const;
  const { merchant_account_id } = order;
  try {
    const misfit = await withTransaction(tools.db, merchant_account_id, async (tx) => {
      let now = order;
      for (const made of all) {
        const settlement = adopting(now, made);
        if (!settlement) return { now, made };
        const written = settleFacts({ order: now, operation: authorize, observation, settlement }, tools.chance.id());
        // of the authorization nothing new is said
        const facts = { ...written, provider_ref: null, provider_code: null, provider_text: null, request_id: null };
        const done = await settleIn(tx, merchant_account_id, facts);
        if (!done) throw new Moved();
        now = settledFacts(now, facts, done);
      }
      return undefined;
    });
    if (misfit) return await doubt(tools, misfit, observation);
  } catch (error) {
    if (error instanceof Moved) return false;
    throw error;
  }
  if (all.some(({ kind }) => kind === 'release')) await dropLapse(tools.db.tenant(merchant_account_id), order.id);
  tools.log.info(
    { order_id: order.id, made: all.map(({ kind }) => kind).join(', ') },
    "done at the provider's own site: booked",
  );
  return true;
}

/** What is said of the authorization itself: that it was approved, as we know. */
const standing = (order: OrderFacts, { id, provider_ref, amount_minor }: OperationFacts) =>
  ({
    ...({ kind: 'approved', our_reference: id, captured: false, authorization_code: '', ...NOTHING_SAID } as const),
    reference: provider_ref ?? '',
    amount_minor,
    currency: order.currency,
  }) as const;

/** More was done there than stands here: of a refund its capture is in doubt, else the authorization. */
async function doubt(
  tools: Tools,
  { now, made }: { readonly now: OrderFacts; readonly made: Made },
  observation: Observation,
): Promise<boolean> {
  const [capture] = made.kind === 'refund' ? capturesOf(now, made.of) : [];
  const operation = capture ?? standingOf(now);
  if (!operation) return false;
  const seen = { ...observation.outcome, reference: made.reference } as Observation['outcome'];
  const decision = contradiction('differs', seen);
  tools.log.error({ order_id: now.id, kind: made.kind }, "done at the provider's own site, and more than fits here");
  return contradict(tools, now, { operation, decision, seen: { ...observed({ ...observation, outcome: seen }) } });
}
