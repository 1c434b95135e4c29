// The order in which contracts are tried. Buttons move a contract, and each move is one change with a reason.
import { ActionIcon } from '@mantine/core';
import { useState } from 'react';
import type { Contract } from '../../../../src/backoffice/wire/account.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { sentence } from '../../base/format.ts';
import { useSession } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { Icon } from '../../parts/icons.tsx';
import { Asked, Empty, Panel } from '../../parts/page.tsx';
import { AskReason } from '../../parts/reason.tsx';
import { Tag } from '../../parts/show.tsx';

export function RouteOrder() {
  const asked = useAsk('providers', 'GET /providers');
  const { may } = useSession();
  const [first, setFirst] = useState<{ readonly contract: Contract; readonly before: Contract }>();
  return (
    <Panel
      title={t('Order of contracts')}
      lead={t(
        'Where no rule decides, among those that accept the method, currency, channel and country. The next is tried only if this provider is down.',
      )}
    >
      <Asked asked={asked}>
        {({ contracts }) => {
          const sorted = contracts.toSorted((a, b) => a.priority - b.priority);
          return sorted.length === 0 ? (
            <Empty icon="route" title={t('No contract')} text={t('Add one under Providers.')} />
          ) : (
            <ol className="rules">
              {sorted.map((contract, i) => {
                const before = sorted[i - 1];
                return (
                  <li key={contract.id}>
                    <span className="num muted">{i + 1}</span>
                    <div className="grow">
                      <div className="strong">{contract.name}</div>
                      <div className="muted">{fits(contract)}</div>
                    </div>
                    {contract.enabled ? null : <Tag>{t('Off')}</Tag>}
                    {before && may('providers') ? (
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={t('Try {name} before {other}', { name: contract.name, other: before.name })}
                        onClick={() => setFirst({ contract, before })}
                      >
                        <Icon name="up" size={16} />
                      </ActionIcon>
                    ) : null}
                  </li>
                );
              })}
            </ol>
          );
        }}
      </Asked>
      {first ? (
        <AskReason
          title={t('Try {name} before {other}', { name: first.contract.name, other: first.before.name })}
          yes={t('Change the order')}
          run={(reason) =>
            api('PUT /providers/:id', {
              params: { id: first.contract.id },
              body: { before: first.before.id, reason },
            })
          }
          said={t('Order of contracts changed')}
          stale={['providers']}
          close={() => setFirst(undefined)}
        />
      ) : null}
    </Panel>
  );
}

function fits({ provider, methods, currencies, channels, countries }: Contract): string {
  const parts = [methods, currencies, channels, countries]
    .filter((names) => names.length > 0)
    .map((names) => names.join(', '));
  return `${sentence(provider)}: ${parts.length === 0 ? t('anything') : parts.join(' · ')}`;
}
