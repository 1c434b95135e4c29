// What waits for a person: operations in doubt, since when and what the service does about them; refunds that wait for
// a second person; messages that were not understood.
import { Button, Radio, TextInput, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { InDoubt, ResolutionAnswer, ResolutionForm } from '../../../../src/backoffice/wire/orders.ts';
import { RESOLUTION_LENGTH } from '../../../../src/core/people/limits.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { moneyText, sentence } from '../../base/format.ts';
import { rich } from '../../base/rich.ts';
import { Link } from '../../base/router.tsx';
import { useSession } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { archivedText } from '../../parts/archived.ts';
import { Icon } from '../../parts/icons.tsx';
import { Asked, Empty, Notice, PageHead, Panel } from '../../parts/page.tsx';
import { PROOF_FIELDS, useProof } from '../../parts/proof.tsx';
import { Id, Money, Tag, When } from '../../parts/show.tsx';
import { WaitingRefunds } from '../order/refund-requests.tsx';
import { ParkedMessages } from './parked.tsx';

export function InDoubtPage() {
  const asked = useAsk('doubt', 'GET /in-doubt', { every_ms: 10_000 });
  return (
    <div className="stack">
      <PageHead
        title={t('Outcome unknown')}
        lead={t(
          'Operations for which a provider gave no response, or no clear one. Nothing is guessed and nothing is lost: Florin checks with the provider again, and reverses what stays unknown. Act only where it says so.',
        )}
      />
      <WaitingRefunds />
      <Asked asked={asked}>
        {({ operations, more }) =>
          operations.length === 0 ? (
            <Panel>
              <Empty
                icon="check"
                title={t('Every outcome is known')}
                text={t('Nothing is being checked at the moment.')}
              />
            </Panel>
          ) : (
            <div className="stack">
              {operations.map((one) => (
                <Doubt key={one.operation_id} one={one} />
              ))}
              {more ? <More /> : null}
            </div>
          )
        }
      </Asked>
      <ParkedMessages />
    </div>
  );
}

function More() {
  return (
    <Notice tone="info">
      {rich('There are more, which you find among the {orders}. What may need you is shown first.', {
        orders: <Link to="/orders?in_doubt=true">{t('orders with an unknown outcome')}</Link>,
      })}
    </Notice>
  );
}

const STATES: Readonly<Record<InDoubt['state'], readonly ['info' | 'warn' | 'bad', string]>> = {
  in_doubt: ['info', t('Checking with provider')],
  reversing: ['warn', t('Reversing')],
  review: ['bad', t('Needs review')],
  contradicted: ['bad', t('Contradicted by the provider')],
};

function Doubt({ one }: { readonly one: InDoubt }) {
  const { may } = useSession();
  const [ruling, setRuling] = useState(false);
  const look = useAct({
    run: () => api('POST /in-doubt/:id/look', { params: { id: one.operation_id } }),
    said: t('Checking with the provider again'),
    stale: ['doubt', 'order'],
  });
  const [tone, text] = STATES[one.state];
  return (
    <Panel
      title={t('{kind} at {provider}', { kind: sentence(one.kind), provider: sentence(one.provider) })}
      actions={
        <div className="row">
          {may('rule') && one.state !== 'reversing' ? (
            <>
              <Button variant="default" size="xs" loading={look.isPending} onClick={() => look.mutate()}>
                {t('Check now')}
              </Button>
              <Button variant="default" size="xs" onClick={() => setRuling(true)}>
                {t('Resolve')}
              </Button>
            </>
          ) : null}
        </div>
      }
      padded
    >
      <div className="doubt">
        <div className="stack tight">
          <div className="row">
            <span className="big">
              <Money minor={one.amount_minor} currency={one.currency} />
            </span>
            <Tag tone={tone}>{text}</Tag>
            {one.two_people ? <Tag>{t('Two people must agree')}</Tag> : null}
          </div>
          <p>{one.doing}</p>
          <Facts one={one} />
        </div>
        <Sights one={one} />
      </div>
      {ruling ? <Resolution one={one} close={() => setRuling(false)} /> : null}
    </Panel>
  );
}

function Facts({ one }: { readonly one: InDoubt }) {
  return (
    <dl className="facts">
      <dt>{t('Since')}</dt>
      <dd>
        <When at={one.since} /> <span className="muted">(</span>
        <When at={one.since} ago="payments" />
        <span className="muted">)</span>
      </dd>
      <dt>{t('Next check')}</dt>
      <dd>
        <When at={one.next_look_at} ago="payments" />, {t('{tries} so far', { tries: one.tries })}
      </dd>
      <dt>{t('Order')}</dt>
      <dd>
        <Link to={`/orders/${one.order_id}`}>{one.order_id}</Link>
      </dd>
      <dt>{t('Operation')}</dt>
      <dd>
        <Id id={one.operation_id} whole />
      </dd>
    </dl>
  );
}

function Sights({ one }: { readonly one: InDoubt }) {
  return (
    <div>
      <h3>{t('Evidence [seen]')}</h3>
      <ul className="lines">
        {one.sights.length === 0 && one.archives.length === 0 ? (
          <li className="muted">{t('Nothing so far.')}</li>
        ) : null}
        {one.archives.map((file) => (
          <li key={file} className="muted">
            {archivedText(file)}
          </li>
        ))}
        {one.sights.map((sight, i) => (
          <li key={`${sight.at} ${i}`}>
            <span className="strong">{sentence(sight.outcome)}</span>{' '}
            <span className="muted">
              {sight.source} · <When at={sight.at} seconds />
            </span>
            {sight.why === null ? null : <div className="muted">{sight.why}</div>}
          </li>
        ))}
        {one.rulings.map((said) => (
          <li key={`${said.by} ${said.at}`}>
            <Icon name="team" size={14} />{' '}
            {rich(
              said.ruling === 'done' ? '{who} says it was done: {reason}' : '{who} says it was not done: {reason}',
              { who: <span className="strong">{said.by}</span>, reason: said.reason },
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function OnlyWhatWasSeen() {
  return (
    <Notice tone="warn">
      {t(
        'Only state what you have seen at the provider: in its back office, its file, or its written answer. It is booked as proven.',
      )}
    </Notice>
  );
}

type Said = { readonly as: string; readonly reason: string; readonly provider_ref: string };

function resolutionOf({ as, reason, provider_ref }: Said): ResolutionForm {
  if (as !== 'done') return { as: 'not-done', reason };
  return { as, reason, ...(provider_ref !== '' && { provider_ref }) };
}

type ReasonProps = {
  readonly value: string;
  readonly change: (value: string) => void;
  readonly error: string | undefined;
};

function Reason({ value, change, error }: ReasonProps) {
  return (
    <Textarea
      label={t('Evidence: what you saw, and where')}
      description={t('At least {least} characters. Recorded in the books and the audit log.', {
        least: RESOLUTION_LENGTH.least,
      })}
      rows={3}
      maxLength={RESOLUTION_LENGTH.most}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
      error={error}
    />
  );
}

function Resolution({ one, close }: { readonly one: InDoubt; readonly close: () => void }) {
  const [as, setAs] = useState('');
  const [reason, setReason] = useState('');
  const [provider_ref, setRef] = useState('');
  const proof = useProof();
  const send = () =>
    api('POST /in-doubt/:id/rule', {
      params: { id: one.operation_id },
      body: resolutionOf({ as, reason, provider_ref }),
    });
  const act = useAct({
    run: () => proof.run(send),
    said: ({ kind, detail }: ResolutionAnswer) =>
      kind === 'settled' ? t('Resolved') : t('Recorded: {detail}', { detail }),
    quiet: true,
    stale: ['doubt', 'order', 'overview'],
    done: close,
  });
  const { at, other } = errorsOf(act.error, ['as', 'reason', 'provider_ref', ...PROOF_FIELDS]);
  return (
    <Dialog close={close} title={t('Resolve manually')}>
      <Form
        submit={t('Resolve')}
        danger
        busy={act.isPending}
        disabled={as === '' || reason.trim().length < RESOLUTION_LENGTH.least}
        send={() => act.mutate()}
        cancel={close}
        error={other}
      >
        <OnlyWhatWasSeen />
        <Radio.Group
          label={t('This {kind} of {amount} {currency} at {provider}, order {order}', {
            kind: sentence(one.kind).toLowerCase(),
            amount: moneyText(one.amount_minor, one.currency),
            currency: one.currency,
            provider: sentence(one.provider),
            order: one.order_id,
          })}
          value={as}
          onChange={setAs}
          error={at['as']}
        >
          <div className="stack tight choices">
            <Radio
              value="done"
              label={t('was done: the provider shows it')}
              description={t('It is booked as successful, for good.')}
            />
            <Radio
              value="not-done"
              label={t('was not done: the provider has nothing of it')}
              description={t('It is booked as declined, for good, and its amount can be asked for again.')}
            />
          </div>
        </Radio.Group>
        {as === 'done' ? (
          <TextInput
            label={t('Provider reference, if you have it')}
            maxLength={100}
            value={provider_ref}
            onChange={(event) => setRef(event.currentTarget.value)}
            error={at['provider_ref']}
          />
        ) : null}
        <Reason value={reason} change={setReason} error={at['reason']} />
        {proof.fields(act.error)}
      </Form>
    </Dialog>
  );
}
