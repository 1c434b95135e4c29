// Mutants of what is committed when.
import type { Mutant } from './list.ts';

export const COMMIT_MUTANTS: readonly Mutant[] = [
  {
    name: 'x4-call-in-transaction',
    says: 'the provider is called inside the database transaction',
    patches: [
      {
        in: { function: 'tryOnce', below: 'src/payment/order/accept' },
        find: `const begun = await begin(next, (one) => accept(tools, attempt, one));`,
        put: `if (!order && !next.authentication && next.operation_id !== null) {
    const started = await tools.db.begin(merchant_account_id, async (tx) => {
      const inner = { ...tx, batch: tx.run, batchRead: tx.run, merchant_account_id };
      const inside = { ...tools, db: { ...tools.db, tenant: () => inner, begin: (_, work) => work(inner) } };
      const begun = await begin(next, (one) => accept(inside, attempt, one));
      if (!begun) return undefined;
      tools.crash.at('t1_committed');
      const facts = await factsOf(inside, { attempt, next: begun, terms });
      const { asked, settled } = start(inside, facts, { next: begun, account: request.caller });
      return { facts, asked, settled: Promise.resolve(await settled) };
    });
    return started && answerOrder(tools, request, started);
  }
  const begun = await begin(next, (one) => accept(tools, attempt, one));`,
      },
    ],
    expect: 'caught',
  },
  {
    name: 'x5-commit-off',
    says: 'commits do not wait for the disk',
    patches: [
      {
        in: { function: 'poolOptions', below: 'src/kit' },
        find: `(options.relaxed ? 'off' : 'on')`,
        put: `'off'`,
      },
    ],
    expect: 'caught',
    faults: { crash_every_s: [1.2, 2.2], kill_every_ms: 60_000, chaos: null },
  },
  {
    name: 'x11-key-afterwards',
    says: 'the idempotency key is committed by itself, a moment after the effect',
    patches: [
      {
        in: { function: 'maintain', below: 'src/payment' },
        find: `id, lease_s, key, request_id };`,
        put: `id, lease_s, key: undefined, request_id };`,
      },
      {
        in: { function: 'maintain', below: 'src/payment' },
        find: `if (await accepting) { tools.crash.at('t1_committed');`,
        put: `if (await accepting) {
      tools.crash.at('t1_committed');
      await new Promise((resolve) => setTimeout(resolve, 200));
      if (key)
        await db.run(
          'mutant_key',
          \`INSERT INTO payment.idempotency_keys (merchant_account_id, route, key, fingerprint, object_id)
           VALUES (decode(:merchant_account_id, 'hex'), :route, :key, decode(:fingerprint, 'hex'), decode(:object_id, 'hex')) ON CONFLICT DO NOTHING\`,
          { ...key, merchant_account_id: db.merchant_account_id, object_id: id },
        );`,
      },
    ],
    expect: 'caught',
    as: /one key|keys made|the key of/,
    stories: ['partial', 'sale'],
    // killed between the two commits; a repeat that comes meanwhile finds no key either
    points: Array.from({ length: 8 }, (_, n) => `t1_committed:${n}`),
    faults: { chaos: null, kill_every_ms: 2_000 },
  },
];
