// Provider messages that could not be applied. They are kept until a person has looked at them.
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ParkedMessage, SetAsideForm } from '../../../../src/backoffice/wire/doubt.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { sentence } from '../../base/format.ts';
import { rich } from '../../base/rich.ts';
import { Link } from '../../base/router.tsx';
import { useSession } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { Asked, Panel } from '../../parts/page.tsx';
import { AskReason } from '../../parts/reason.tsx';
import { When } from '../../parts/show.tsx';

/** Shows nothing if there are none. */
export function ParkedMessages() {
  const asked = useAsk('parked', 'GET /parked-messages', { every_ms: 30_000 });
  return (
    <Asked asked={asked}>
      {({ messages, more }) =>
        messages.length === 0 ? null : (
          <Panel
            title={t('Messages that were not applied')}
            lead={t(
              'A provider sent these on its own. They are genuine, but were not understood, or match no operation. Nothing was booked.',
            )}
            padded
          >
            <ul className="lines">
              {messages.map((one) => (
                <Parked key={`${one.contract_id} ${one.event_ref}`} one={one} />
              ))}
            </ul>
            {more ? <p className="muted">{t('Only the newest are shown.')}</p> : null}
          </Panel>
        )
      }
    </Asked>
  );
}

function Parked({ one }: { readonly one: ParkedMessage }) {
  const { may } = useSession();
  const [asking, setAsking] = useState(false);
  return (
    <li className="stack tight">
      <div className="row">
        <span className="strong">{sentence(one.reason)}</span>
        <span className="muted">
          {one.contract} · <When at={one.received_at} />
        </span>
        {may('rule') ? (
          <Button size="xs" variant="default" onClick={() => setAsking(true)}>
            {t('Set aside')}
          </Button>
        ) : null}
      </div>
      <div className="muted">
        {rich('Event {id}', { id: <code className="break">{one.event_ref}</code> })}
        {one.order_id === null ? null : (
          <>
            {', '}
            {rich('order {id}', { id: <Link to={`/orders/${one.order_id}`}>{one.order_id}</Link> })}
          </>
        )}
      </div>
      <details>
        <summary>{t('Message')}</summary>
        <pre className="json" tabIndex={0} aria-label={t('Message')}>
          {one.text}
        </pre>
      </details>
      {asking ? (
        <AskReason
          title={t('Set the message aside')}
          yes={t('Set aside')}
          run={(reason) =>
            api('POST /parked-messages/:contract_id/set-aside', {
              params: { contract_id: one.contract_id },
              body: { event_ref: one.event_ref, reason } satisfies SetAsideForm,
            })
          }
          said={t('Set aside')}
          stale={['parked']}
          close={() => setAsking(false)}
        >
          <p className="muted">{t('It stays stored, and is not shown here any more. Nothing else changes.')}</p>
        </AskReason>
      ) : null}
    </li>
  );
}
