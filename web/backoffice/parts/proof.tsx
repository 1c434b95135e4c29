// Asks a person for their password or passkey once more, inside the form of the action, if the server requires a recent
// proof.
import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Proof } from '../../../src/backoffice/wire/session.ts';
import { ApiError, api } from '../base/api.ts';
import { passkeysHere, signWithPasskey } from '../base/passkey.ts';
import { useSession } from '../base/session.tsx';
import { t } from '../base/texts.ts';
import { errorsOf } from './act.tsx';
import { Notice } from './page.tsx';
import { PasswordField } from './password.tsx';

/** Fields of the proof that the error of such a form may name. */
export const PROOF_FIELDS = ['proof', 'password', 'code'] as const;

type Asking = {
  /** Sends the proof first, if it is required, and then does the work. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
  /** The fields of the proof, once the server has asked for it. */
  readonly fields: (error: unknown) => ReactNode;
};

export function useProof(): Asking {
  const { state, session } = useSession();
  const [wanted, setWanted] = useState(false);
  const [shown, setShown] = useState(false);
  const [{ password, code }, setProof] = useState({ password: '', code: '' });
  const run = async <T,>(work: () => Promise<T>): Promise<T> => {
    if (wanted) {
      const body: Proof = session.totp ? { password, code } : { password };
      await api('POST /me/prove', { body });
      setWanted(false);
    }
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError && error.problem.errors?.some(({ field }) => field === 'proof')) {
        setWanted(true);
        setShown(true);
      }
      throw error;
    }
  };
  const fields = (error: unknown) => {
    if (!shown) return null;
    if (!wanted) return <Notice tone="good">{t('It is confirmed that it is you. Go on.')}</Notice>;
    const { at } = errorsOf(error, PROOF_FIELDS);
    return (
      <>
        {session.passkeys && passkeysHere(state) ? <ByPasskey proved={() => setWanted(false)} /> : null}
        <PasswordField
          label={t('Your password')}
          description={t('This step asks for it again.')}
          autoComplete="current-password"
          value={password}
          onChange={(event) => setProof({ code, password: event.currentTarget.value })}
          error={at['password']}
        />
        {session.totp ? (
          <TextInput
            label={t('Code of your authenticator')}
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={(event) => setProof({ password, code: event.currentTarget.value })}
            error={at['code']}
          />
        ) : null}
      </>
    );
  };
  return { run, fields };
}

function ByPasskey({ proved }: { readonly proved: () => void }) {
  const [error, setError] = useState<string>();
  const prove = async () => {
    setError(undefined);
    try {
      const response = await signWithPasskey(await api('POST /me/prove/options'));
      await api('POST /me/prove/passkey', { body: { response } });
      proved();
    } catch (failed) {
      setError(failed instanceof Error ? failed.message : String(failed));
    }
  };
  return (
    <div className="stack tight">
      {error === undefined ? null : <Notice tone="bad">{error}</Notice>}
      <Button variant="default" onClick={() => void prove()}>
        {t('Use a passkey')}
      </Button>
    </div>
  );
}
