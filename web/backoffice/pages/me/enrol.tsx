import { useQueryClient } from '@tanstack/react-query';
import { SESSION } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { Door } from '../door/door.tsx';
import { TotpSetup } from './totp.tsx';

/** In production, owners and administrators must set up a second factor before they see any page. */
export function MustEnrol() {
  const client = useQueryClient();
  return (
    <Door title={t('Set up two-factor authentication')}>
      <p className="muted">
        {t('Your role needs one before anything else: a password alone is not enough where money moves.')}
      </p>
      <TotpSetup done={() => void client.invalidateQueries({ queryKey: SESSION })} />
    </Door>
  );
}
