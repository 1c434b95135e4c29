// What the money zone needs of its database: schema, roles, migrations.
import type { Zone } from '../kit/migrate.ts';

export const PAYMENT_ZONE: Zone = {
  schema: 'payment',
  guarded: true,
  folder: new URL('./schema/', import.meta.url),
  numbered: {
    last: '0036-people-by-words.sql',
    digest: 'd51bf472fdd6bf0f970e036f2378735fbeb056e1ed7add3b965f9795d90c4f5d',
    upgrade: new URL('./schema/from-numbered.sql', import.meta.url),
  },
  roles: [
    { name: 'payment_app', login: true },
    { name: 'payment_queue', login: false, owned: true },
  ],
};
