// The money zone's needs of its database: schema, roles, migrations.
import type { Zone } from '../kit/migrate.ts';

export const PAYMENT_ZONE: Zone = {
  schema: 'payment',
  guarded: true,
  folder: new URL('./schema/', import.meta.url),
  numbered: {
    last: '0037-claims-of-endpoints.sql',
    digest: 'a74b121176c3bc28ee830f69a05f2bffb51d3bf8c05edb492197919e388532eb',
    upgrade: new URL('./schema/from-numbered.sql', import.meta.url),
  },
  roles: [
    { name: 'payment_app', login: true },
    { name: 'payment_queue', login: false, owned: true },
  ],
};
