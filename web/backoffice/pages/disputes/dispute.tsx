// One dispute: what the payer says, what usually wins, the evidence, and the answer.
import { useState } from 'react';
import { Button } from '@mantine/core';
import type { DisputeDetail } from '../../../../src/backoffice/wire/disputes.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { download } from '../../base/download.ts';
import { moneyText, sentence } from '../../base/format.ts';
import { rich } from '../../base/rich.ts';
import { Link } from '../../base/router.tsx';
import { useSession } from '../../base/session.tsx';
import { plural, said, t } from '../../base/texts.ts';
import { Asked, Notice, PageHead, Panel } from '../../parts/page.tsx';
import { AskReason } from '../../parts/reason.tsx';
import { Id, Money, Tag, type Tone, When } from '../../parts/show.tsx';
import { Files, Texts } from './evidence.tsx';
import { BackTwice, Due, Stage } from './words.tsx';

export function DisputePage({ params }: { readonly params: Readonly<Record<string, string>> }) {
  const id = params['id'] ?? '';
  const asked = useAsk('dispute', 'GET /disputes/:id', { params: { id }, every_ms: 15_000 });
  const { data } = asked;
  return (
    <>
      <PageHead
        title={
          data
            ? t('{amount} {currency} disputed', {
                amount: moneyText(data.amount_minor, data.currency),
                currency: data.currency,
              })
            : t('Dispute')
        }
        up={{ to: '/disputes', text: t('Disputes') }}
        lead={data === undefined ? undefined : said(data.title)}
        actions={data ? <Stage stage={data.stage} /> : undefined}
      />
      <Asked asked={asked}>
        {(dispute) => (
          <div className="stack">
            {dispute.back_twice_minor > 0 && dispute.state !== 'won' ? (
              <Notice tone="bad" title={t('Contest this: the payer has the money twice')}>
                <BackTwice minor={dispute.back_twice_minor} currency={dispute.currency} />
              </Notice>
            ) : null}
            <Answering dispute={dispute} />
            <div className="grid-2">
              <Claim dispute={dispute} />
              <Facts dispute={dispute} />
            </div>
            <Texts dispute={dispute} />
            <Files dispute={dispute} />
            <Answers dispute={dispute} />
          </div>
        )}
      </Asked>
    </>
  );
}

type Props = { readonly dispute: DisputeDetail };

function Claim({ dispute: { claim, wins } }: Props) {
  return (
    <Panel title={t('What it is about')} padded>
      <div className="stack">
        <p>{said(claim)}</p>
        <div className="stack tight">
          <h3>{t('What usually wins')}</h3>
          <p>{said(wins)}</p>
        </div>
      </div>
    </Panel>
  );
}

function Facts({ dispute }: Props) {
  return (
    <Panel title={t('Details')} padded>
      <dl className="facts">
        <dt>{t('Order')}</dt>
        <dd>
          <Link to={`/orders/${dispute.order_id}`}>{dispute.order_merchant_id}</Link>
        </dd>
        <dt>{t('Amount at stake')}</dt>
        <dd>
          <Money minor={dispute.amount_minor} currency={dispute.currency} />
        </dd>
        <dt>{t('Reason')}</dt>
        <dd>
          <code>{dispute.reason_code}</code> {sentence(dispute.reason)}
        </dd>
        <dt>{t('Answer due')}</dt>
        <dd>
          <Due of={dispute} />
        </dd>
        <dt>{t('Opened')}</dt>
        <dd>
          <When at={dispute.opened_at} />
        </dd>
        <dt>{t('Provider')}</dt>
        <dd>
          {dispute.provider_name} {dispute.reference === null ? null : <Id id={dispute.reference} />}
        </dd>
      </dl>
      {dispute.due_reckoned && dispute.due_at !== null ? (
        <p className="muted small">
          {t(
            '{provider_name} does not say until when. The day is what providers usually give for this scheme, less two days.',
            { provider_name: dispute.provider_name },
          )}
        </p>
      ) : null}
    </Panel>
  );
}

type Way = 'submit' | 'accept' | 'answered';

