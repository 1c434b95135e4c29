// For an account without an order: what this page will show, and in a sandbox a way to see it now.
import { Button, NumberInput } from '@mantine/core';
import { useState } from 'react';
import type { DemoOrdersForm } from '../../../../src/backoffice/wire/sandbox.ts';
import { api } from '../../base/api.ts';
import { go } from '../../base/router.tsx';
import { useSession } from '../../base/session.tsx';
import { plural, t } from '../../base/texts.ts';
import { useAct } from '../../parts/act.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Empty, Panel } from '../../parts/page.tsx';

export function FirstOrders() {
  const { may, state } = useSession();
  const [count, setCount] = useState(25);
  const make = useAct({
    run: () => api('POST /sandbox/orders', { body: { count } satisfies DemoOrdersForm }),
    said: ({ orders }) => plural(orders, '{count} test order was made', '{count} test orders were made'),
    stale: ['overview', 'orders'],
  });
  const can = state.environment === 'sandbox' && may('sandbox');
  return (
    <Panel>
      <Empty
        icon="overview"
        title={t('No payments yet')}
        text={
          can
            ? t('Make some test orders to see what this page looks like, or send the first one with your sandbox key.')
            : t('Volume, approval rate and declines appear here with the first payment.')
        }
      >
        {can ? (
          <>
            <NumberInput
              aria-label={t('How many')}
              w={90}
              min={1}
              max={200}
              value={count}
              onChange={(value) => setCount(Number(value) || 1)}
            />
            <Button loading={make.isPending} leftSection={<Icon name="play" size={16} />} onClick={() => make.mutate()}>
              {t('Make test orders')}
            </Button>
          </>
        ) : null}
        <Button variant="default" onClick={() => go('/keys')}>
          {t('Go to API keys')}
        </Button>
      </Empty>
    </Panel>
  );
}
