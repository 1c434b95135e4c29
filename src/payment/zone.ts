// What the money zone needs of its database: schema, roles, migrations.
import type { Zone } from '../kit/migrate.ts';

export const PAYMENT_ZONE: Zone = {
  schema: 'payment',
  guarded: true,
  folder: new URL('./migrations/', import.meta.url),
  roles: [
    { name: 'payment_app', login: true },
    { name: 'payment_queue', login: false, owned: true },
  ],
};
