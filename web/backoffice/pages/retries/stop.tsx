// A person stops the later tries of an order, with a reason.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../base/api.ts';
import { AskReason } from '../../parts/reason.tsx';

type Props = { readonly order_id: string; readonly reference: string };

export function Stop({ order_id, reference }: Props) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={`Stop later tries of ${reference}`}
        onClick={() => setAsking(true)}
      >
        Stop
      </Button>
      {asking ? (
        <AskReason
          title="Stop later tries"
          yes="Stop"
          run={(reason) => api('POST /orders/:id/stop-retries', { params: { id: order_id }, body: { reason } })}
          said="Stopped"
          stale={['retries', 'order']}
          close={() => setAsking(false)}
        >
          <p className="muted">
            {reference} stays declined and is not tried again. The shop is told by order.retries_ended. This cannot be
            undone.
          </p>
        </AskReason>
      ) : null}
    </>
  );
}
