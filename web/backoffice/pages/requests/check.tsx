// Comments on the account's last requests, as an experienced integrator would make them. Only a sandbox has them.
import { Button } from '@mantine/core';
import type { Finding } from '../../../../src/backoffice/wire/requests.ts';
import { useAsk } from '../../base/ask.ts';
import { countText, sentence } from '../../base/format.ts';
import { plural, t } from '../../base/texts.ts';
import { Asked, Empty, Panel } from '../../parts/page.tsx';
import { Tag } from '../../parts/show.tsx';

type Props = { readonly show: (id: string) => void };

export function Check({ show }: Props) {
  const asked = useAsk('check', 'GET /requests/check', { every_ms: 15_000 });
  return (
    <Asked asked={asked}>
      {({ looked_at, findings }) => (
        <div className="stack">
          {findings.length === 0 ? (
            <Panel>
              <Empty
                icon="check"
                title={looked_at === 0 ? t('No requests to look at yet') : t('Nothing to say')}
                text={
                  looked_at === 0
                    ? t('Play your integration against this sandbox, then come back.')
                    : t('Looked at the last {looked_at} requests and notifications.', {
                        looked_at: countText(looked_at),
                      })
                }
              />
            </Panel>
          ) : null}
          {findings.map((finding) => (
            <One key={finding.name} finding={finding} show={show} />
          ))}
        </div>
      )}
    </Asked>
  );
}

const TONES = { error: 'bad', warning: 'warn', advice: 'info' } as const;

function One({ finding, show }: Props & { readonly finding: Finding }) {
  const { name, severity, says, times, more, example, guide } = finding;
  return (
    <Panel
      title={name.charAt(0).toUpperCase() + name.slice(1)}
      actions={<Tag tone={TONES[severity]}>{sentence(severity)}</Tag>}
      footer={
        <>
          <span>{times === 1 ? t('Seen once') : plural(times, 'Seen {count} time', 'Seen {count} times')}</span>
          <span className="row">
            {example === null ? null : (
              <Button size="xs" variant="default" onClick={() => show(example)}>
                {t('Show an example')}
              </Button>
            )}
            <a href={guide} target="_blank" rel="noreferrer">
              {t('Guide')}
            </a>
          </span>
        </>
      }
      padded
    >
      <p>{says}</p>
      {more === '' ? null : <code className="break">{more}</code>}
    </Panel>
  );
}
