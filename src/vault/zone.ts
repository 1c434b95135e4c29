// The card zone's needs of its database: schema, role, migrations.
import type { Zone } from '../kit/migrate.ts';

export const VAULT_ZONE: Zone = {
  schema: 'vault',
  folder: new URL('./schema/', import.meta.url),
  numbered: {
    last: '0011-key-scopes.sql',
    digest: 'c2f53c165cb259b28a573068b3405c4550301f2f158b5bbbfa8bb01286de3359',
    upgrade: new URL('./schema/from-numbered.sql', import.meta.url),
  },
  roles: [{ name: 'vault_app', login: true }],
};
