// All that is known of an order that is not as it must be: what was seen of it here, and what the bank has in its
// books.
import type { Arena } from './arena.ts';

const SEEN = `
  SELECT to_char(at, 'MI:SS.MS') AS at, what FROM (
    SELECT b.at, b.id AS n, concat_ws(' ', p.kind, left(encode(p.id, 'hex'), 24), b.source, b.outcome, b.amount_minor, b.detail) AS what
    FROM payment.operations p JOIN payment.observations b ON b.operation_id = p.id WHERE p.order_id = decode($1, 'hex')
    UNION ALL SELECT e.at, e.seq, concat_ws(' ', 'event', e.seq, e.type, e.code) FROM payment.events e WHERE e.subject_id = decode($1, 'hex')
    UNION ALL SELECT p.created_at, 0, concat_ws(' ', 'made', p.kind, encode(p.id, 'hex'), p.origin, p.amount_minor) FROM payment.operations p WHERE p.order_id = decode($1, 'hex')
    UNION ALL SELECT p.sent_at, 0, concat_ws(' ', 'sent again', p.kind, encode(p.id, 'hex')) FROM payment.operations p WHERE p.order_id = decode($1, 'hex') AND p.sent_at IS NOT NULL
    UNION ALL SELECT p.settled_at, 0, concat_ws(' ', 'ended', p.kind, encode(p.id, 'hex'), p.state, p.code, p.reason) FROM payment.operations p WHERE p.order_id = decode($1, 'hex') AND p.settled_at IS NOT NULL
  ) x ORDER BY x.at, x.n`;

/** Lines for people. */
export async function evidenceOf({ postgres, bank }: Arena, order_id: string): Promise<readonly string[]> {
  const seen = await postgres.sql<{ at: string; what: string }>(SEEN, [order_id]);
  const books = await bank.books({ order_id });
  return [
    `  order ${order_id}:`,
    ...seen.map(({ at, what }) => `    ${at} ${what}`),
    ...books.map((row) => `    bank: ${JSON.stringify(row)}`),
  ];
}
