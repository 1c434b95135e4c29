// A payment by hand: a payer says the card on the telephone, and a person types it into the vault's own frame.
import { Checkbox, Select, TextInput, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { REASON_LENGTH } from '../../../../src/core/people/limits.ts';
import type { TelephoneDesk, TelephoneForm } from '../../../../src/backoffice/wire/telephone.ts';
import { CURRENCIES } from '../../../../src/core/money.ts';
import { ApiError, api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { go } from '../../base/router.tsx';
import { t } from '../../base/texts.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Asked, Empty, Notice, PageHead, Panel } from '../../parts/page.tsx';
import { CardFields, type Tokenize } from './card-fields.tsx';

const FIELDS = [
  ...(['amount', 'currency', 'order_merchant_id', 'order_description', 'customer_email', 'reason'] as const),
];
type Typed = Record<(typeof FIELDS)[number], string>;
const NOTHING = Object.fromEntries(FIELDS.map((name) => [name, ''])) as Typed;

export function Telephone() {
  const asked = useAsk('telephone', 'GET /telephone');
  return (
    <>
      <PageHead
        title={t('Card by telephone')}
        lead={t('The card goes straight into the vault. Never write it down, and never ask for it by mail or chat.')}
      />
      <Asked asked={asked}>
        {(desk) => (
          <Panel padded>
            {desk.possible ? (
              <Desk desk={desk} />
            ) : (
              <Empty
                icon="card"
                title={t('No contract takes cards by telephone')}
                text={t('Add the channel moto to a contract under Providers, once your provider agrees to it.')}
              />
            )}
          </Panel>
        )}
      </Asked>
    </>
  );
}

function Desk({ desk }: { readonly desk: TelephoneDesk }) {
  const form = useDesk();
  const { field, at, other, currency, act } = form;
  return (
    <div className="narrow">
      <Form
        submit={t('Take the payment')}
        busy={act.isPending}
        disabled={!form.whole || form.lost}
        send={() => act.mutate()}
        error={other}
      >
        <div className="pair">
          <TextInput label={t('Amount')} inputMode="decimal" {...field('amount')} />
          <Select
            label={t('Currency')}
            data={[...CURRENCIES.keys()]}
            value={currency}
            onChange={(value) => form.change('currency', value ?? '')}
            searchable
            error={at['currency']}
          />
        </div>
        <TextInput
          label={t('Reference')}
          description={t('Yours, such as the order.')}
          maxLength={255}
          {...field('order_merchant_id')}
        />
        <TextInput label={t('Description')} maxLength={255} {...field('order_description')} />
        <TextInput label={t('Payer’s e-mail')} type="email" autoComplete="off" {...field('customer_email')} />
        {form.paid === undefined ? null : (
          <Notice tone="bad" title={t('There is an order with this reference already')}>
            <p>
              <a href={`/orders/${form.paid}`} target="_blank" rel="noreferrer">
                {t('Look at that order')}
              </a>
            </p>
            <Checkbox
              label={t('Take another payment for it all the same')}
              checked={form.once_more}
              onChange={(event) => form.setOnceMore(event.currentTarget.checked)}
            />
          </Notice>
        )}
        {form.lost ? (
          <Notice tone="bad" title={t('The card fields could not be loaded')}>
            {t('The vault cannot be reached from here. Load the page again.')}
          </Notice>
        ) : (
          <CardFields
            vault_url={desk.vault_url}
            card_key={desk.key}
            tokenize={form.tokenize}
            changed={form.setWhole}
            lost={form.lose}
          />
        )}
        <Checkbox
          label={t('Hold the money, and capture it later')}
          checked={form.hold}
          onChange={(event) => form.setHold(event.currentTarget.checked)}
        />
        <Textarea
          label={t('Reason')}
          description={t('Recorded in the audit log with your name.')}
          rows={2}
          maxLength={REASON_LENGTH.most}
          {...field('reason')}
        />
      </Form>
    </div>
  );
}

/** The result code where another order has the reference (contract 7.3). */
const IN_PROCESS = '111035';

type Attempt = { readonly token: string; readonly key: string };

/** The state of the form, and the payment: first the token, then the order. */
function useDesk() {
  const used = useAsk('currencies', 'GET /currencies');
  const [typed, setTyped] = useState<Typed>(NOTHING);
  const [hold, setHold] = useState(false);
  const [whole, setWhole] = useState(false);
  const [lost, setLost] = useState(false);
  // the order that has this reference already, and whether another payment is wanted for it all the same
  const [paid, setPaid] = useState<string>();
  const [once_more, setOnceMore] = useState(false);
  const tokenize = useRef<Tokenize | undefined>(undefined);
  const currency = typed.currency || (used.data?.currencies[0] ?? 'EUR');
  // an attempt that was sent without an answer: the next click sends its key and token again, so that money moves once.
  // It sends what is typed now: for another amount than was taken the server refuses the key
  const unsure = useRef<Attempt>(undefined);
  const attempt = async (): Promise<Attempt> => {
    const card = await tokenize.current?.();
    if (card === undefined || 'problem' in card) throw new Error(card?.problem ?? 'The card fields are not ready.');
    return { token: card.token, key: crypto.randomUUID() };
  };
  const act = useAct({
    run: async () => {
      const before = unsure.current;
      const { token, key } = before ?? (await attempt());
      unsure.current = { token, key };
      try {
        return await api('POST /telephone', { body: bodyOf({ ...typed, currency }, { token, hold, once_more }), key });
      } catch (error) {
        setPaid(paidOf(error));
        // the refusal of a repeat says nothing of the attempt before it
        if (!before && error instanceof ApiError && error.status >= 400 && error.status < 500)
          unsure.current = undefined;
        throw error;
      }
    },
    quiet: true,
    stale: ['orders', 'overview'],
    done: ({ order_id }) => go(`/orders/${order_id}`),
  });
  const { at, other } = errorsOf(act.error, FIELDS);
  const change = (name: keyof Typed, value: string) => {
    setTyped((now) => ({ ...now, [name]: value }));
    if (name !== 'order_merchant_id') return;
    setPaid(undefined);
    setOnceMore(false);
  };
  const field = (name: keyof Typed) => ({
    value: typed[name],
    error: at[name],
    onChange: (event: { currentTarget: { value: string } }) => change(name, event.currentTarget.value),
  });
  return {
    act,
    at,
    other,
    currency,
    field,
    change,
    hold,
    setHold,
    whole,
    setWhole,
    lost,
    lose: () => setLost(true),
    paid,
    once_more,
    setOnceMore,
    tokenize,
  };
}

/** The order that has the reference already; undefined: the refusal is another one. */
function paidOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { result, order_id } = error.problem;
  return result?.code === IN_PROCESS ? order_id : undefined;
}

type Chosen = { readonly token: string; readonly hold: boolean; readonly once_more: boolean };

function bodyOf(typed: Typed, { token, hold, once_more }: Chosen): TelephoneForm {
  const { amount, currency, order_merchant_id, order_description, customer_email, reason } = typed;
  return {
    token,
    amount: amount.trim(),
    currency,
    order_merchant_id: order_merchant_id.trim(),
    operation_type: hold ? 'authorize' : 'direct_capture',
    ...(order_description.trim() === '' ? {} : { order_description: order_description.trim() }),
    ...(customer_email.trim() === '' ? {} : { customer_email: customer_email.trim() }),
    ...(once_more ? { once_more } : {}),
    reason,
  };
}
