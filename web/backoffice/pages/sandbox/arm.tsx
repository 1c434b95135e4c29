// Arms a fault for the next matching calls, with all options of POST /sandbox/scenario (contract 15.4).
import { NumberInput, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { SandboxState, ScenarioForm } from '../../../../src/backoffice/wire/sandbox.ts';
import { api } from '../../base/api.ts';
import { sentence } from '../../base/format.ts';
import { t } from '../../base/texts.ts';
import { type Errors, Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Panel } from '../../parts/page.tsx';

/** The typed text of every field; an empty one is not sent. */
const EMPTY = { provider: '', code: '', delay_ms: '', seconds: '', order: '', amount: '', card_4_digits: '' };
type Draft = typeof EMPTY & { readonly operation: string; readonly fault: string; readonly times: number };

/** A result code is sent only with this fault, and seconds only with the faults of the next list. */
const WITH_CODE = 'decline';
const LASTING = ['provider_down', 'pending', 'callback_never'];

const FIELDS = ['operation', 'fault', 'times', 'provider', 'code', 'delay_ms', 'seconds'];
const MATCHES = ['match.order_id', 'match.order_merchant_id', 'match.amount', 'match.card_4_digits'];

const isOrderId = (text: string) => /^[0-9a-f]{24}$/.test(text);

function formOf({ operation, fault, times, provider, code, delay_ms, seconds, ...narrow }: Draft): ScenarioForm {
  const { order, amount, card_4_digits } = narrow;
  const match = {
    ...(order !== '' && (isOrderId(order) ? { order_id: order } : { order_merchant_id: order })),
    ...(amount !== '' && { amount }),
    ...(card_4_digits !== '' && { card_4_digits }),
  };
  return {
    operation,
    fault,
    times,
    ...(provider !== '' && { provider }),
    ...(code !== '' && fault === WITH_CODE && { code }),
    ...(delay_ms !== '' && { delay_ms: Number(delay_ms) }),
    ...(seconds !== '' && LASTING.includes(fault) && { seconds: Number(seconds) }),
    ...(Object.keys(match).length > 0 && { match }),
  };
}

export function Arm({ state }: { readonly state: SandboxState }) {
  const [draft, setDraft] = useState<Draft>({
    ...EMPTY,
    times: 1,
    operation: state.operations[0] ?? '',
    fault: state.faults[0] ?? '',
  });
  const set = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  const act = useAct({
    run: () => api('POST /sandbox/scenarios', { body: formOf(draft) }),
    said: t('Armed: it applies to the next matching call'),
    quiet: true,
    stale: ['sandbox'],
  });
  const { at, other } = errorsOf(act.error, [...FIELDS, ...MATCHES]);
  return (
    <Panel title={t('Arm a fault')} lead={t('Then watch it in the timeline of the order.')} padded>
      <Form submit={t('Arm')} busy={act.isPending} send={() => act.mutate()} error={other}>
        <What state={state} draft={draft} set={set} at={at} />
        <How draft={draft} set={set} at={at} />
        <Which state={state} draft={draft} set={set} at={at} />
      </Form>
    </Panel>
  );
}

type Part = { readonly draft: Draft; readonly set: (changes: Partial<Draft>) => void; readonly at: Errors };
type PartOf = Part & { readonly state: SandboxState };

const choices = (names: readonly string[]) => names.map((value) => ({ value, label: sentence(value) }));

function What({ state, draft, set, at }: PartOf) {
  return (
    <div className="pair">
      <Select
        label={t('Operation')}
        data={choices(state.operations)}
        value={draft.operation}
        onChange={(operation) => set({ operation: operation ?? '' })}
        error={at['operation']}
      />
      <Select
        label={t('Fault')}
        searchable
        data={choices(state.faults)}
        value={draft.fault}
        onChange={(fault) => set({ fault: fault ?? '' })}
        error={at['fault']}
      />
    </div>
  );
}

function How({ draft, set, at }: Part) {
  return (
    <>
      <div className="pair">
        <NumberInput
          label={t('Times')}
          min={1}
          max={100}
          value={draft.times}
          onChange={(times) => set({ times: Number(times) || 1 })}
          error={at['times']}
        />
        <NumberInput
          label={t('Response delay')}
          placeholder={t('None')}
          suffix=" ms"
          min={0}
          max={60_000}
          value={draft.delay_ms}
          onChange={(delay_ms) => set({ delay_ms: String(delay_ms) })}
          error={at['delay_ms']}
        />
      </div>
      {draft.fault === WITH_CODE ? (
        <TextInput
          label={t('Decline code')}
          description={t('Six digits of the code list that end this operation. Empty: a plain decline.')}
          maxLength={6}
          inputMode="numeric"
          value={draft.code}
          onChange={(event) => set({ code: event.currentTarget.value.trim() })}
          error={at['code']}
        />
      ) : null}
      {LASTING.includes(draft.fault) ? (
        <NumberInput
          label={t('Duration')}
          placeholder={t('Default')}
          suffix=" s"
          min={1}
          max={86_400}
          value={draft.seconds}
          onChange={(seconds) => set({ seconds: String(seconds) })}
          error={at['seconds']}
        />
      ) : null}
    </>
  );
}

function Which({ state, draft, set, at }: PartOf) {
  return (
    <>
      <div className="pair">
        <Select
          label={t('Provider')}
          placeholder={t('Any')}
          clearable
          data={choices(state.providers)}
          value={draft.provider === '' ? null : draft.provider}
          onChange={(provider) => set({ provider: provider ?? '' })}
          error={at['provider']}
        />
        <TextInput
          label={t('Order')}
          placeholder={t('Any: id or reference')}
          maxLength={255}
          value={draft.order}
          onChange={(event) => set({ order: event.currentTarget.value.trim() })}
          error={at['match.order_id'] ?? at['match.order_merchant_id']}
        />
      </div>
      <div className="pair">
        <TextInput
          label={t('Amount')}
          placeholder={t('Any')}
          inputMode="decimal"
          value={draft.amount}
          onChange={(event) => set({ amount: event.currentTarget.value.trim() })}
          error={at['match.amount']}
        />
        <TextInput
          label={t('Last four digits')}
          placeholder={t('Any')}
          maxLength={4}
          inputMode="numeric"
          value={draft.card_4_digits}
          onChange={(event) => set({ card_4_digits: event.currentTarget.value.trim() })}
          error={at['match.card_4_digits']}
        />
      </div>
    </>
  );
}
