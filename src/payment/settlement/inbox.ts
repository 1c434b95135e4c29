// POST /provider/{provider}/{contract}/events: what a provider tells on its own. The contract gives account and
// secrets. Each item is proved on the raw bytes, stored, and answered for; then applied by the same pure decision as an
// answer. One of each event has an effect, in whatever order they come.
import { isId } from '../../core/ids.ts';
import { Refusal } from '../../core/refusals.ts';
import { sha256 } from '../../kit/crypto.ts';
import type { Answer } from '../../kit/http/route.ts';
import type { Provider } from '../../provider/contract.ts';
import type { Notice, Notices } from '../../provider/notices.ts';
import { findProofs } from '../merchant/credentials/checks.ts';
import { findWhoseContract } from '../merchant/credentials/store.ts';
import { sawRefusedItem, sawUnclaimedMessage } from '../metrics/messages.ts';
import type { Tools } from '../tools.ts';
import { type Disputing, NOTHING_TO_US, applyNotice } from './apply.ts';
import { type Secrets, isOfContract, isProved } from './proof.ts';
import { type NewEvent, insertEvent } from './store.ts';

export type ProviderMessageRequest = {
  readonly provider: string;
  readonly contract: string;
  readonly raw: Uint8Array;
  readonly headers: Readonly<Record<string, string | undefined>>;
};

type Taking = {
  readonly provider: Provider;
  readonly merchant_account_id: string;
  readonly contract_id: string;
  readonly body: Buffer;
  readonly secrets: Secrets;
  readonly disputing: Disputing;
};

export async function takeMessage(tools: Tools, posted: ProviderMessageRequest, disputing: Disputing): Promise<Answer> {
  const { provider, notices, merchant_account_id } = await whose(tools, posted);
  const contract_id = posted.contract;
  const secrets = await findProofs(tools, { merchant_account_id, contract_id });
  // the door overwrites its bytes once the answer is out
  const body = Buffer.from(posted.raw);
  const taking = { provider, merchant_account_id, contract_id, body, secrets, disputing };
  const items = notices.open(body, posted.headers);
  const taken = [];
  for (const item of items) taken.push(await takeItem(tools, taking, item));
  if (taken.includes('again'))
    throw new Refusal('unavailable', { detail: 'the signature cannot be checked at the moment; send it again' });
  // one that is refused comes no better the next time: for its sake the good ones beside it are not asked for again
  if (!taken.includes('taken'))
    throw new Refusal('key_invalid', {
      detail: 'the signature of the message does not hold: check the secret that both sides use, and the clock',
    });
  const { status, body: text } = notices.accepted;
  // in the provider's words, which are not always JSON
  return { status, body: {}, file: Buffer.from(text), headers: { 'content-type': 'application/json; charset=utf-8' } };
}

async function whose(
  tools: Tools,
  { provider: name, contract }: ProviderMessageRequest,
): Promise<{ readonly provider: Provider; readonly notices: Notices; readonly merchant_account_id: string }> {
  const provider = tools.providers.get(name);
  const known = provider?.notices && isId(contract) ? await findWhoseContract(tools.db, contract) : undefined;
  if (provider?.notices && known?.provider !== name) {
    sawUnclaimedMessage(name);
    tools.log.error({ provider: name }, 'a message for a contract that is not here is refused');
  }
  if (!provider?.notices || known?.provider !== name)
    throw new Refusal('route_unknown', { detail: 'no contract with a provider takes messages here' });
  return { provider, notices: provider.notices, merchant_account_id: known.merchant_account_id };
}

/** `again`: it is not known now whether it is true, and it must not be lost. */
async function takeItem(tools: Tools, taking: Taking, notice: Notice): Promise<'taken' | 'refused' | 'again'> {
  const { provider, merchant_account_id, contract_id, body, secrets, disputing } = taking;
  const proved = await isProved(tools, { by: provider.name, proof: notice.proof }, secrets);
  if (proved === undefined) return 'again';
  if (!proved) {
    sawRefusedItem(provider.name);
    tools.log.error(
      { provider: provider.name, contract_id },
      'an item of a message is refused: its proof does not hold',
    );
    return 'refused';
  }
  const db = tools.db.tenant(merchant_account_id);
  const event_ref = isKeepable(notice.event_ref) ? notice.event_ref : `unnamed_${sha256(body)}`;
  const reason = reasonToPark({ ...notice, is_named: event_ref === notice.event_ref }, secrets);
  const begins = reason === null ? beginOf(notice) : ({ state: 'parked', reason } as const);
  const fresh = await insertEvent(db, { provider: provider.name, contract_id, event_ref, body, ...begins });
  if (!fresh || begins.state !== 'received') return 'taken';
  const event = { provider: provider.name, contract_id, event_ref, merchant_account_id };
  const order_id = notice.match?.ours?.order_id ?? contract_id;
  void tools.running.start(
    order_id,
    `${contract_id} ${event_ref}`,
    applyNotice(tools, { event, provider, notice, disputing, is_old: false }),
    undefined,
  );
  return 'taken';
}

/** Most of what some providers send is nothing to us: it is stored as that, and not looked at again. */
function beginOf({ news }: Notice): Pick<NewEvent, 'state' | 'reason'> {
  return news.kind === 'nothing' ? NOTHING_TO_US : { state: 'received', reason: null };
}

function reasonToPark({ of, is_named }: Notice & { readonly is_named: boolean }, secrets: Secrets): string | null {
  if (!isOfContract(of, secrets)) return 'tells of another account at the provider';
  return is_named ? null : 'has no name that can be kept';
}

/** A name that the table keeps. */
function isKeepable(event_ref: string): boolean {
  return event_ref !== '' && event_ref.length <= 255 && !event_ref.includes('\0');
}
