// A table of rows. What is wider than its place can be moved sideways; on a small screen each row is a card.
import type { ReactNode } from 'react';

type Column = string | { readonly text: string; readonly is: 'right' | 'unseen' };

/** The heading of a column whose cells stand at the right, as amounts do. */
export const right = (text: string): Column => ({ text, is: 'right' });
/** The heading of a column of buttons: heard, not seen. */
export const unseen = (text: string): Column => ({ text, is: 'unseen' });

type Props = {
  /** False: the column is not there. */
  readonly columns: readonly (Column | false)[];
  /** The cells of a row may be lines of text. */
  readonly lines?: boolean;
  readonly children: ReactNode;
};

export function Table({ columns, lines = false, children }: Props) {
  return (
    <div className="table-wrap">
      <table className={lines ? 'table cards lines' : 'table cards'}>
        <thead>
          <tr>{columns.map((column) => (column === false ? null : headOf(column)))}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** The headings of a table whose cells tell by themselves what they are to whoever sees them. */
export function Heard({ columns }: { readonly columns: readonly string[] }) {
  return (
    <thead className="heard">
      <tr>{columns.map((text) => headOf(unseen(text)))}</tr>
    </thead>
  );
}

function headOf(column: Column): ReactNode {
  const { text, is } = typeof column === 'string' ? { text: column, is: undefined } : column;
  return (
    <th key={text} scope="col" className={is === 'right' ? 'right' : undefined}>
      {is === 'unseen' ? <span className="unseen">{text}</span> : text}
    </th>
  );
}
