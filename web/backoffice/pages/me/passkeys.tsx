// A person's passkeys: the list, adding one, removing one.
import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Me, NewPasskeyForm, Passkey, SessionState } from '../../../../src/backoffice/wire/session.ts';
import { api } from '../../base/api.ts';
import { browserText } from '../../base/browser-text.ts';
import { makePasskey, passkeysHere } from '../../base/passkey.ts';
import { useSession } from '../../base/session.tsx';
import { rich } from '../../base/rich.ts';
import { t } from '../../base/texts.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Panel } from '../../parts/page.tsx';
import { PROOF_FIELDS, useProof } from '../../parts/proof.tsx';
import { When } from '../../parts/show.tsx';
import { Table, unseen } from '../../parts/table.tsx';

export function PasskeysPanel({ me }: { readonly me: Me }) {
  const [adding, setAdding] = useState(false);
  const [gone, setGone] = useState<Passkey>();
  const { state } = useSession();
  const why = whyNone(state, me);
  return (
    <Panel
      title={t('Passkeys')}
      lead={t('Sign in with your fingerprint, face or security key, without a password. No other site can ask for it.')}
      actions={
        why === undefined ? (
          <Button variant="default" onClick={() => setAdding(true)}>
            {t('Add a passkey')}
          </Button>
        ) : undefined
      }
    >
      {me.passkeys.length === 0 ? null : <List passkeys={me.passkeys} remove={setGone} />}
      {why === undefined ? (
        me.passkeys.length === 0 && <p className="muted padded">{t('You have none yet.')}</p>
      ) : (
        <p className="muted padded">{why}</p>
      )}
      {adding ? <NewPasskey close={() => setAdding(false)} /> : null}
      {gone ? <Removal passkey={gone} close={() => setGone(undefined)} /> : null}
    </Panel>
  );
}

/** The reason why no passkey can be added on this page; undefined if one can. */
function whyNone(state: SessionState, me: Me): ReactNode {
  const { passkey_origin: origin } = state;
  if (origin === null) return t('Passkeys need the back office at a name with https. This one has none.');
  if (!me.totp) return t('Turn on two-factor authentication first: its codes are the way back when a passkey is lost.');
  if (origin !== window.location.origin)
    return rich('Passkeys work at {place}.', { place: <a href={`${origin}/me`}>{origin}</a> });
  return passkeysHere(state) ? undefined : t('This browser has no passkeys.');
}

type ListProps = { readonly passkeys: readonly Passkey[]; readonly remove: (passkey: Passkey) => void };

function List({ passkeys, remove }: ListProps) {
  return (
    <Table columns={[t('Name'), t('Added'), t('Last used'), unseen(t('Actions'))]}>
      {passkeys.map((one) => (
        <tr key={one.id}>
          <td>
            {one.name}
            {one.synced ? <div className="muted small">{t('On your other devices, too')}</div> : null}
          </td>
          <td>
            <When at={one.created_at} />
          </td>
          <td>
            {one.used_at === null ? (
              <span className="muted">{t('Never')}</span>
            ) : (
              <When at={one.used_at} ago="people" />
            )}
          </td>
          <td className="right">
            <Button
              variant="default"
              size="xs"
              aria-label={t('Remove {name}', { name: one.name })}
              onClick={() => remove(one)}
            >
              {t('Remove')}
            </Button>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function NewPasskey({ close }: { readonly close: () => void }) {
  const [name, setName] = useState(browserText(navigator.userAgent) ?? '');
  const proof = useProof();
  const act = useAct({
    run: async () => {
      const question = await proof.run(() => api('POST /me/passkeys/options'));
      const response = await makePasskey(question);
      return api('POST /me/passkeys', { body: { name, response } satisfies NewPasskeyForm });
    },
    said: t('You can sign in with the passkey now'),
    quiet: true,
    stale: ['me', 'session'],
    done: close,
  });
  const { at, other } = errorsOf(act.error, [...PROOF_FIELDS, 'name']);
  return (
    <Dialog close={close} title={t('Add a passkey')}>
      <Form submit={t('Continue')} busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
        <TextInput
          label={t('Name')}
          description={t('So that you know it again in the list.')}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={at['name']}
        />
        {proof.fields(act.error)}
      </Form>
    </Dialog>
  );
}

function Removal({ passkey, close }: { readonly passkey: Passkey; readonly close: () => void }) {
  const proof = useProof();
  const act = useAct({
    run: () => proof.run(() => api('DELETE /me/passkeys/:id', { params: { id: passkey.id } })),
    said: t('{name} was removed', { name: passkey.name }),
    quiet: true,
    stale: ['me', 'session'],
    done: close,
  });
  const { other } = errorsOf(act.error, PROOF_FIELDS);
  return (
    <Dialog close={close} title={t('Remove {name}', { name: passkey.name })}>
      <Form submit={t('Remove')} danger busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
        <p>{t('It opens nothing here any more. Remove it on your device, too.')}</p>
        {proof.fields(act.error)}
      </Form>
    </Dialog>
  );
}
