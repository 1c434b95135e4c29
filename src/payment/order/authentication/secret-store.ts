// The statement on what the 3-D Secure server of a deployment signs its messages with.
import type { Runner } from '../../../kit/database.ts';

/** Made once, the same for every process. */
export async function keepAuthenticatorSecret(db: Runner, name: string, fresh: string): Promise<string> {
  const rows = await db.run<{ secret: string }>(
    'keep_authenticator_secret',
    `-- any account: the server serves all of them
     INSERT INTO payment.providers (name, message_secret)
     VALUES (:name, :fresh)
     ON CONFLICT (name) DO UPDATE SET
       message_secret = coalesce(providers.message_secret, excluded.message_secret)
     RETURNING message_secret AS secret`,
    { name, fresh },
  );
  const [row] = rows;
  if (!row) throw new Error('keep_authenticator_secret gives one row');
  return row.secret;
}
