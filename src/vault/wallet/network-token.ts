// A network token that the merchant has of its own, with the cryptogram for one payment (contract 6.7): kept as a token
// that pays once. The cryptogram waits where a cvc does, and no longer.
import { oneOf, textOfForm } from '../../core/fields.ts';
import { Refusal } from '../../core/refusals.ts';
import { Reading } from '../../core/shape.ts';
import { privateCopy } from '../../kit/crypto.ts';
import { afterCommit } from '../../kit/database.ts';
import type { Answer } from '../../kit/http/route.ts';
import { answerOf } from '../answer.ts';
import { type Asking, refuseClosedCheckout } from '../asking.ts';
import { plain } from '../card/byte-fields.ts';
import { type TokenRequest, readTokenRequest, unknownNames } from '../card/request.ts';
import { keepCard, lifeEnd, tooManyTokens } from '../keep-card.ts';
import { type Earlier, answerEarlier, findEarlier, keepCvc } from '../repeat.ts';
import type { VaultTools } from '../tools.ts';
import { isCryptogram } from './wallet-card.ts';

const ECI = textOfForm(/^0[0-7]$/, 'two digits, 00 to 07', { pattern: '^0[0-7]$' });
const ONESHOT = oneOf('oneshot');

export async function keepNetworkToken(tools: VaultTools, asking: Asking): Promise<Answer> {
  const { caller, members, now, once } = asking;
  if (caller.kind === 'public')
    throw new Refusal('key_forbidden', { detail: 'a network token needs a private key: send it from your server' });
  asking.ignore(unknownNames(members, ['cryptogram', 'eci']));
  const earlier = once && (await findEarlier(tools, caller, once));
  const reading = new Reading(false);
  const { cryptogram, eci } = readFields(asking, reading);
  const today = earlier?.created_at ?? now;
  try {
    const rules = {
      key: caller.kind,
      year: today.getUTCFullYear(),
      month: today.getUTCMonth() + 1,
      numbers: tools.numbers,
      token_type: ONESHOT,
    };
    const request = readTokenRequest(members, rules, reading);
    try {
      if (!cryptogram) throw new Error('the cryptogram was checked');
      if (earlier) return await answerAgain(tools, asking, { earlier, cryptogram });
      return await keep(tools, asking, { request, cryptogram, eci });
    } finally {
      request.number.fill(0);
      request.cvc?.fill(0);
    }
  } finally {
    cryptogram?.fill(0);
  }
}

type Again = { readonly earlier: Earlier; readonly cryptogram: Buffer };

/** Answers a repeat. After its authorization a cryptogram is not stored again, whatever is sent again. */
async function answerAgain(tools: VaultTools, asking: Asking, { earlier, cryptogram }: Again): Promise<Answer> {
  const until = lifeEnd(earlier.kind, earlier.created_at);
  const { token_hash } = earlier;
  if (!earlier.spent) await keepCvc(tools, asking, { token_hash, digits: cryptogram, until });
  return answerEarlier(earlier);
}

/** Reads the fields that a card does not have; their problems are thrown together with those of the card. */
function readFields({ members }: Asking, reading: Reading): { cryptogram: Buffer | undefined; eci: string } {
  const eci = plain(members.get('eci'), ECI, { name: 'eci', reading }) ?? '';
  const node = members.get('cryptogram');
  if (node?.kind === 'text' && isCryptogram(node.bytes)) return { cryptogram: privateCopy(node.bytes), eci };
  const cryptogram =
    node === undefined
      ? reading.refuse('cryptogram', 'is required', 'parameter_missing')
      : reading.refuse('cryptogram', 'must be base64, 8 to 64 characters', 'card_data_invalid');
  return { cryptogram, eci };
}

type Keeping = { readonly request: TokenRequest; readonly cryptogram: Buffer; readonly eci: string };

async function keep(tools: VaultTools, asking: Asking, { request, cryptogram, eci }: Keeping): Promise<Answer> {
  await refuseClosedCheckout(tools, request.checkout_id ?? null, asking.caller.merchant_account_id);
  const kept = await keepCard(tools, asking, { ...request, token_kind: 'network_token', network_token: { eci } });
  if (!kept) {
    const earlier = asking.once && (await findEarlier(tools, asking.caller, asking.once));
    if (earlier) return answerEarlier(earlier);
    throw tooManyTokens();
  }
  const { token_hash, expires_at: until } = kept.card;
  await afterCommit(() => keepCvc(tools, asking, { token_hash, digits: cryptogram, until }));
  return { body: answerOf({ ...kept.card, partner: null, subscription_id: null }, kept.token) };
}
