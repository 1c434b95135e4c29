// The form of a new payment link.
import { Checkbox, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { LinkForm } from '../../../../src/backoffice/wire/links.ts';
import { CURRENCIES } from '../../../../src/core/money.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { go } from '../../base/router.tsx';
import { t } from '../../base/texts.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { LinkMore, type More, NO_MORE, fieldsOf, moreOf } from './link-more.tsx';

const FIELDS = [
  ...(['amount', 'amount_least', 'amount_most', 'currency', 'order_merchant_id'] as const),
  ...(['order_description', 'expiration_date'] as const),
];
type Typed = Record<(typeof FIELDS)[number], string>;
const NOTHING = Object.fromEntries(FIELDS.map((name) => [name, ''])) as Typed;

export function MakeLink({ close }: { readonly close: () => void }) {
  const used = useAsk('currencies', 'GET /currencies');
  const [typed, setTyped] = useState<Typed>(NOTHING);
  const [usage, setUsage] = useState<LinkForm['usage']>('once');
  const [open, setOpen] = useState(false);
  const [hold, setHold] = useState(false);
  const [more, setMore] = useState<More>(NO_MORE);
  const currency = typed.currency || (used.data?.currencies[0] ?? 'EUR');
  const act = useAct({
    run: () => api('POST /links', { body: bodyOf({ ...typed, currency }, { usage, open, hold, more }) }),
    quiet: true,
    said: t('Link created'),
    stale: ['links'],
    done: ({ id }) => {
      close();
      go(`/links/${id}`);
    },
  });
  const { at, other } = errorsOf(act.error, [...FIELDS, ...fieldsOf(more)]);
  const field = (name: keyof Typed) => ({
    value: typed[name],
    error: at[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setTyped((now) => ({ ...now, [name]: value })),
  });
  return (
    <Dialog close={close} title={t('New payment link')}>
      <Form submit={t('Create link')} busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
        <SegmentedControl
          fullWidth
          aria-label={t('How many may pay')}
          data={[
            { value: 'once', label: t('One payment') },
            { value: 'many', label: t('Many payments') },
          ]}
          value={usage}
          onChange={(value) => setUsage(value === 'many' ? 'many' : 'once')}
        />
        <TextInput
          label={t('Reference')}
          description={
            usage === 'many' ? t('Orders get a number behind it.') : t('Your own, such as the number of an invoice.')
          }
          data-autofocus
          maxLength={240}
          {...field('order_merchant_id')}
        />
        <div className="pair">
          {open ? null : <TextInput label={t('Amount')} inputMode="decimal" {...field('amount')} />}
          {open ? <TextInput label={t('At least')} inputMode="decimal" {...field('amount_least')} /> : null}
          {open ? <TextInput label={t('At most')} inputMode="decimal" {...field('amount_most')} /> : null}
          <Select
            label={t('Currency')}
            data={[...CURRENCIES.keys()]}
            value={currency}
            onChange={(value) => setTyped((now) => ({ ...now, currency: value ?? '' }))}
            searchable
            error={at['currency']}
          />
        </div>
        <Checkbox
          label={t('The payer says the amount')}
          checked={open}
          onChange={(event) => setOpen(event.currentTarget.checked)}
        />
        <TextInput
          label={t('Description')}
          description={t('The payer sees it.')}
          maxLength={255}
          {...field('order_description')}
        />
        <TextInput
          label={t('Open until')}
          description={t('Empty: until you end it.')}
          type="datetime-local"
          {...field('expiration_date')}
        />
        <Checkbox
          label={t('Hold the money, and capture it later')}
          checked={hold}
          onChange={(event) => setHold(event.currentTarget.checked)}
        />
        <LinkMore more={more} change={setMore} at={at} />
      </Form>
    </Dialog>
  );
}

type How = { readonly usage: LinkForm['usage']; readonly open: boolean; readonly hold: boolean; readonly more: More };

/** Empty fields are not sent; day and hour are in the viewer's zone. */
function bodyOf(typed: Typed, { usage, open, hold, more }: How): LinkForm {
  const { amount, amount_least, amount_most, currency, order_merchant_id, order_description, expiration_date } = typed;
  return {
    usage,
    currency,
    order_merchant_id: order_merchant_id.trim(),
    operation_type: hold ? 'authorize' : 'direct_capture',
    ...(open ? { amount_least, amount_most } : { amount }),
    ...(order_description.trim() === '' ? {} : { order_description: order_description.trim() }),
    ...(expiration_date === '' ? {} : { expiration_date: new Date(expiration_date).toISOString() }),
    ...moreOf(more),
  };
}
