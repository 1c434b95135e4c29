// A secret for commands that ask who runs them. It is shown once, and is valid until the next one is made,
// or the person sets a password or a second factor.
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { CommandSecret } from '../../../../src/backoffice/wire/session.ts';
import { api } from '../../base/api.ts';
import { rich } from '../../base/rich.ts';
import { t } from '../../base/texts.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Panel } from '../../parts/page.tsx';
import { PROOF_FIELDS, useProof } from '../../parts/proof.tsx';
import { OnlyTime, ShownOnce } from '../../parts/shown-once.tsx';

export function CommandSecretPanel() {
  const [open, setOpen] = useState(false);
  return (
    <Panel
      title={t('Command line')}
      lead={t('A secret that shows who you are where a command needs two people.')}
      padded
    >
      <div className="stack">
        <p className="muted">
          {rich('Used by {command}.', {
            command: <code>florin review settle --by YOUR-ADDRESS --secret-file FILE</code>,
          })}{' '}
          {t('A new password or a new second factor ends it.')}
        </p>
        <div className="row">
          <Button variant="default" onClick={() => setOpen(true)}>
            {t('Make a new secret')}
          </Button>
        </div>
      </div>
      {open ? <MakeSecret close={() => setOpen(false)} /> : null}
    </Panel>
  );
}

function MakeSecret({ close }: { readonly close: () => void }) {
  const proof = useProof();
  const [secret, setSecret] = useState<string>();
  const act = useAct({
    run: () => proof.run(() => api('POST /me/command-secret')),
    quiet: true,
    done: (made: CommandSecret) => setSecret(made.secret),
  });
  const { other } = errorsOf(act.error, PROOF_FIELDS);
  if (secret !== undefined)
    return (
      <ShownOnce title={t('Your secret for the command line')} text={secret} label={t('the secret')} close={close}>
        <OnlyTime>
          {t('Keep it in a file that only you can read. The secret before it does not work any more.')}
        </OnlyTime>
      </ShownOnce>
    );
  return (
    <Dialog close={close} title={t('Make a secret for the command line')}>
      <Form submit={t('Make secret')} busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
        <p>{t('A secret you made before stops working.')}</p>
        {proof.fields(act.error)}
      </Form>
    </Dialog>
  );
}
