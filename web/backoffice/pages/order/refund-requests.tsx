// Refunds that wait for a second person, of an order or of all, and that person's decision.
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { RefundRequest } from '../../../../src/backoffice/wire/orders.ts';
import type { ReasonForm } from '../../../../src/backoffice/wire/session.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { rich } from '../../base/rich.ts';
import { Link } from '../../base/router.tsx';
import { useSession } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/page.tsx';
import { PROOF_FIELDS, useProof } from '../../parts/proof.tsx';
import { Money, When } from '../../parts/show.tsx';

type What = 'approve' | 'decline';

/** Without an order: those of all, each with a link to its order. */
export function WaitingRefunds({ order_id }: { readonly order_id?: string }) {
  const { may } = useSession();
  const asked = useAsk('refund-requests', 'GET /refund-requests', { query: { order_id } });
  const [doing, setDoing] = useState<{ readonly what: What; readonly one: RefundRequest }>();
  const own = asked.data?.requests ?? [];
  if (own.length === 0 && doing === undefined) return null;
  return (
    <div className="below-head stack">
      {own.map((one) => (
        <Notice key={one.id} tone="warn" title={t('A refund waits for a second person')}>
          <p>
            {rich('{amount}, asked for by {requested_by}, {at}: {reason}', {
              amount: <Money minor={one.amount_minor} currency={one.currency} />,
              requested_by: one.requested_by,
              at: <When at={one.created_at} />,
              reason: one.reason,
            })}
          </p>
          {order_id === undefined ? (
            <p>{rich('order {id}', { id: <Link to={`/orders/${one.order_id}`}>{one.order_id}</Link> })}</p>
          ) : null}
          <Disputed one={one} />
          {may('money') ? (
            <div className="row">
              {one.own ? null : (
                <Button size="xs" onClick={() => setDoing({ what: 'approve', one })}>
                  {t('Approve refund')}
                </Button>
              )}
              <Button size="xs" variant="default" onClick={() => setDoing({ what: 'decline', one })}>
                {one.own ? t('Withdraw') : t('Decline')}
              </Button>
            </div>
          ) : null}
        </Notice>
      ))}
      {asked.data?.more === true ? <p className="muted">{t('Only the oldest are shown.')}</p> : null}
      {doing === undefined ? null : <Decide {...doing} close={() => setDoing(undefined)} />}
    </div>
  );
}

/** Who approves a refund of disputed money must know what it does. */
function Disputed({ one }: { readonly one: RefundRequest }) {
  if (!one.even_if_disputed) return null;
  return <p>{t("The payer's bank has taken it back already. A refund pays the payer a second time.")}</p>;
}

type DecideProps = { readonly what: What; readonly one: RefundRequest; readonly close: () => void };

function Decide({ what, one, close }: DecideProps) {
  const proof = useProof();
  const [reason, setReason] = useState('');
  const act = useAct({
    run: () =>
      proof.run(() =>
        api(`POST /refund-requests/:id/${what}`, { params: { id: one.id }, body: { reason } satisfies ReasonForm }),
      ),
    said: what === 'approve' ? t('The refund was sent') : t('Nothing was refunded'),
    quiet: true,
    stale: ['refund-requests', 'order', 'orders', 'overview'],
    done: close,
  });
  const { at, other } = errorsOf(act.error, ['reason', ...PROOF_FIELDS]);
  return (
    <Dialog close={close} title={what === 'approve' ? t('Approve the refund') : t('Do not refund')}>
      <Form
        submit={what === 'approve' ? t('Approve refund') : t('Do not refund')}
        danger={what === 'approve'}
        busy={act.isPending}
        send={() => act.mutate()}
        cancel={close}
        error={other}
      >
        <p>
          {rich('{amount}, asked for by {requested_by}: {reason}', {
            amount: <Money minor={one.amount_minor} currency={one.currency} />,
            requested_by: one.requested_by,
            reason: one.reason,
          })}
        </p>
        <Disputed one={one} />
        <TextInput
          label={t('Reason')}
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={at['reason']}
        />
        {proof.fields(act.error)}
      </Form>
    </Dialog>
  );
}
