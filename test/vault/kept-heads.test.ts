// Who owns the database can cut records off an audit, or chain others: a head that was kept elsewhere shows it, also
// when as many records were written since, as by the check itself.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEPLOYMENT, verifyChain, writeAudit } from '../../src/backoffice/audit/audit.ts';
import { withTransaction } from '../../src/kit/database.ts';
import { verifyAudit } from '../../src/vault/audit/audit.ts';
import { outcomeOf } from '../start/child.ts';
import { type World, world } from '../world.ts';
import { insideOf, settingsOf } from './inside.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const verify = async (...words: readonly string[]) => {
  const command = ['verify-audit', ...words];
  return outcomeOf({ cwd: w.data_dir, settings: settingsOf(w), command });
};

/** What the command printed, as it takes it back. */
function kept(said: string): readonly string[] {
  const [, records = '', head = ''] =
    /(\d+) records, none changed, missing or moved\. Head ([0-9a-f]{64})/.exec(said) ?? [];
  return ['--records', records, '--head', head];
}

describe('the audit of the vault', () => {
  const write = async (count: number) => {
    await using inside = insideOf(w);
    for (let n = 0; n < count; n++)
      await inside.audit.write(inside.db, { action: 'key loaded', object: `number ${n} of ${count}` });
  };
  const unlock = `ALTER TABLE vault.audit DISABLE TRIGGER keep`;
  const lock = `ALTER TABLE vault.audit ENABLE TRIGGER keep`;

  test('agrees with a head that was kept, however many records came since', async () => {
    const before = kept((await verify()).said);
    await write(3);
    const after = await verify(...before);
    expect([after.code, after.said]).toEqual([0, expect.stringContaining('none changed, missing or moved')]);
  });

  test('whose end was cut off is found, before and after the number of its records is reached again', async () => {
    await write(3);
    const before = kept((await verify()).said);
    await w.sql(`${unlock}; DELETE FROM vault.audit WHERE id > (SELECT max(id) - 2 FROM vault.audit); ${lock}`);
    await using inside = insideOf(w);
    const head = { number: BigInt(before[1] ?? ''), hash: before[3] ?? '' };
    const missing = `records ${head.number - 1n} to ${head.number} are missing, which were there when their head was kept`;
    expect(await verifyAudit(inside.db, head)).toEqual({ whole: false, at: head.number - 1n, why: missing });
    await write(2);
    expect((await verifyAudit(inside.db)).whole).toBe(true);
    const after = await verify(...before);
    const said = `The audit is broken at record ${head.number}: it is not the record whose head was kept.`;
    expect([after.code, after.said]).toEqual([1, expect.stringContaining(said)]);
  });

  test.each([
    ['--records', '3'],
    ['--head', 'a'.repeat(64)],
    ['--records', '0', '--head', 'a'.repeat(64)],
    ['--records', '3', '--head', 'xyz'],
  ])('is not looked at with half a head: %s %s %s %s', async (...words) => {
    const { code, said } = await verify(...words);
    expect([code, said]).toEqual([1, expect.stringContaining('--records and --head must be')]);
  });
});

describe('the audits of the money zone', () => {
  const write = (account: string, count: number) =>
    withTransaction(w.service.tools.db, account, async (tx) => {
      for (let n = 0; n < count; n++)
        await writeAudit(tx, { actor: 'test', source: 'here' }, { action: 'capture requested', object: `${n}` });
    });
  const change = (sql: string) =>
    w.sql(`ALTER TABLE payment.audit DISABLE TRIGGER keep; ${sql}; ALTER TABLE payment.audit ENABLE TRIGGER keep`);

  test('are looked at with --money: a changed record of the deployment or of an account is found', async () => {
    const [own] = await w.sql<{ id: string }>(
      `SELECT encode(merchant_account_id, 'hex') AS id FROM payment.merchant_accounts LIMIT 1`,
    );
    const account = own?.id ?? '';
    for (const one of [DEPLOYMENT, account]) await write(one, 3);
    const whole = await verify('--money');
    expect([whole.code, whole.said]).toEqual([0, expect.stringMatching(/^The deployment: \d+ records, none changed/)]);
    for (const [one, whose] of [
      [DEPLOYMENT, 'the deployment'],
      [account, `the merchant account ${account}`],
    ] as const) {
      const last = `merchant_account_id = '\\x${one}' AND object = '2'`;
      const [{ seq } = { seq: '' }] = await w.sql<{ seq: string }>(`SELECT seq FROM payment.audit WHERE ${last}`);
      await change(`UPDATE payment.audit SET actor = 'nobody' WHERE ${last}`);
      const { code, said } = await verify('--money');
      const broken = `The audit of ${whose} is broken at record ${seq}: the record was changed or moved.`;
      expect([code, said]).toEqual([1, expect.stringContaining(broken)]);
      await change(`UPDATE payment.audit SET actor = 'test' WHERE ${last}`);
    }
    expect((await verify('--money', ...kept(whole.said))).code).toBe(0);
    await write(DEPLOYMENT, 1);
    expect((await verify('--money', ...kept(whole.said))).code).toBe(0);
    const other = await verify('--money', '--records', '1', '--head', 'a'.repeat(64));
    const said = 'The audit of the deployment is broken at record 1: it is not the record whose head was kept.';
    expect([other.code, other.said]).toEqual([1, expect.stringContaining(said)]);
  });

  test('whose end was cut off together with the head beside it are found by a head that was kept', async () => {
    const account = '0123456789abcdef01234567';
    const { db } = w.service.tools;
    await write(account, 3);
    const [newest] = await w.sql<{ hash: string }>(
      `SELECT encode(hash, 'hex') AS hash FROM payment.audit_heads WHERE merchant_account_id = '\\x${account}'`,
    );
    const head = { number: 3n, hash: newest?.hash ?? '' };
    expect((await verifyChain(db, account, head)).whole).toBe(true);
    const mine = `merchant_account_id = '\\x${account}'`;
    await change(
      `DELETE FROM payment.audit WHERE ${mine} AND seq = 3;
       UPDATE payment.audit_heads SET seq = 2, hash = (SELECT hash FROM payment.audit WHERE ${mine} AND seq = 2) WHERE ${mine}`,
    );
    expect((await verifyChain(db, account)).whole).toBe(true);
    const missing = 'records 3 to 3 are missing, which were there when their head was kept';
    expect(await verifyChain(db, account, head)).toEqual({ whole: false, at: 3n, why: missing });
    await write(account, 1);
    expect((await verifyChain(db, account)).whole).toBe(true);
    const why = 'it is not the record whose head was kept';
    expect(await verifyChain(db, account, head)).toEqual({ whole: false, at: 3n, why });
  });
});
