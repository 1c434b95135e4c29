// A person overrides a contract's health: no new payments under it, or payments as if it were well.
import { Button, Radio, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Contract, HoldForm } from '../../../../src/backoffice/wire/account.ts';
import { HOUR_MS } from '../../../../src/core/durations.ts';
import { api } from '../../base/api.ts';
import { useSession } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { AskReason } from '../../parts/reason.tsx';
import { Tag, When } from '../../parts/show.tsx';

const HOURS: Readonly<Record<string, string>> = {
  '1': t('For one hour'),
  '4': t('For four hours'),
  '24': t('For a day'),
  '168': t('For a week'),
  '': t('Until a person ends it'),
};

export function HoldTag({ contract: { held, held_until } }: { readonly contract: Contract }) {
  if (held === null) return null;
  return (
    <>
      <Tag tone={held === 'open' ? 'bad' : 'info'}>
        {held === 'open' ? t('Held: no new payments') : t('Held: takes payments')}
      </Tag>
      {held_until === null ? null : (
        <span className="muted">
          {t('until [moment]')} <When at={held_until} />
        </span>
      )}
    </>
  );
}

export function HoldButton({ contract }: { readonly contract: Contract }) {
  const { may } = useSession();
  const [asking, setAsking] = useState(false);
  if (!may('hold')) return null;
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setAsking(true)}>
        {contract.held === null ? t('Hold') : t('End the hold')}
      </Button>
      {asking ? <HoldDialog contract={contract} close={() => setAsking(false)} /> : null}
    </>
  );
}

function HoldDialog({ contract, close }: { readonly contract: Contract; readonly close: () => void }) {
  const [held, setHeld] = useState<'open' | 'closed'>('open');
  const [hours, setHours] = useState('4');
  const { name } = contract;
  const ends = contract.held !== null;
  const form = (): Omit<HoldForm, 'reason'> => {
    if (ends) return { held: 'free' };
    return hours === '' ? { held } : { held, until: new Date(Date.now() + Number(hours) * HOUR_MS).toISOString() };
  };
  return (
    <AskReason
      title={ends ? t('End the hold of {name}', { name }) : t('Hold {name}', { name })}
      yes={ends ? t('End the hold') : t('Hold')}
      danger={!ends && held === 'open'}
      run={(reason) => api('POST /providers/:id/hold', { params: { id: contract.id }, body: { ...form(), reason } })}
      said={ends ? t('{name} is held no more', { name }) : t('{name} is held', { name })}
      stale={['providers', 'overview']}
      close={close}
    >
      {ends ? (
        <p>{t('New payments go by the rules again, and by what its calls say.')}</p>
      ) : (
        <Stack>
          <Radio.Group
            label={t('New payments [of a contract]')}
            value={held}
            onChange={(value) => setHeld(value === 'closed' ? value : 'open')}
          >
            <Stack gap="xs" mt="xs">
              <Radio
                value="open"
                label={t('None')}
                description={t('They go to the next contract. Captures and refunds go on.')}
              />
              <Radio
                value="closed"
                label={t('As usual')}
                description={t('They are sent there even if its calls seem to fail. For when you know better.')}
              />
            </Stack>
          </Radio.Group>
          <Select
            label={t('How long')}
            data={Object.entries(HOURS).map(([value, label]) => ({ value, label }))}
            value={hours}
            allowDeselect={false}
            onChange={(value) => setHours(value ?? '')}
          />
        </Stack>
      )}
    </AskReason>
  );
}
