// The cvc of a saved card, entered again (contract 6.3): the same token comes back; the cvc serves one payment within
// 15 minutes, and only that checkout where one was named.
import { SCHEME_NAMES } from '../../core/card.ts';
import { id24, token64 } from '../../core/fields.ts';
import { Refusal, refuseProblems } from '../../core/refusals.ts';
import { Reading } from '../../core/shape.ts';
import { sha256 } from '../../kit/crypto.ts';
import type { Answer } from '../../kit/http/route.ts';
import { answerOf } from '../answer.ts';
import { type Members, plain } from '../card/byte-fields.ts';
import { readCvc } from '../card/request.ts';
import { storeUnderKeys } from '../keys/under.ts';
import { type Earlier, type Key, answerEarlier, findEarlier, keepCvc, onceOf } from '../repeat.ts';
import { findSavedCard, keepUsedKey } from './store.ts';
import { type Asking, refuseClosedCheckout } from '../asking.ts';
import type { VaultTools } from '../tools.ts';

const KNOWN = new Set(['token', 'cvc', 'checkout_id', 'token_type', 'token_kind']);

export async function reenterCvc(tools: VaultTools, asking: Asking): Promise<Answer> {
  const { caller, members, once } = asking;
  asking.ignore(members.unknown(KNOWN));
  const { token, checkout_id } = readFields(members);
  const token_hash = sha256(token);
  const { merchant_account_id } = caller;
  const card = await findSavedCard(tools.db, { token_hash, merchant_account_id, environment: tools.environment });
  if (!card)
    throw new Refusal('token_unusable', {
      problems: [{ field: 'token', refusal: 'token_unusable', message: 'is no saved card of this account' }],
    });
  const cvc = readFittingCvc(members, card.scheme);
  try {
    const found = once && (await findEarlier(tools, caller, once));
    if (!found) await refuseClosedCheckout(tools, checkout_id, merchant_account_id);
    const earlier = found ?? (once && (await keepKey(tools, asking, { once, token, token_hash })));
    // the key is there before the cvc is kept: a repeat takes the place of one that was lost in between, until a
    // payment has left since; after its authorization a cvc is not kept, whatever is sent again (PCI DSS 3.3.1)
    if (!earlier?.spent) await keepCvc(tools, asking, { token_hash, digits: cvc, checkout_id });
    return earlier ? answerEarlier({ ...earlier, checkout_id }) : { body: answerOf({ ...card, checkout_id }, token) };
  } finally {
    cvc.fill(0);
  }
}

type Kept = { readonly once: Key; readonly token: Buffer; readonly token_hash: string };

/**
 * Keeps the Idempotency-Key. One that lost a race was kept by the winner: answers his, refused when he had another
 * body.
 */
async function keepKey(
  tools: VaultTools,
  { caller }: Asking,
  { once, token, token_hash }: Kept,
): Promise<Earlier | undefined> {
  const { merchant_account_id } = caller;
  const kept = await storeUnderKeys(tools, merchant_account_id, ({ card: data_key }) =>
    keepUsedKey(tools.db, {
      ...onceOf(tools, once, { token, merchant_account_id, data_key }),
      merchant_account_id,
      token_hash,
      data_key_id: data_key.id,
    }),
  );
  return kept ? undefined : findEarlier(tools, caller, once);
}

/** Every problem of the fields at once; the cvc is looked at again when its card is known. */
function readFields(members: Members): { token: Buffer; checkout_id: string | null } {
  const reading = new Reading(false);
  const token = plain(members.get('token'), token64, { name: 'token', reading });
  const checkout_id = plain(members.get('checkout_id'), id24, { name: 'checkout_id', reading });
  requiredCvc(members, undefined, reading)?.fill(0);
  const refusal = refuseProblems(reading.problems);
  if (refusal || token === undefined) throw refusal ?? new Error('a token was there');
  return { token: Buffer.from(token, 'hex'), checkout_id: checkout_id ?? null };
}

function readFittingCvc(members: Members, scheme: string): Buffer {
  const reading = new Reading(false);
  const cvc = requiredCvc(members, scheme, reading);
  if (cvc) return cvc;
  throw refuseProblems(reading.problems) ?? new Error('the cvc was checked');
}

function requiredCvc(members: Members, scheme: string | undefined, reading: Reading): Buffer | undefined {
  const node = members.get('cvc');
  if (!node) return reading.refuse('cvc', 'is required', 'parameter_missing');
  const schemes = SCHEME_NAMES.filter((name) => name === scheme);
  return readCvc(node, schemes, { name: 'cvc', reading, required: true });
}
