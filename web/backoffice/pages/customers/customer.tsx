// One customer: saved cards, methods, orders.
import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { CardRemovalForm, CustomerDetail, SavedCard } from '../../../../src/backoffice/wire/orders.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { methodText } from '../../base/format.ts';
import { rich } from '../../base/rich.ts';
import { useSession } from '../../base/session.tsx';
import { plural, t } from '../../base/texts.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Asked, Empty, PageHead, Panel } from '../../parts/page.tsx';
import { Method, When } from '../../parts/show.tsx';
import { OrderTable } from '../orders/list.tsx';
import { PersonalData } from './privacy.tsx';
import { Heard } from '../../parts/table.tsx';

export function Customer({ params }: { readonly params: Readonly<Record<string, string>> }) {
  const customer_id = params['id'] ?? '';
  const asked = useAsk('customer', 'GET /customers/one', { query: { customer_id } });
  return (
    <>
      <PageHead title={customer_id} up={{ to: '/customers', text: t('Customers') }} />
      <Asked asked={asked}>
        {(customer) => (
          <div className="stack">
            <Cards customer={customer} />
            <Panel title={t('Orders')}>
              {customer.orders.length === 0 ? (
                <Empty icon="orders" title={t('No orders')} />
              ) : (
                <OrderTable rows={customer.orders} />
              )}
            </Panel>
            <div className="grid-2">
              <Facts customer={customer} />
              <Methods customer={customer} />
            </div>
            <PersonalData customer_id={customer.customer_id} />
          </div>
        )}
      </Asked>
    </>
  );
}

function Cards({ customer }: { readonly customer: CustomerDetail }) {
  const { may } = useSession();
  const [removing, setRemoving] = useState<SavedCard>();
  return (
    <Panel title={t('Saved cards')}>
      {customer.cards.length === 0 ? (
        <Empty
          icon="card"
          title={t('No saved cards')}
          text={t('A card is saved when its token is asked for as recurring.')}
        />
      ) : (
        <table className="table cards">
          <Heard columns={[t('Card'), t('Expires'), t('Payments'), t('Last used'), t('Actions')]} />
          <tbody>
            {customer.cards.map((card) => (
              <tr key={card.id}>
                <td>
                  <Method name={card.scheme} last4={card.last4} />
                </td>
                <td className="num muted">{`${String(card.exp_month).padStart(2, '0')} / ${card.exp_year}`}</td>
                <td className="muted">{plural(card.uses, '{count} payment', '{count} payments')}</td>
                <td>
                  <span className="muted">{t('Last used')} </span>
                  <When at={card.last_used_at} />
                </td>
                <td className="right">
                  {may('cards') ? (
                    <Button size="xs" variant="default" onClick={() => setRemoving(card)}>
                      {t('Remove')}
                    </Button>
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {removing ? <RemoveCard customer={customer} card={removing} close={() => setRemoving(undefined)} /> : null}
    </Panel>
  );
}

type RemoveProps = { readonly customer: CustomerDetail; readonly card: SavedCard; readonly close: () => void };

function RemoveCard({ customer, card, close }: RemoveProps) {
  const [reason, setReason] = useState('');
  const act = useAct({
    run: () =>
      api('DELETE /customers/card', {
        body: { customer_id: customer.customer_id, id: card.id, reason } satisfies CardRemovalForm,
      }),
    said: t('Card removed'),
    quiet: true,
    stale: ['customer', 'customers'],
    done: close,
  });
  const { at, other } = errorsOf(act.error, ['reason']);
  return (
    <Dialog
      close={close}
      title={t('Remove {scheme} ···· {last4}', { scheme: methodText(card.scheme), last4: card.last4 })}
    >
      <Form
        submit={t('Remove card')}
        danger
        busy={act.isPending}
        send={() => act.mutate()}
        cancel={close}
        error={other}
      >
        <p>
          {t('It cannot be paid with from now on, and the vault deletes it. Refunds of earlier orders still work.')}
        </p>
        <Textarea
          label={t('Reason')}
          rows={2}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={at['reason']}
        />
      </Form>
    </Dialog>
  );
}

function Facts({ customer }: { readonly customer: CustomerDetail }) {
  return (
    <Panel title={t('Details')} padded>
      <dl className="facts">
        <dt>{t('First order')}</dt>
        <dd>
          <When at={customer.created_at} />
        </dd>
        <dt>{t('Last change')}</dt>
        <dd>
          <When at={customer.updated_at} />
        </dd>
        <dt>{t('IP address')}</dt>
        <dd className="mono">{customer.ip ?? '–'}</dd>
      </dl>
    </Panel>
  );
}

function Methods({ customer }: { readonly customer: CustomerDetail }) {
  return (
    <Panel title={t('Methods used')} padded>
      {customer.methods.length === 0 ? <p className="muted">{t('None yet.')}</p> : null}
      <ul className="lines">
        {customer.methods.map(({ name, uses, last_used_at }) => (
          <li key={name} className="row apart">
            <span>{methodText(name)}</span>
            <span className="muted">
              {rich('{times}, last {at}', {
                times: plural(uses, '{count} time', '{count} times'),
                at: <When at={last_used_at} />,
              })}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
