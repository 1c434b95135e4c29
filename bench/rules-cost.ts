// npm run bench:rules -- [--rounds N] [--seconds N]: what forty rules cost a payment (R10). Whole flows without rules and
// under forty of them, by turns; the figure is the processor time of service and database for a flow, which a busy
// machine moves less than the flows of a second. It asserts nothing.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { accountOf, openAdmin } from './database.ts';
import { startFlorin } from './florin.ts';
import type { Played } from './load.ts';
import { cpuOf } from './machine.ts';
import { Helper } from './rounds.ts';
import { putRules } from './rules.ts';
import { byTurns, intervalOf, intervalText } from './turns.ts';

const { values: asked } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, seconds: { type: 'string', default: '2' } },
});
const CONNECTIONS = 64;
const WARM_S = 5;

const folder = mkdtempSync(join(tmpdir(), 'florin-rules-'));
// PostgreSQL may run as another account, which must be able to walk through
chmodSync(folder, 0o711);
const data_dir = join(folder, 'data');
const florin = await startFlorin({ data_dir });
const load = new Helper('load.ts');
const admin = await openAdmin(data_dir);
try {
  const account = await accountOf(admin, florin.private_key);
  const { api_url, vault_url, private_key, public_key } = florin;
  const target = { api_url, vault_url, private_key, public_key };
  const flows = (seconds: number) => load.tell<Played>({ kind: 'flow', target, connections: CONNECTIONS, seconds });
  const measure = async () => {
    const before = cpuOf(florin.pid, undefined);
    const { count } = await flows(Number(asked.seconds));
    const after = cpuOf(florin.pid, undefined);
    if (!before || !after) throw new Error('processor time is read on Linux only');
    return (after.service + after.postgres - before.service - before.postgres) / count;
  };
  /** What is in force is asked of the payments themselves. */
  const noted = async () => {
    const { rows } = await admin.query<{ noted: boolean }>(
      `SELECT route IS NOT NULL AS noted
       FROM payment.transactions
       ORDER BY created_at DESC
       LIMIT 1`,
    );
    return rows[0]?.noted ?? false;
  };
  await flows(WARM_S);
  await admin.query('VACUUM (ANALYZE)');
  let in_force = false;
  const each = { a: [] as number[], b: [] as number[] };
  const { ratios, noise } = await byTurns(Number(asked.rounds), {
    turn: async (to) => {
      if (in_force === (to === 'b')) return;
      in_force = !in_force;
      await putRules({ folder, data_dir, account }, in_force);
    },
    measure: async (of) => {
      const us = await measure();
      if ((await noted()) !== (of === 'b')) throw new Error('the rules in force are not those of the turn');
      each[of].push(us);
      return us;
    },
  });
  const [without, under] = [intervalOf(each.a), intervalOf(each.b)];
  console.log(`processor of service and database for a flow: ${without.median.toFixed(0)} µs without rules`);
  console.log(`under forty: ${under.median.toFixed(0)} µs`);
  console.log(
    `R10 without ÷ under forty: ${intervalText(intervalOf(ratios.map((one) => 1 / one)))} (asked: at least 0.97)`,
  );
  console.log(`noise, without ÷ without: ${intervalText(intervalOf(noise))}`);
} finally {
  await admin.end();
  await load.close();
  await florin.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
