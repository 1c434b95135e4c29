// One of everything that the vault's commands and its store of cvcs ask of the database: for the test of all
// statements.
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/kit/clock.ts';
import { verifyAudit } from '../../src/vault/audit/audit.ts';
import { SealedCvcs } from '../../src/vault/cvc/sealed-cvcs.ts';
import { approveExportRequest, requestExport, runExport } from '../../src/vault/export/export.ts';
import { importCards } from '../../src/vault/import/import.ts';
import { addOperator } from '../../src/vault/operators/operators.ts';
import { rotateData } from '../../src/vault/rotation/data.ts';
import { rotateFingerprints } from '../../src/vault/rotation/fingerprint.ts';
import { rotateKek } from '../../src/vault/rotation/kek.ts';
import { credentialsOf, contractCache, keepCredentials } from '../../src/vault/contracts/contracts.ts';
import { findAccountsOf } from '../../src/vault/contracts/store.ts';
import { resealAnswers } from '../../src/vault/rotation/sealed/store.ts';
import type { World } from '../world.ts';
import { demoPayload } from '../../src/vault/wallet/sandbox/demo-payload.ts';
import { chance, insideOf, numberOf } from './inside.ts';

/** Rotations wait for other processes; here there are none. */
const quick = { ...systemClock(), sleep: async () => undefined };

export async function everyVaultStatement(w: World): Promise<void> {
  let ahead_ms = 0;
  const clock = { ...quick, now: () => new Date(Date.now() + ahead_ms) };
  await using inside = insideOf(w, { clock });
  const tools = {
    ...inside,
    actor: 'test',
    progress: () => undefined,
    numbers: 'all' as const,
    refused: () => undefined,
  };
  await inside.keys.open();
  const cvcs = new SealedCvcs(inside);
  const token_hash = 'ab'.repeat(32);
  await cvcs.keep(token_hash, Buffer.from('123'));
  await cvcs.has(token_hash);
  await importAndExport(w, tools);
  await setCredentials(w, { ...tools, contracts: contractCache(clock) });
  const payment = { cryptogram: chance.bytes(20).toString('base64'), amount_minor: 100n, currency: 'EUR' };
  const wallet_payload = demoPayload('google_pay', { ...payment, number: numberOf(2), now: clock.now() }, chance);
  await w.shop.vault('/token', { body: { token_kind: 'google_pay', wallet_payload } });
  await rotateFingerprints(tools);
  await rotateKek(tools);
  await rotateData(tools);
  await resealAnswers(inside.db, { ids: [], before: [], after: [] });
  const [destroyed] = await w.sql<{ id: string; m: string }>(
    `SELECT id, encode(merchant_account_id, 'hex') AS m FROM vault.data_keys WHERE state = 'destroyed' AND purpose = 'card'`,
  );
  await inside.keys.cardById(BigInt(destroyed?.id ?? 0), destroyed?.m ?? '').catch(() => undefined);
  await cvcs.take(token_hash);
  await cvcs.forget(token_hash);
  ahead_ms = 31 * 60_000;
  await cvcs.sweep();
  await verifyAudit(inside.db);
}

type Tools = Parameters<typeof importCards>[0] & Parameters<typeof runExport>[0];

async function setCredentials(w: World, tools: Parameters<typeof keepCredentials>[0]): Promise<void> {
  const merchant_account_id = w.account;
  const of = { contract_id: tools.chance.id(), merchant_account_id, destination: 'simulator' };
  await keepCredentials(tools, { ...of, values: { api_key: 'any' } });
  await findAccountsOf(tools.db, of.destination, 1);
  await credentialsOf(tools, of, { headers: { 'x-api-key': 'secret.api_key' }, slots: {} });
}

async function importAndExport(w: World, tools: Tools): Promise<void> {
  const merchant_account_id = w.account;
  const [input, output] = [join(w.data_dir, 'cards.jsonl'), join(w.data_dir, 'tokens.csv')];
  writeFileSync(
    input,
    JSON.stringify({ card_number: numberOf(1), card_validity_month: '1', card_validity_year: '2034' }),
  );
  await importCards(tools, { merchant_account_id, input, output, again: false });
  const secret = await addOperator(tools, { name: 'anna' });
  const other = await addOperator(tools, { name: 'ben' });
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 3072 });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const asked = await requestExport(tools, { merchant_account_id, pem, by: { name: 'anna', secret } });
  await approveExportRequest(tools, { ...asked, by: { name: 'ben', secret: other } });
  await runExport(tools, asked.id, join(w.data_dir, 'cards.jwe'));
}
