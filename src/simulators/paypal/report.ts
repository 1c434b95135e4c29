// The settlement report of the simulated PayPal, separated by commas:
// developer.paypal.com/docs/reports/sftp-reports/settlement-report/
import type { Amount } from './money.ts';
import type { World } from './world.ts';

const HEAD = [
  'CH',
  'Transaction ID',
  'Invoice ID',
  'PayPal Reference ID',
  'PayPal Reference ID Type',
  'Transaction Event Code',
  'Transaction Initiation Date',
  'Transaction Completion Date',
  'Transaction  Debit or Credit',
  'Gross Transaction Amount',
  'Gross Transaction Currency',
  'Fee Debit or Credit',
  'Fee Amount',
  'Fee Currency',
  'Custom Field',
  'Consumer ID',
];

/** PayPal's id of the account. */
const ACCOUNT = 'S1MULATEDPAYEE';

export function settlementReport({ books, now_ms }: World): string {
  const at = `${new Date(now_ms()).toISOString().slice(0, 19).replaceAll('-', '/').replace('T', ' ')} +0000`;
  const row = (own: { id: string; invoice: string; custom: string; code: string; side: string; amount: Amount }) => {
    const of = ['SB', own.id, own.invoice, '', '', own.code, at, at, own.side];
    const { minor, currency } = own.amount;
    return [...of, String(minor), currency, 'DR', '1', currency, own.custom, ''];
  };
  const paid = [...books.captures.values()].filter((one) => one.state === 'completed');
  const back = [...books.refunds.values()].filter((one) => one.state === 'COMPLETED');
  const rows = [
    ...paid.map(({ id, invoice_id: invoice = '', order, amount }) =>
      row({ id, invoice, custom: order.custom_id ?? '', code: 'T0005', side: 'CR', amount }),
    ),
    ...back.map(({ id, capture, custom_id: custom = '', amount }) =>
      row({ id, invoice: capture.invoice_id ?? '', custom, code: 'T1107', side: 'DR', amount }),
    ),
    row({ id: 'W1', invoice: '', custom: '', code: 'T0403', side: 'DR', amount: { minor: 100, currency: 'EUR' } }),
  ];
  const frame = [['RH', at, 'A', ACCOUNT, '009'], ['FH', '01'], ['SH', at, at, ACCOUNT, ''], HEAD];
  const foot = [
    ['SF', 'EUR', '0'],
    ['SC', String(rows.length)],
    ['RF', 'EUR', '0'],
    ['RC', '1'],
    ['FF', '1'],
  ];
  return [...frame, ...rows, ...foot].map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\n');
}