/** The next action, above everything else. */
function Answering({ dispute }: Props) {
  const { may } = useSession();
  const [way, choose] = useState<Way>();
  if (!dispute.open) return <Standing dispute={dispute} />;
  const { sends, provider_name, answer_at } = dispute;
  return (
    <Panel
      title={dispute.stage === 'late' ? t('The day to answer has passed') : t('Answer this dispute')}
      lead={
        sends
          ? t('Put the evidence together below, then send it to {provider_name}. It is usually taken once.', {
              provider_name,
            })
          : rich(
              '{provider_name} takes no answers from here. Put the evidence together below, download it, and answer at: {answer_at}. Then mark it here to stop the reminders.',
              { provider_name, answer_at: <span lang="en">{answer_at}</span> },
            )
      }
      actions={
        may('money') ? (
          <div className="row">
            <Button
              variant={sends ? 'default' : 'filled'}
              onClick={() => void download(`/disputes/${dispute.id}/evidence`, `dispute-${dispute.id}.zip`)}
            >
              {t('Download evidence')}
            </Button>
            <Button variant="default" onClick={() => choose('answered')}>
              {t('Answered elsewhere')}
            </Button>
            {sends ? (
              <>
                <Button variant="default" onClick={() => choose('accept')}>
                  {t('Accept')}
                </Button>
                <Button onClick={() => choose('submit')}>{t('Submit evidence')}</Button>
              </>
            ) : null}
          </div>
        ) : undefined
      }
    >
      {way ? <AskWay dispute={dispute} way={way} close={() => choose(undefined)} /> : null}
    </Panel>
  );
}

const WAYS: Readonly<Record<Way, readonly [title: string, yes: string, said: string]>> = {
  submit: [t('Submit evidence'), t('Submit'), t('On its way to the provider')],
  accept: ['Accept the dispute', 'Accept and give up the money', 'On its way to the provider'],
  answered: [t('Mark as answered elsewhere'), t('Mark as answered'), t('Marked as answered')],
};

function AskWay({ dispute, way, close }: Props & { readonly way: Way; readonly close: () => void }) {
  const [title, yes, done] = WAYS[way];
  const call = (reason: string) => {
    const asked = { params: { id: dispute.id }, body: { reason } };
    if (way === 'submit') return api('POST /disputes/:id/submit', asked);
    return way === 'accept' ? api('POST /disputes/:id/accept', asked) : api('POST /disputes/:id/answered', asked);
  };
  const texts = dispute.texts.filter(({ text }) => text !== '').length;
  const files = dispute.files.filter(({ file }) => file !== null).length;
  return (
    <AskReason
      title={title}
      yes={yes}
      danger={way === 'accept'}
      run={call}
      said={done}
      stale={['dispute', 'disputes', 'order']}
      close={close}
    >
      {way === 'submit' ? (
        <p>
          {texts + files === 0
            ? t('There is no evidence yet: say or show something first.')
            : t('{texts} and {files} go to {provider}. They cannot be changed afterwards.', {
                texts: plural(texts, '{count} text', '{count} texts'),
                files: plural(files, '{count} file', '{count} files'),
                provider: dispute.provider_name,
              })}
        </p>
      ) : null}
      {way === 'accept' ? (
        <p>
          {rich('The payer keeps {amount}. There is no way back.', {
            amount: <Money minor={dispute.amount_minor} currency={dispute.currency} />,
          })}
        </p>
      ) : null}
    </AskReason>
  );
}

function Standing({ dispute: { stage, provider_name, answered_at, answered_as } }: Props) {
  if (stage === 'sending')
    return (
      <Notice tone="info" title={t('On its way to {provider_name}', { provider_name })}>
        {t('The result will be shown here.')}
      </Notice>
    );
  if (stage === 'won')
    return (
      <Notice tone="good" title={t('Won')}>
        {t('The money is back.')}
      </Notice>
    );
  if (stage === 'lost')
    return (
      <Notice tone="bad" title={t('Lost')}>
        {t('The payer keeps the money.')}
      </Notice>
    );
  return (
    <Notice tone="info" title={stage === 'accepted' ? t('Accepted') : t('Answered: the bank decides')}>
      <p>
        {rich(
          stage === 'accepted'
            ? 'Submitted on {at}. Banks take 45 to 70 days.'
            : answered_as === 'elsewhere'
              ? 'Answered at the provider on {at}. Banks take 45 to 70 days.'
              : 'Answered from here on {at}. Banks take 45 to 70 days.',
          { at: <When at={answered_at} /> },
        )}
      </p>
    </Notice>
  );
}

const STATES: Readonly<Record<string, readonly [Tone, string]>> = {
  requested: ['info', t('On its way')],
  in_doubt: ['warn', t('Sent, not confirmed')],
  taken: ['good', t('Taken')],
  refused: ['bad', t('Refused')],
};

function Answers({ dispute: { answers } }: Props) {
  if (answers.length === 0) return null;
  return (
    <Panel title={t('What was sent')} padded>
      <ul className="lines">
        {answers.map(({ id, kind, state, note, requested_by, reason, created_at }) => {
          const [tone, word] = STATES[state] ?? ['plain', state];
          return (
            <li key={id} className="stack tight">
              <span className="row">
                <Tag tone={tone}>{word}</Tag> {kind === 'submit' ? t('Evidence') : t('Acceptance')},{' '}
                <When at={created_at} />
              </span>
              <span className="muted">{`${requested_by}: ${reason}`}</span>
              {note === '' ? null : <span>{note}</span>}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
