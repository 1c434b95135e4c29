// What the card zone needs of its database: schema, role, migrations.
import type { Zone } from '../kit/migrate.ts';

export const VAULT_ZONE: Zone = {
  schema: 'vault',
  folder: new URL('./migrations/', import.meta.url),
  roles: [{ name: 'vault_app', login: true }],
};
