// One dispute: what the payer says, what usually wins, the evidence, and the answer.
import { useState } from 'react';
import { Button } from '@mantine/core';
import type { DisputeDetail } from '../../../../src/backoffice/wire/disputes.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { download } from '../../base/download.ts';
import { moneyText, sentence } from '../../base/format.ts';
import { Link } from '../../base/router.tsx';
import { useSession } from '../../base/session.tsx';
import { Asked, Notice, PageHead, Panel } from '../../parts/page.tsx';
import { AskReason } from '../../parts/reason.tsx';
import { Id, Money, Tag, type Tone, When } from '../../parts/show.tsx';
import { Files, Texts } from './evidence.tsx';
import { Due, Stage } from './words.tsx';

export function DisputePage({ params }: { readonly params: Readonly<Record<string, string>> }) {
  const id = params['id'] ?? '';
  const asked = useAsk('dispute', 'GET /disputes/:id', { params: { id }, every_ms: 15_000 });
  const { data } = asked;
  return (
    <>
      <PageHead
        title={data ? `${moneyText(data.amount_minor, data.currency)} ${data.currency} disputed` : 'Dispute'}
        up={{ to: '/disputes', text: 'Disputes' }}
        lead={data?.title}
        actions={data ? <Stage stage={data.stage} /> : undefined}
      />
      <Asked asked={asked}>
        {(dispute) => (
          <div className="stack">
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
    <Panel title="What it is about" padded>
      <div className="stack">
        <p>{claim}</p>
        <div className="stack tight">
          <h3>What usually wins</h3>
          <p>{wins}</p>
        </div>
      </div>
    </Panel>
  );
}

function Facts({ dispute }: Props) {
  return (
    <Panel title="Details" padded>
      <dl className="facts">
        <dt>Order</dt>
        <dd>
          <Link to={`/orders/${dispute.order_id}`}>{dispute.order_merchant_id}</Link>
        </dd>
        <dt>Amount at stake</dt>
        <dd>
          <Money minor={dispute.amount_minor} currency={dispute.currency} />
        </dd>
        <dt>Reason</dt>
        <dd>
          <code>{dispute.reason_code}</code> {sentence(dispute.reason)}
        </dd>
        <dt>Answer due</dt>
        <dd>
          <Due of={dispute} />
        </dd>
        <dt>Opened</dt>
        <dd>
          <When at={dispute.opened_at} />
        </dd>
        <dt>Provider</dt>
        <dd>
          {dispute.provider_name} {dispute.reference === null ? null : <Id id={dispute.reference} />}
        </dd>
      </dl>
      {dispute.due_reckoned && dispute.due_at !== null ? (
        <p className="muted small">
          {dispute.provider_name} does not say until when. The day is what providers usually give for this scheme, less
          two days.
        </p>
      ) : null}
    </Panel>
  );
}

type Way = 'submit' | 'accept' | 'answered';

/** What there is to do, first of all. */
function Answering({ dispute }: Props) {
  const { may } = useSession();
  const [way, choose] = useState<Way>();
  if (!dispute.open) return <Standing dispute={dispute} />;
  const { sends, provider_name, answer_at } = dispute;
  return (
    <Panel
      title={dispute.stage === 'late' ? 'The day to answer has passed' : 'Answer this dispute'}
      lead={
        sends
          ? `Put the evidence together below, then send it to ${provider_name}. It is usually taken once.`
          : `${provider_name} takes no answers from here. Put the evidence together below, download it, and answer at: ${answer_at}. Then mark it here, so that nobody is reminded.`
      }
      actions={
        may('money') ? (
          <div className="row">
            {sends ? null : (
              <Button onClick={() => void download(`/disputes/${dispute.id}/evidence`, `dispute-${dispute.id}.zip`)}>
                Download evidence
              </Button>
            )}
            <Button variant="default" onClick={() => choose('answered')}>
              Answered elsewhere
            </Button>
            {sends ? (
              <>
                <Button variant="default" onClick={() => choose('accept')}>
                  Accept
                </Button>
                <Button onClick={() => choose('submit')}>Submit evidence</Button>
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
  submit: ['Submit evidence', 'Submit', 'On its way to the provider'],
  accept: ['Accept the dispute', 'Accept and give up the money', 'On its way to the provider'],
  answered: ['Mark as answered elsewhere', 'Mark as answered', 'Marked as answered'],
};

function AskWay({ dispute, way, close }: Props & { readonly way: Way; readonly close: () => void }) {
  const [title, yes, said] = WAYS[way];
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
      said={said}
      stale={['dispute', 'disputes', 'order']}
      close={close}
    >
      {way === 'submit' ? (
        <p>
          {texts + files === 0
            ? 'There is no evidence yet: say or show something first.'
            : `${texts} ${texts === 1 ? 'text' : 'texts'} and ${files} ${files === 1 ? 'file' : 'files'} go to ${dispute.provider_name}. They cannot be changed afterwards.`}
        </p>
      ) : null}
      {way === 'accept' ? (
        <p>
          The payer keeps <Money minor={dispute.amount_minor} currency={dispute.currency} />. There is no way back.
        </p>
      ) : null}
    </AskReason>
  );
}

function Standing({ dispute: { stage, provider_name, answered_at, answered_as } }: Props) {
  if (stage === 'sending')
    return (
      <Notice tone="info" title={`On its way to ${provider_name}`}>
        It is told here what becomes of it.
      </Notice>
    );
  if (stage === 'won')
    return (
      <Notice tone="good" title="Won">
        The money is back.
      </Notice>
    );
  if (stage === 'lost')
    return (
      <Notice tone="bad" title="Lost">
        The payer keeps the money.
      </Notice>
    );
  const how = answered_as === 'elsewhere' ? 'at the provider' : 'from here';
  return (
    <Notice tone="info" title={stage === 'accepted' ? 'Accepted' : 'Answered: the bank decides'}>
      <p>
        {stage === 'accepted' ? 'Given in' : `Answered ${how}`} on <When at={answered_at} />. Banks take 45 to 70 days.
      </p>
    </Notice>
  );
}

const STATES: Readonly<Record<string, readonly [Tone, string]>> = {
  requested: ['info', 'On its way'],
  in_doubt: ['warn', 'Sent, not confirmed'],
  taken: ['good', 'Taken'],
  refused: ['bad', 'Refused'],
};

function Answers({ dispute: { answers } }: Props) {
  if (answers.length === 0) return null;
  return (
    <Panel title="What was sent" padded>
      <ul className="lines">
        {answers.map(({ id, kind, state, note, requested_by, reason, created_at }) => {
          const [tone, word] = STATES[state] ?? ['plain', state];
          return (
            <li key={id} className="stack tight">
              <span className="row">
                <Tag tone={tone}>{word}</Tag> {kind === 'submit' ? 'Evidence' : 'Acceptance'}, <When at={created_at} />
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
