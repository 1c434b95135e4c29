// A person stops the later tries of an order, with a reason.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../base/api.ts';
import { t } from '../../base/texts.ts';
import { AskReason } from '../../parts/reason.tsx';

type Props = { readonly order_id: string; readonly reference: string };

export function Stop({ order_id, reference }: Props) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={t('Stop later tries of {reference}', { reference })}
        onClick={() => setAsking(true)}
      >
        {t('Stop')}
      </Button>
      {asking ? (
        <AskReason
          title={t('Stop later tries')}
          yes={t('Stop')}
          run={(reason) => api('POST /orders/:id/stop-retries', { params: { id: order_id }, body: { reason } })}
          said={t('Stopped')}
          stale={['retries', 'order']}
          close={() => setAsking(false)}
        >
          <p className="muted">
            {t(
              '{reference} stays declined and is not tried again. The shop is notified by order.retries_ended. This cannot be undone.',
              { reference },
            )}
          </p>
        </AskReason>
      ) : null}
    </>
  );
}
