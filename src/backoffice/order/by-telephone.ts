// A payment by hand: the payer says the card on the telephone, a person types it into the vault's own frame, and the
// token is paid here with the channel moto. Who did it and why is in the commit of the checkout, before anything is
// asked of a provider.
import { bool, email, money, currency, oneOf, text, token64, withoutCard } from '../../core/fields.ts';
import { refuseProblems } from '../../core/refusals.ts';
import { type Read, Reading, required } from '../../core/shape.ts';
import { withTransaction } from '../../kit/database.ts';
import { REPLAYED } from '../../kit/http/idempotency.ts';
import type { Answer } from '../../kit/http/route.ts';
import { createCheckout } from '../../payment/checkout/create.ts';
import { customerMethods } from '../../payment/customer/record.ts';
import { listContracts } from '../../payment/merchant/contract-store.ts';
import { createOrder } from '../../payment/order/accept/create.ts';
import { deskKeys } from '../../payment/page/key.ts';
import { type BackofficeContext, type BackofficeRequest, type BackofficeRoute, backofficeRoute } from '../context.ts';
import { REASON } from '../reason.ts';
import { asRequest } from '../verb.ts';
import type { TelephoneDesk, TelephonePaid } from '../wire/telephone.ts';

const CHANNEL = 'moto';

const FORM = {
  token: required(token64),
  amount: required(money),
  currency: required(currency),
  order_merchant_id: required(withoutCard(text(255))),
  operation_type: required(oneOf('authorize', 'direct_capture')),
  order_description: withoutCard(text(255)),
  customer_email: withoutCard(email),
  once_more: bool,
  reason: REASON,
};

export function telephoneRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  const of = { right: 'telephone' } as const;
  const keyOf = deskKeys(context.tools);
  return [
    backofficeRoute(context, {
      ...of,
      route: 'GET /telephone',
      handle: async ({ db, account_id }): Promise<TelephoneDesk> => ({
        key: await keyOf(account_id),
        vault_url: context.tools.addresses.vault_url,
        possible: (await listContracts(db)).some(
          ({ enabled, channels }) => enabled && (channels.length === 0 || channels.includes(CHANNEL)),
        ),
      }),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /telephone',
      body: FORM,
      handle: (asked) => pay(context, asked, asked.body),
    }),
  ];
}

async function pay(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { token, reason, once_more = false, ...form }: Read<typeof FORM>,
): Promise<TelephonePaid> {
  const { tools } = context;
  const reading = new Reading(false);
  money.read(form.amount, 'amount', reading);
  reading.checkAmounts(form.currency);
  const refusal = refuseProblems(reading.problems);
  if (refusal) throw refusal;
  const { idempotency_key } = asked;
  const checkout = { ...form, type: 'api', payment_channel: CHANNEL } as const;
  const made = { ...(await asRequest(context, asked, checkout)), idempotency_key };
  const checkout_id = await withTransaction(tools.db, asked.account_id, async (tx) => {
    // the checkout is written by statements alone: its record stands in the same transaction
    const within = { ...tools, db: { ...tools.db, tenant: () => tx } };
    const answer = await createCheckout(within, made, customerMethods(within));
    const id = checkoutIn(answer.body);
    const again = answer.headers?.['idempotent-replayed'] === REPLAYED['idempotent-replayed'];
    const { order_merchant_id, amount, currency: code } = form;
    const detail = { order_merchant_id, amount, currency: code };
    // a checkout that nothing was paid for is no payment: whether there is one, the order alone says
    if (!again) await asked.recordBefore(tx, { action: 'card taken by telephone', object: id, reason, detail });
    return id;
  });
  const order = await asRequest(context, asked, { token, checkout_id });
  const { settings } = order.caller;
  // whoever has lost an answer, and the form with its key, types the same payment anew: it is warned of, and named
  const unique_order_merchant_id = settings.unique_order_merchant_id || !once_more;
  const caller = { ...order.caller, settings: { ...settings, unique_order_merchant_id } };
  const paid = await createOrder(tools, { ...order, caller, idempotency_key });
  return { order_id: String(paid.body['order_id']) };
}

function checkoutIn({ checkout }: Answer['body']): string {
  const id = typeof checkout === 'object' && checkout !== null && 'checkout_id' in checkout ? checkout.checkout_id : '';
  return String(id);
}
