// The statement that finds people by the words of their names and addresses.
import { type TenantRunner, bytes } from '../../../kit/database.ts';

export type FoundPerson = { readonly by_email: boolean; readonly person: bigint | null };

/**
 * People with a word in each range from low end to high end, sorted by their first such word. They are found in the
 * dictionary that the worker keeps, and in these orders, which the worker has not followed yet. A last row without a
 * person means that more than `most` words begin like this.
 */
export async function findPeopleByWords(
  db: TenantRunner,
  asked: {
    readonly lows: readonly string[];
    readonly highs: readonly string[];
    readonly ids: readonly string[];
    readonly most: number;
    readonly room: number;
  },
): Promise<readonly FoundPerson[]> {
  return db.run<FoundPerson>(
    'find_people_by_words',
    `WITH asked AS MATERIALIZED (
       SELECT a.n, a.low, a.high
       FROM unnest(:lows::text[], :highs::text[]) WITH ORDINALITY AS a (low, high, n)
     ),
     kept AS MATERIALIZED (
       SELECT a.n, k.word, k.by_email, k.person
       FROM asked a
       CROSS JOIN LATERAL (
         SELECT w.word, w.by_email, w.person
         FROM payment.search_words w
         WHERE w.merchant_account_id = :merchant_account_id::bytea
           AND w.word >= a.low
           AND w.word < a.high
         ORDER BY w.word, w.by_email, w.person
         LIMIT :most
       ) k
     ),
     fresh AS (
       SELECT a.n, f.word COLLATE "C" AS word, f.by_email, f.person
       FROM payment.search_words_of(
         array_fill(:merchant_account_id::bytea, ARRAY[cardinality(:ids::bytea[])]), :ids) f
       JOIN asked a ON f.word COLLATE "C" >= a.low AND f.word COLLATE "C" < a.high
     )
     (
       SELECT x.by_email, x.person
       FROM (
         SELECT * FROM kept
         UNION ALL
         SELECT * FROM fresh
       ) x
       GROUP BY x.by_email, x.person
       HAVING count(DISTINCT x.n) = cardinality(:lows)
       ORDER BY min(x.word), x.by_email, x.person
       LIMIT :room
     )
     UNION ALL
     (
       SELECT false, NULL
       FROM kept k
       GROUP BY k.n
       HAVING count(*) >= :most
       LIMIT 1
     )`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      lows: asked.lows,
      highs: asked.highs,
      most: asked.most,
      room: asked.room,
      ids: asked.ids.map((id) => bytes(id)),
    },
  );
}
