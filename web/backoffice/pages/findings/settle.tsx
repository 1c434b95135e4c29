// A person says what a finding is. This books nothing.
import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { FindingRow, SettleForm } from '../../../../src/backoffice/wire/reports.ts';
import { api } from '../../base/api.ts';
import { t } from '../../base/texts.ts';
import { AskReason } from '../../parts/reason.tsx';
import { kindText } from './words.tsx';

export function Settle({ row }: { readonly row: FindingRow }) {
  const [asking, setAsking] = useState(false);
  const name = row.order_merchant_id ?? row.reference;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={t('Settle {what} of {order}', { what: kindText(row.kind).toLowerCase(), order: name })}
        onClick={() => setAsking(true)}
      >
        {t('Settle')}
      </Button>
      {asking ? <Question row={row} close={() => setAsking(false)} /> : null}
    </>
  );
}

function Question({ row: shown, close }: { readonly row: FindingRow; readonly close: () => void }) {
  const [all, setAll] = useState(false);
  // what the person looked at: the list behind the dialog is asked for anew
  const [row] = useState(shown);
  return (
    <AskReason
      title={t('Settle the finding')}
      yes={t('Settle')}
      run={(reason) =>
        api('POST /findings/:id/settle', {
          params: { id: row.id },
          body: (all && row.of_source_mark !== null
            ? { reason, mark: row.of_source_mark, all }
            : { reason, mark: row.mark }) satisfies SettleForm,
        })
      }
      said={t('Settled')}
      stale={['findings', 'overview']}
      close={close}
    >
      <p className="muted">
        {t(
          'Say what it is, and where you saw it. No money moves and nothing is booked. It opens again if a later file says something else.',
        )}
      </p>
      {row.of_source > 1 ? (
        <Checkbox
          checked={all}
          onChange={(event) => setAll(event.currentTarget.checked)}
          label={t('All {count} open findings of {source}, for the same reason', {
            count: row.of_source,
            source: row.source,
          })}
        />
      ) : null}
    </AskReason>
  );
}
