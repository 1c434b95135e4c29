// Mutants of what is committed when (targets.md 9: X4, X5, X11).
import type { Mutant } from './list.ts';

export const COMMIT_MUTANTS: readonly Mutant[] = [
  {
    name: 'x4-call-in-transaction',
    says: 'the provider is called inside the database transaction',
    patches: [
      {
        file: 'src/payment/order/create.ts',
        find: `  if (!(await accepted(() => acceptOrder(db, order)))) return undefined;
  tools.crash.at('t1_committed');
  const facts = acceptedFacts(order, terms, request.caller.merchant_account_id);
  const settled =
    order.operation_id === null
      ? Promise.resolve(facts)
      : submit(tools, facts, { ...order, operation_id: order.operation_id });
  return answerOrder(tools, request, { facts, settled });`,
        put: `  const { merchant_account_id } = request.caller;
  const begun = await tools.db.begin(merchant_account_id, async (tx) => {
    const inside = { ...tools, db: { ...tools.db, tenant: () => ({ ...tx, gather: tx.run, merchant_account_id }) } };
    if (!(await accepted(() => acceptOrder(inside.db.tenant(), order)))) return undefined;
    tools.crash.at('t1_committed');
    const facts = acceptedFacts(order, terms, merchant_account_id);
    const settled =
      order.operation_id === null
        ? facts
        : await submit(inside, facts, { ...order, operation_id: order.operation_id });
    return { facts, settled: Promise.resolve(settled) };
  });
  return begun && answerOrder(tools, request, begun);`,
      },
    ],
    expect: 'caught',
  },
  {
    name: 'x5-commit-off',
    says: 'commits do not wait for the disk',
    patches: [
      {
        file: 'src/kit/database.ts',
        find: `(options.relaxed ? 'off' : 'on')`,
        put: `'off'`,
      },
    ],
    expect: 'caught',
    faults: { crash_every_s: [1.2, 2.2], kill_every_ms: 60_000, chaos: null },
  },
  {
    name: 'x11-key-afterwards',
    says: 'the idempotency key is committed by itself, after the effect',
    patches: [
      {
        file: 'src/payment/order/maintenance/maintain.ts',
        find: `id, lease_s, key, request_id: request.request_id })) {
      tools.crash.at('t1_committed');`,
        put: `id, lease_s, key: undefined, request_id: request.request_id })) {
      tools.crash.at('t1_committed');
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
    stories: ['partial', 'sale'],
    faults: { chaos: null },
  },
];
