// A person's passkeys: which there are, a new one, one that is taken away.
import { Button, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Me, NewPasskeyForm, Passkey } from '../../../../src/backoffice/wire/session.ts';
import { api } from '../../base/api.ts';
import { browserText } from '../../base/browser-text.ts';
import { makePasskey, passkeysHere } from '../../base/passkey.ts';
import { useSession } from '../../base/session.tsx';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Panel } from '../../parts/page.tsx';
import { PROOF_FIELDS, useProof } from '../../parts/proof.tsx';
import { When } from '../../parts/show.tsx';

export function PasskeysPanel({ me }: { readonly me: Me }) {
  const [adding, setAdding] = useState(false);
  const [gone, setGone] = useState<Passkey>();
  return (
    <Panel
      title="Passkeys"
      lead="Sign in with your fingerprint, face or security key, without a password. No page of somebody else can ask for one."
      padded
    >
      <div className="stack">
        {me.passkeys.length === 0 ? null : <List passkeys={me.passkeys} remove={setGone} />}
        <Add me={me} add={() => setAdding(true)} />
      </div>
      {adding ? <NewPasskey close={() => setAdding(false)} /> : null}
      {gone ? <Removal passkey={gone} close={() => setGone(undefined)} /> : null}
    </Panel>
  );
}

function Add({ me, add }: { readonly me: Me; readonly add: () => void }) {
  const { state } = useSession();
  if (state.passkey_origin === null)
    return <p className="muted">Passkeys need the back office at a name with https. This one has none.</p>;
  if (!me.totp)
    return (
      <p className="muted">
        Turn on two-factor authentication first: its codes are the way back when a passkey is lost.
      </p>
    );
  if (!passkeysHere(state))
    return state.passkey_origin === window.location.origin ? (
      <p className="muted">This browser has no passkeys.</p>
    ) : (
      <p className="muted">
        Passkeys work at <a href={`${state.passkey_origin}/me`}>{state.passkey_origin}</a>.
      </p>
    );
  return (
    <div className="row">
      <Button variant="default" onClick={add}>
        Add a passkey
      </Button>
    </div>
  );
}

type ListProps = { readonly passkeys: readonly Passkey[]; readonly remove: (passkey: Passkey) => void };

function List({ passkeys, remove }: ListProps) {
  return (
    <div className="table-wrap">
      <table className="table cards">
        <thead>
          <tr>
            <th>Name</th>
            <th>Added</th>
            <th>Last used</th>
            <th>
              <span className="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {passkeys.map((one) => (
            <tr key={one.id}>
              <td>
                {one.name}
                {one.synced ? <div className="muted small">On your other devices, too</div> : null}
              </td>
              <td>
                <When at={one.created_at} />
              </td>
              <td>
                {one.used_at === null ? <span className="muted">Never</span> : <When at={one.used_at} ago="people" />}
              </td>
              <td className="right">
                <Button variant="default" size="xs" aria-label={`Remove ${one.name}`} onClick={() => remove(one)}>
                  Remove
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function NewPasskey({ close }: { readonly close: () => void }) {
  const [name, setName] = useState(browserText(navigator.userAgent));
  const proof = useProof();
  const act = useAct({
    run: async () => {
      const question = await proof.run(() => api('POST /me/passkeys/options'));
      const response = await makePasskey(question);
      return api('POST /me/passkeys', { body: { name, response } satisfies NewPasskeyForm });
    },
    said: 'You can sign in with the passkey now',
    quiet: true,
    stale: ['me', 'session'],
    done: close,
  });
  const { at, other } = errorsOf(act.error, [...PROOF_FIELDS, 'name']);
  return (
    <Modal opened onClose={close} title="Add a passkey">
      <Form submit="Continue" busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
        <TextInput
          label="Name"
          description="So that you know it again in the list."
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={at['name']}
        />
        {proof.fields(act.error)}
      </Form>
    </Modal>
  );
}

function Removal({ passkey, close }: { readonly passkey: Passkey; readonly close: () => void }) {
  const proof = useProof();
  const act = useAct({
    run: () => proof.run(() => api('DELETE /me/passkeys/:id', { params: { id: passkey.id } })),
    said: `${passkey.name} was removed`,
    quiet: true,
    stale: ['me', 'session'],
    done: close,
  });
  const { other } = errorsOf(act.error, PROOF_FIELDS);
  return (
    <Modal opened onClose={close} title={`Remove ${passkey.name}`}>
      <Form submit="Remove" danger busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
        <p>It opens nothing here any more. Remove it on your device, too.</p>
        {proof.fields(act.error)}
      </Form>
    </Modal>
  );
}
