// One PostgreSQL for the whole run, with a migrated database that every world is copied from.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../src/kit/embedded.ts';
import { migrate } from '../src/kit/migrate.ts';
import { PAYMENT_ZONE } from '../src/payment/zone.ts';
import { VAULT_ZONE } from '../src/vault/zone.ts';
import { temporaryFolder } from './temporary.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The run's PostgreSQL: socket folder and superuser. */
    server: { readonly socket_dir: string; readonly user: string };
  }
}

export const TEMPLATE = 'florin_template';
/** The same, with what the worker makes first of all: the parts of tables for the days and months to come. */
export const STARTED = 'florin_started';

/** Nothing here outlives the run. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
};

export default async function setup(project: TestProject) {
  const temporary = temporaryFolder();
  const data_dir = mkdtempSync(join(tmpdir(), 'florin-test-'));
  const server = await startEmbedded({ data_dir, settings: SETTINGS });
  const at = { host: server.socket_dir, user: server.user };
  const admin = new pg.Client({ ...at, database: server.database });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${TEMPLATE}`);
  const template = new pg.Client({ ...at, database: TEMPLATE });
  await template.connect();
  await migrate(template, PAYMENT_ZONE);
  await migrate(template, VAULT_ZONE);
  await template.end();
  await admin.query(`CREATE DATABASE ${STARTED} TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`);
  await admin.end();
  const started = new pg.Client({ ...at, database: STARTED });
  await started.connect();
  await started.query('SELECT payment.keep_months(3), payment.keep_request_log(1)');
  await started.end();
  project.provide('server', { socket_dir: server.socket_dir, user: server.user });
  return async () => {
    await server.stop();
    rmSync(data_dir, { recursive: true, force: true });
    temporary[Symbol.dispose]();
  };
}
