// A person says how a contract is, whatever its calls say: no new payments under it, or payments as if it were well.
import { Button, Radio, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Contract, HoldForm } from '../../../../src/backoffice/wire/account.ts';
import { api } from '../../base/api.ts';
import { useSession } from '../../base/session.tsx';
import { AskReason } from '../../parts/reason.tsx';
import { Tag, When } from '../../parts/show.tsx';

const HOUR_MS = 3_600_000;
const HOURS: Readonly<Record<string, string>> = {
  '1': 'For one hour',
  '4': 'For four hours',
  '24': 'For a day',
  '168': 'For a week',
  '': 'Until somebody ends it',
};

export function HoldTag({ contract: { held, held_until } }: { readonly contract: Contract }) {
  if (held === null) return null;
  const until = held_until === null ? null : <When at={held_until} />;
  return (
    <Tag tone={held === 'open' ? 'bad' : 'info'}>
      {held === 'open' ? 'Held: no new payments' : 'Held: takes payments'}
      {until === null ? null : <> until {until}</>}
    </Tag>
  );
}

export function HoldButton({ contract }: { readonly contract: Contract }) {
  const { may } = useSession();
  const [asking, setAsking] = useState(false);
  if (!may('hold')) return null;
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setAsking(true)}>
        {contract.held === null ? 'Hold' : 'End the hold'}
      </Button>
      {asking ? <HoldDialog contract={contract} close={() => setAsking(false)} /> : null}
    </>
  );
}

function HoldDialog({ contract, close }: { readonly contract: Contract; readonly close: () => void }) {
  const [held, setHeld] = useState<'open' | 'closed'>('open');
  const [hours, setHours] = useState('4');
  const ends = contract.held !== null;
  const form = (): Omit<HoldForm, 'reason'> => {
    if (ends) return { held: 'free' };
    return hours === '' ? { held } : { held, until: new Date(Date.now() + Number(hours) * HOUR_MS).toISOString() };
  };
  return (
    <AskReason
      title={ends ? `End the hold of ${contract.name}` : `Hold ${contract.name}`}
      yes={ends ? 'End the hold' : 'Hold'}
      danger={!ends && held === 'open'}
      run={(reason) => api('POST /providers/:id/hold', { params: { id: contract.id }, body: { ...form(), reason } })}
      said={ends ? `${contract.name} is held no more` : `${contract.name} is held`}
      stale={['providers', 'overview']}
      close={close}
    >
      {ends ? (
        <p>New payments go by the rules again, and by what its calls say.</p>
      ) : (
        <Stack>
          <Radio.Group
            label="What is held"
            value={held}
            onChange={(value) => setHeld(value === 'closed' ? value : 'open')}
          >
            <Stack gap="xs" mt="xs">
              <Radio
                value="open"
                label="No new payments"
                description="They go to the next contract. Captures and refunds go on."
              />
              <Radio
                value="closed"
                label="Takes payments"
                description="As if it were well, whatever its calls say. Use it when you know that they are wrong."
              />
            </Stack>
          </Radio.Group>
          <Select
            label="How long"
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
