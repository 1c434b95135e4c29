// Requests about a person's data: an export as a file, and an erasure by an owner who has to prove who they are once
// more.
import { Button, TextInput, Textarea } from '@mantine/core';
import { useState } from 'react';
import { REASON_LENGTH } from '../../../../src/core/people/limits.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { download } from '../../base/download.ts';
import { go } from '../../base/router.tsx';
import { useSession } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Asked, Panel } from '../../parts/page.tsx';
import { PROOF_FIELDS, useProof } from '../../parts/proof.tsx';
import { Said, Tag, When } from '../../parts/show.tsx';
import { Table, right } from '../../parts/table.tsx';

/** A customer, or a guest by their e-mail. */
type Whose = { readonly customer_id: string } | { readonly customer_email: string };

export function PersonalData({ customer_id }: { readonly customer_id: string }) {
  const { may } = useSession();
  const [erasing, erase] = useState(false);
  if (!may('export') && !may('erase')) return null;
  return (
    <Panel
      title={t('Personal data')}
      lead={t('For a request of the person: everything that is stored of them, and its erasure.')}
      actions={<Actions whose={{ customer_id }} erase={() => erase(true)} />}
    >
      {erasing ? <Erase whose={{ customer_id }} close={() => erase(false)} /> : null}
    </Panel>
  );
}

/** Personal data of someone who paid without a customer_id. */
export function GuestData() {
  const { may } = useSession();
  const [customer_email, setEmail] = useState('');
  const [erasing, erase] = useState(false);
  if (!may('export') && !may('erase')) return null;
  const whose = { customer_email: customer_email.trim() };
  return (
    <Panel
      title={t('Personal data of a guest')}
      lead={t('Of someone who paid without a customer_id: their orders and checkouts are found by the e-mail.')}
    >
      <div className="filters">
        <TextInput
          className="search"
          type="email"
          aria-label={t('E-mail of the guest')}
          placeholder={t('E-mail of the guest')}
          value={customer_email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Actions whose={whose} disabled={!whose.customer_email.includes('@')} erase={() => erase(true)} />
      </div>
      {erasing ? <Erase whose={whose} close={() => erase(false)} /> : null}
    </Panel>
  );
}

type ActionsProps = { readonly whose: Whose; readonly disabled?: boolean; readonly erase: () => void };

function Actions({ whose, disabled = false, erase }: ActionsProps) {
  const { may } = useSession();
  return (
    <div className="row">
      {may('export') ? (
        <Button
          variant="default"
          disabled={disabled}
          onClick={() =>
            void download('customer_id' in whose ? '/customers/data' : '/guests/data', 'customer.json', whose)
          }
        >
          {t('Download all data')}
        </Button>
      ) : null}
      {may('erase') ? (
        <Button variant="default" color="red" disabled={disabled} onClick={erase}>
          {t('Erase')}
        </Button>
      ) : null}
    </div>
  );
}

function send(whose: Whose, reason: string) {
  return 'customer_id' in whose
    ? api('POST /customers/erase', { body: { ...whose, reason } })
    : api('POST /guests/erase', { body: { ...whose, reason } });
}

function Erase({ whose, close }: { readonly whose: Whose; readonly close: () => void }) {
  const [reason, setReason] = useState('');
  const asked = useAsk('erasures', 'GET /customers/erasures');
  const proof = useProof();
  const act = useAct({
    run: () => proof.run(() => send(whose, reason.trim())),
    said: t('The person is being erased'),
    quiet: true,
    stale: ['customer', 'customers', 'erasures', 'orders'],
    done: () => {
      close();
      go('/customers');
    },
  });
  const { at, other } = errorsOf(act.error, ['reason', ...PROOF_FIELDS]);
  const guest = 'customer_email' in whose ? whose.customer_email : undefined;
  return (
    <Dialog
      close={close}
      title={guest === undefined ? t('Erase this customer') : t('Erase the guest {email}', { email: guest })}
      size="lg"
    >
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
          {guest === undefined
            ? t(
                'Saved cards are removed. Names, addresses, e-mail, telephone, browser and customer id go out of all orders and checkouts, and the search forgets them. There is no way back.',
              )
            : t(
                'Names, addresses, e-mail, telephone and browser go out of all orders and checkouts with this e-mail that name no customer, and the search forgets them. There is no way back. What the same person paid with a customer_id stays: erase it at the customer.',
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
          maxLength={REASON_LENGTH.most}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={at['reason']}
        />
        {proof.fields(act.error)}
      </Form>
    </Dialog>
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
            <td className="right num">
              <Said word={t('Orders')} />
              {orders}
            </td>
            <td className="right num">
              <Said word={t('Cards')} />
              {cards}
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}
