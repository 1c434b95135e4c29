// Whether a person gets a mail if something needs a person.
import { Switch } from '@mantine/core';
import type { Me } from '../../../../src/backoffice/wire/session.ts';
import { api } from '../../base/api.ts';
import { useSession } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { useAct } from '../../parts/act.tsx';
import { Notice, Panel } from '../../parts/page.tsx';

export function AlarmsPanel({ alarms: { on, reaches } }: Pick<Me, 'alarms'>) {
  const { account } = useSession().session;
  const act = useAct<boolean>({
    run: (alarm_mails) => api('POST /me/alarms', { body: { alarm_mails } }),
    said: t('Saved'),
    stale: ['me'],
  });
  return (
    <Panel
      title={t('Alarms by mail')}
      lead={t('Of this account: what the overview shows under Needs you. Each alarm once a day.')}
      padded
    >
      <div className="stack">
        <Switch
          label={t('Mail me the alarms of {account}', { account: account.name })}
          description={t(
            'Disputes due within three days, outcomes that have not been known for an hour, refunds that wait for a second person, providers and notification endpoints that do not respond, API keys that end soon.',
          )}
          checked={on}
          disabled={act.isPending}
          onChange={(event) => act.mutate(event.currentTarget.checked)}
        />
        {on && reaches !== 'yes' ? (
          <Notice tone="warn">
            {reaches === 'no_server'
              ? t('No mail server is set, so none are sent.')
              : t(
                  'Your address has not been verified, so none are sent: only an invitation that came by mail verifies it.',
                )}
          </Notice>
        ) : null}
      </div>
    </Panel>
  );
}
