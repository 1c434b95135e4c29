// Requests about a person's data: an export as a file, and an erasure by an owner who has to prove who they are once
// more.
import { Button, Modal, Textarea } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { download } from '../../base/download.ts';
import { go } from '../../base/router.tsx';
import { useSession } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Asked, Panel } from '../../parts/page.tsx';
import { PROOF_FIELDS, useProof } from '../../parts/proof.tsx';
import { Tag, When } from '../../parts/show.tsx';
import { Table, right } from '../../parts/table.tsx';

type Props = { readonly customer_id: string };

export function PersonalData({ customer_id }: Props) {
  const { may } = useSession();
  const [erasing, erase] = useState(false);
  if (!may('export') && !may('erase')) return null;
  return (
    <Panel
      title={t('Personal data')}
      lead={t('For a request of the person: everything that is stored of them, and its erasure.')}
      actions={
        <div className="row">
          {may('export') ? (
            <Button
              variant="default"
              onClick={() => void download('/customers/data', 'customer.json', { customer_id })}
            >
              {t('Download all data')}
            </Button>
          ) : null}
          {may('erase') ? (
            <Button variant="default" color="red" onClick={() => erase(true)}>
              {t('Erase')}
            </Button>
          ) : null}
        </div>
      }
    >
      {erasing ? <Erase customer_id={customer_id} close={() => erase(false)} /> : null}
    </Panel>
  );
}

function Erase({ customer_id, close }: Props & { readonly close: () => void }) {
  const [reason, setReason] = useState('');
  const asked = useAsk('erasures', 'GET /customers/erasures');
  const proof = useProof();
  const act = useAct({
    run: () => proof.run(() => api('POST /customers/erase', { body: { customer_id, reason: reason.trim() } })),
    said: t('The customer is being erased'),
    quiet: true,
    stale: ['customer', 'customers', 'erasures', 'orders'],
    done: () => {
      close();
      go('/customers');
    },
  });
  const { at, other } = errorsOf(act.error, ['reason', ...PROOF_FIELDS]);
  return (
    <Modal opened onClose={close} title={t('Erase this customer')} size="lg">
      <Form
        submit={t('Erase for good')}
        danger
        busy={act.isPending}
        disabled={reason.trim().length < 3}
        send={() => act.mutate()}
        cancel={close}
        error={other}
      >
        <p>
          {t(
            'Saved cards are removed. Names, addresses, e-mail, telephone, browser and customer id go out of all orders and checkouts, and the search forgets them. There is no way back.',
          )}
        </p>
        <h3>{t('What stays, and why')}</h3>
        <Asked asked={asked} rows={4}>
          {({ stays }) => (
            <ul className="lines">
              {stays.map(({ what, why }) => (
                <li key={what} className="stack tight">
                  <span className="strong">{what}</span>
                  <span className="muted">{why}</span>
                </li>
              ))}
            </ul>
          )}
        </Asked>
        <Textarea
          label={t('Reason')}
          description={t('Recorded in the audit log. Do not name the person in it: it stays.')}
          rows={2}
          maxLength={300}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={at['reason']}
        />
        {proof.fields(act.error)}
      </Form>
    </Modal>
  );
}

/** Shows nothing while no customer was erased. */
export function ErasuresPanel() {
  const { data } = useAsk('erasures', 'GET /customers/erasures', { every_ms: 10_000 });
  const erasures = data?.erasures ?? [];
  if (erasures.length === 0) return null;
  return (
    <Panel title={t('Erased')} lead={t('The person whom each was about is not kept.')}>
      <Table columns={[t('State'), t('Asked for'), t('By'), right(t('Orders')), right(t('Cards'))]}>
        {erasures.map(({ id, state, created_at, requested_by, orders, cards }) => (
          <tr key={id}>
            <td>
              <Tag tone={state === 'done' ? 'good' : 'info'}>{state === 'done' ? t('Erased') : t('Being erased')}</Tag>
            </td>
            <td>
              <When at={created_at} />
            </td>
            <td className="muted">{requested_by}</td>
            <td className="right num">{orders}</td>
            <td className="right num">{cards}</td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}
