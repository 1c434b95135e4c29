// Forms for an endpoint. Its secret is shown once: when it is made, and when it is rotated.
import { MultiSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Endpoint, EndpointForm, NewEndpoint } from '../../../../src/backoffice/wire/notifications.ts';
import { SECRET_LENGTH } from '../../../../src/core/keys/limits.ts';
import { api } from '../../base/api.ts';
import { sentence } from '../../base/format.ts';
import { t } from '../../base/texts.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Overlap, USUAL_OVERLAP } from '../../parts/overlap.tsx';
import { OnlyTime, ShownOnce } from '../../parts/shown-once.tsx';

type Making = { readonly made: (made: NewEndpoint) => void; readonly close: () => void };

export function MakeEndpoint({ events, made, close }: Making & { readonly events: readonly string[] }) {
  const [form, setForm] = useState({ url: '', description: '', secret: '' });
  const [wanted, setWanted] = useState<string[]>([]);
  const act = useAct({
    run: () =>
      api('POST /notifications/endpoints', {
        body: {
          url: form.url.trim(),
          ...(form.description === '' ? {} : { description: form.description }),
          ...(wanted.length === 0 ? {} : { events: wanted }),
          ...(form.secret === '' ? {} : { secret: form.secret }),
        } satisfies EndpointForm,
      }),
    quiet: true,
    stale: ['endpoints'],
    done: (endpoint: NewEndpoint) => {
      close();
      made(endpoint);
    },
  });
  const { at, other } = errorsOf(act.error, ['url', 'description', 'events', 'secret']);
  return (
    <Dialog close={close} title={t('Add an endpoint')}>
      <Form submit={t('Add')} busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
        <TextInput
          label={t('Address')}
          description={t('https, port 443 or 8443, a public host.')}
          placeholder="https://shop.example/florin"
          type="url"
          data-autofocus
          value={form.url}
          onChange={(event) => setForm({ ...form, url: event.currentTarget.value })}
          error={at['url']}
        />
        <MultiSelect
          label={t('Events')}
          description={t('Empty: everything that succeeded, failed, was cancelled or expired.')}
          data={events.map((value) => ({ value, label: sentence(value) }))}
          value={wanted}
          onChange={setWanted}
          searchable
          clearable
          error={at['events']}
        />
        <TextInput
          label={t('Description')}
          value={form.description}
          onChange={(event) => setForm({ ...form, description: event.currentTarget.value })}
          error={at['description']}
        />
        <OwnSecret value={form.secret} set={(secret) => setForm({ ...form, secret })} error={at['secret']} />
      </Form>
    </Dialog>
  );
}

type OwnSecretProps = {
  readonly value: string;
  readonly set: (secret: string) => void;
  readonly error: string | undefined;
};

/** For a receiver that already checks signatures with a secret of its own. */
function OwnSecret({ value, set, error }: OwnSecretProps) {
  return (
    <TextInput
      label={t('A secret you already use')}
      description={t(
        'Optional, {least} to {most} characters: your server goes on checking signatures with it. Empty: a new one is made.',
        SECRET_LENGTH,
      )}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
      error={error}
    />
  );
}

export function RotateSecret({ endpoint, made, close }: Making & { readonly endpoint: Endpoint }) {
  const [hours, setHours] = useState(USUAL_OVERLAP);
  const act = useAct({
    run: () =>
      api('POST /notifications/endpoints/:endpoint_id/secret', {
        params: { endpoint_id: endpoint.id },
        body: { overlap_hours: Number(hours) },
      }),
    quiet: true,
    stale: ['endpoints'],
    done: (rotated: NewEndpoint) => {
      close();
      made(rotated);
    },
  });
  const { at, other } = errorsOf(act.error, ['overlap_hours']);
  return (
    <Dialog close={close} title={t('Rotate the secret')}>
      <Form submit={t('Make a new secret')} busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
        <p>
          {t(
            'Until the overlap ends, webhook-signature carries both signatures and the older header is made with the old secret.',
          )}
        </p>
        <Overlap
          label={t('Both are valid for')}
          none={t('The old one stops working now')}
          value={hours}
          change={setHours}
          error={at['overlap_hours']}
        />
      </Form>
    </Dialog>
  );
}

export function ShowSecret({ made, close }: { readonly made: NewEndpoint; readonly close: () => void }) {
  return (
    <ShownOnce title={t('The secret of the endpoint')} text={made.secret} label={t('the secret')} close={close}>
      <OnlyTime>{t('Your server checks every signature with it. It is kept sealed here.')}</OnlyTime>
    </ShownOnce>
  );
}
