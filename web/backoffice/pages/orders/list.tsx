// The rows of a list of orders: for pointer and keyboard (j, k, Enter), and as cards if there is no room for a table.
import { useEffect, useRef } from 'react';
import type { OrderRow } from '../../../../src/backoffice/wire/orders.ts';
import { go } from '../../base/router.tsx';
import { COLUMNS, type Column } from './columns.tsx';

type Props = {
  readonly rows: readonly OrderRow[];
  readonly columns?: readonly Column[];
  /** The index of the row that the keyboard has chosen. */
  readonly at?: number;
};

const USUAL = COLUMNS.filter(({ name }) => ['amount', 'status', 'reference', 'method', 'created'].includes(name));

export function OrderTable({ rows, columns = USUAL, at }: Props) {
  const chosen = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    // newer browsers return a promise here, which an effect must not return
    chosen.current?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <div className="table-wrap">
      <table className="table cards orders">
        <thead>
          <tr>
            {columns.map(({ name, title, right }) => (
              <th key={name} className={right ? 'right' : undefined} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr
              key={row.id}
              ref={i === at ? chosen : undefined}
              className={i === at ? 'opens chosen' : 'opens'}
              onClick={(event) => {
                if (!(event.target instanceof Element && event.target.closest('a, button'))) go(`/orders/${row.id}`);
              }}
            >
              {columns.map(({ name, right, cell }) => (
                <td key={name} className={`${right ? 'right' : ''} col-${name}`}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
