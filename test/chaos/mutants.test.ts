// The mutants of the chaos gate change this product: each must still fit, or the gate finds it out minutes later.
import { expect, test } from 'vitest';
import { MUTANTS } from './mutants/list.ts';
import { anyLayout, patched, sourceOf } from './patch.ts';
import { ROOT } from './tree.ts';

const SOURCE = sourceOf(ROOT);

test.each(MUTANTS)('the mutant $name fits the product', ({ patches }) => {
  const changes = patched(ROOT, patches, SOURCE);
  expect(changes.size).toBeGreaterThan(0);
});

const SALE = { in: { statement: 'accept_operation' }, put: '' } as const;

test.each([
  [
    'a function that is not there',
    { in: { function: 'noSuchFunction', below: 'src' }, find: 'a', put: '' },
    /stands 0 times/,
  ],
  ['a function that is there twice', { in: { function: 'keyOf', below: 'src' }, find: 'a', put: '' }, /times in the/],
  ['a statement that is not there', { ...SALE, in: { statement: 'no_such' }, find: 'a' }, /stands 0 times/],
  ['a part that is not there', { ...SALE, find: 'WHEN nothing' }, /this stands 0 times, not once:\nWHEN nothing/],
  ['a part that is there more than once', { ...SALE, find: ':amount_minor' }, /this stands \d+ times/],
  ['a file that is not there', { in: { schema: 'nobody' }, find: 'a', put: '' }, /stands 0 times/],
  ['a constraint', { drop: 'constraint', name: 'orders_check3', table: 'payment.orders' }, /stands 0 times on/],
  ['a constraint of another table', { drop: 'constraint', name: 'orders_pkey', table: 'payment.events' }, /0 times/],
  ['a trigger', { drop: 'trigger', name: 'keep', table: 'payment.orders' }, /stands 0 times on payment.orders/],
  ['an index', { drop: 'index', name: 'keep', table: 'payment.orders' }, /stands 0 times on payment.orders/],
] as const)('%s: a mutant that no longer fits is refused', (_, patch, says) => {
  expect(() => patched(ROOT, [patch], SOURCE)).toThrow(says);
});

test('a rule of the schema is dropped by a migration after all others', () => {
  const drops = [
    { drop: 'constraint', name: 'orders_pkey', table: 'payment.orders' },
    { drop: 'index', name: 'one_live_order', table: 'payment.orders' },
    { drop: 'trigger', name: 'forward_only', table: 'payment.operations' },
  ] as const;
  expect([...patched(ROOT, drops)]).toEqual([
    ['src/payment/schema/migrations/9999-mutant-0.sql', 'ALTER TABLE payment.orders DROP CONSTRAINT orders_pkey;\n'],
    ['src/payment/schema/migrations/9999-mutant-1.sql', 'DROP INDEX payment.one_live_order;\n'],
    ['src/payment/schema/migrations/9999-mutant-2.sql', 'DROP TRIGGER forward_only ON payment.operations;\n'],
  ]);
});

test('a part is found in every layout, and not where a word more or less stands', () => {
  const sql = anyLayout(`AND version = :version AND f(a, 'b')`, true);
  for (const text of [`AND version = :version AND f(a, 'b')`, `and o.version=:version\n  and f(\n  a,\n  'b'\n)`])
    expect(text.match(sql)).toHaveLength(1);
  for (const text of [`AND version = version AND f(a, 'b')`, `AND versions = :version AND f(a, 'b')`])
    expect(text.match(sql)).toBe(null);
  const code = anyLayout(`return isOurs(a, b) ? { kind: 'x' } : {`, false);
  expect(`return isOurs(\n  a,\n  b,\n)\n  ? { kind: 'x' }\n  : {`.match(code)).toHaveLength(1);
  expect(`return isours(a, b) ? { kind: 'x' } : {`.match(code)).toBe(null);
});
