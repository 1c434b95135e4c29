// Lists come in pages; who reads one mostly wants the rows.

export type Page<Row> = { readonly rows: readonly Row[]; readonly next_cursor: string | undefined };

/** Rows of a list: `for await (const row of list)` asks for the next page when it is needed. */
export type Rows<Row> = AsyncIterable<Row> & {
  /** The pages, for who wants to keep the cursor. */
  pages(): AsyncIterable<Page<Row>>;
};

export function rowsOf<Row>(ask: (cursor: string | undefined) => Promise<Page<Row>>, first?: string): Rows<Row> {
  async function* pages() {
    let cursor = first;
    do {
      const page = await ask(cursor);
      yield page;
      // a cursor that leads to itself would never end
      cursor = page.next_cursor === cursor ? undefined : page.next_cursor;
    } while (cursor !== undefined);
  }
  async function* rows() {
    for await (const page of pages()) yield* page.rows;
  }
  return { pages, [Symbol.asyncIterator]: rows };
}
