// Sends a range of deliveries again, piece by piece: the page shows how many so far, and a person may stop between two
// pieces.
import { Button, Progress, Select, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Endpoint, Replayed, ReplayForm } from '../../../../src/backoffice/wire/notifications.ts';
import { api } from '../../base/api.ts';
import { dayStart } from '../../base/days.ts';
import { plural, t } from '../../base/texts.ts';
import { Form, errorsOf } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/page.tsx';

type State =
  | { readonly is: 'asked'; readonly error?: unknown }
  | { readonly is: 'running' | 'stopping' | 'stopped' | 'done'; readonly count: number }
  | { readonly is: 'failed'; readonly count: number; readonly error: unknown };

type Props = { readonly endpoints: readonly Endpoint[]; readonly close: () => void };

export function ReplayRange({ endpoints, close }: Props) {
  const [form, setForm] = useState<RangeForm>({
    endpoint_id: endpoints[0]?.id ?? '',
    state: 'parked',
    from: '',
    to: '',
  });
  const { state, run, stop } = useReplay();
  const busy = state.is === 'running' || state.is === 'stopping';
  return (
    <Dialog close={busy ? stop : close} title={t('Replay a range')} closeOnClickOutside={!busy}>
      {state.is === 'asked' ? (
        <Range
          endpoints={endpoints}
          form={form}
          set={setForm}
          error={state.error}
          send={() => void run(wireOf(form))}
          close={close}
        />
      ) : (
        <div className="stack">
          <So state={state} />
          <div className="row end">
            {busy ? (
              <Button variant="default" loading={state.is === 'stopping'} onClick={stop}>
                {t('Stop')}
              </Button>
            ) : (
              <Button onClick={close}>{t('Close')}</Button>
            )}
          </div>
        </div>
      )}
    </Dialog>
  );
}

/**
 * Asks for the next piece until there is none, or the person stops. Deliveries that were sent again by then stay sent.
 */
function useReplay() {
  const [state, setState] = useState<State>({ is: 'asked' });
  const stopped = useRef(false);
  const client = useQueryClient();
  // stops when the person leaves the page
  useEffect(() => {
    stopped.current = false;
    return () => {
      stopped.current = true;
    };
  }, []);
  const run = async (range: ReplayForm) => {
    let count = 0;
    setState({ is: 'running', count });
    try {
      for (let cursor: string | null = ''; cursor !== null && !stopped.current;) {
        const body: ReplayForm = cursor === '' ? range : { ...range, cursor };
        const piece: Replayed = await api('POST /notifications/replay', { body });
        count += piece.replayed;
        cursor = piece.next_cursor;
        if (cursor === null) stopped.current = false;
        setState({ is: cursor === null ? 'done' : stopped.current ? 'stopped' : 'running', count });
      }
    } catch (error) {
      setState(count === 0 ? { is: 'asked', error } : { is: 'failed', count, error });
    }
    await client.invalidateQueries({ queryKey: ['deliveries'] });
  };
  const stop = () => {
    stopped.current = true;
    setState((so_far) => (so_far.is === 'running' ? { is: 'stopping', count: so_far.count } : so_far));
  };
  return { state, run, stop };
}

function So({ state }: { readonly state: Exclude<State, { is: 'asked' }> }) {
  const { count } = state;
  if (state.is === 'done')
    return <Notice tone="good">{plural(count, '{count} is sent again.', '{count} are sent again.')}</Notice>;
  if (state.is === 'stopped')
    return (
      <Notice tone="warn">
        {plural(count, 'Stopped: {count} is sent again, and no more.', 'Stopped: {count} are sent again, and no more.')}
      </Notice>
    );
  if (state.is === 'failed')
    return (
      <Notice tone="bad">
        {plural(
          count,
          '{count} is sent again, then it failed: {why}',
          '{count} are sent again, then it failed: {why}',
          { why: errorsOf(state.error, []).other ?? '' },
        )}
      </Notice>
    );
  return (
    <div className="stack tight" role="status">
      <Progress value={100} animated aria-label={t('Sending again')} />
      <span className="muted num">
        {plural(count, '{count} is sent again so far', '{count} are sent again so far')}
      </span>
    </div>
  );
}

type RangeForm = {
  readonly endpoint_id: string;
  readonly state: 'parked' | 'delivered';
  readonly from: string;
  readonly to: string;
};

function wireOf({ endpoint_id, state, from, to }: RangeForm): ReplayForm {
  return { endpoint_id, state, created_from: dayStart(from), created_to: dayStart(to, 1) };
}

type RangeProps = Props & {
  readonly form: RangeForm;
  readonly set: (form: RangeForm) => void;
  readonly error: unknown;
  readonly send: () => void;
};

const WHICH = [
  { value: 'parked', label: t('Failed: never delivered') },
  { value: 'delivered', label: t('Delivered before') },
];

function Range({ endpoints, form, set, error, send, close }: RangeProps) {
  const { at, other } = errorsOf(error, ['endpoint_id', 'created_from', 'created_to']);
  return (
    <Form
      submit={t('Send again')}
      busy={false}
      disabled={form.from === '' || form.to === ''}
      send={send}
      cancel={close}
      error={other}
    >
      <Select
        label={t('Endpoint')}
        data={endpoints.map(({ id, url }) => ({ value: id, label: url }))}
        value={form.endpoint_id}
        onChange={(endpoint_id) => set({ ...form, endpoint_id: endpoint_id ?? '' })}
        error={at['endpoint_id']}
      />
      <Select
        label={t('Which')}
        data={WHICH}
        value={form.state}
        onChange={(state) => set({ ...form, state: state === 'delivered' ? 'delivered' : 'parked' })}
        allowDeselect={false}
      />
      <div className="pair">
        <TextInput
          label={t('From [day]')}
          type="date"
          value={form.from}
          onChange={(event) => set({ ...form, from: event.currentTarget.value })}
          error={at['created_from']}
        />
        <TextInput
          label={t('To (inclusive)')}
          type="date"
          value={form.to}
          onChange={(event) => set({ ...form, to: event.currentTarget.value })}
          error={at['created_to']}
        />
      </div>
    </Form>
  );
}
