// florin routing fees: reads a merchant's fees by contract from a file, and prints them with the fees stated before.
import { date } from '../../core/fields.ts';
import { dayOf } from '../../core/retries/day.ts';
import { gapText } from '../../core/routing/fee-gaps.ts';
import type { FeeRow } from '../../core/routing/fees.ts';
import { Reading } from '../../core/shape.ts';
import { StartError } from '../../kit/start-error.ts';
import { listContracts } from '../../payment/merchant/contract-store.ts';
import { feesToday, stateFees } from '../../payment/routing/fees.ts';
import { findFees } from '../../payment/routing/fees-store.ts';
import { tableOf } from '../ledger/table.ts';
import { readJsonFile, record } from '../published.ts';
import type { Doing } from './routing.ts';

export async function fees(doing: Doing, [file]: readonly string[]): Promise<string> {
  return file === undefined ? show(doing) : state(doing, file);
}

async function state({ tools, account, words }: Doing, file: string): Promise<string> {
  const contract = words.needed('contract');
  const {
    valid_from,
    version,
    fees: rows,
    gaps,
  } = await stateFees(tools, account, {
    contract,
    written: readJsonFile(file),
    from: dayIn(words.text('from')),
    by: words.needed('by'),
    note: words.text('note') ?? null,
    also: (tx, stated) => {
      const { contract_id: object, ...detail } = stated;
      return record(words, tx, { action: 'contract fees stated', object, detail });
    },
  });
  const when = valid_from > dayOf(tools.clock.now()) ? `will hold from ${valid_from} on` : `hold since ${valid_from}`;
  const said = `Fees of ${contract} are stated (version ${version}) and ${when}: ${rows.length} rows.`;
  return gaps.length === 0
    ? said
    : `${said}\nNo row tells the fee of:\n${gaps.map((gap) => `  ${gapText(gap)}`).join('\n')}`;
}

function dayIn(from: string | undefined): string | undefined {
  if (from === undefined) return undefined;
  const day = date.read(from, '--from', new Reading(false));
  if (day === undefined) throw new StartError('--from must be a day such as 2026-12-01.');
  return day;
}

async function show({ tools, account, words }: Doing): Promise<string> {
  const runner = tools.db.tenant(account);
  const [all, today, contracts] = await Promise.all([
    findFees(runner),
    feesToday(tools, account),
    listContracts(runner),
  ]);
  if (words.flag('json')) return JSON.stringify(all, undefined, 2);
  if (all.length === 0) return 'No fees were stated.';
  const lines = all.flatMap((one) => {
    const holds = today.some(({ contract_id, version }) => contract_id === one.contract_id && version === one.version);
    const contract = contracts.find(({ id }) => id === one.contract_id)?.name ?? one.contract_id;
    const { acquirer_country: country } = one;
    const version = [one.version, ...(holds ? ['holds'] : [])].join(', ');
    const head = [contract, version, one.valid_from, one.by_name, country ?? ''];
    return one.fees.map((row, i) => [...(i === 0 ? head : head.map(() => '')), ...feeTexts(row)]);
  });
  return tableOf(COLUMNS, lines);
}

const COLUMNS = ['contract', 'version', 'from', 'by', 'acquirer in', 'payments', 'approved', 'each attempt'].map(
  (title) => ({
    title,
  }),
);

function feeTexts({
  currency = 'any currency',
  scheme,
  region,
  funding,
  percent,
  fixed,
  attempt,
}: FeeRow): readonly string[] {
  return [
    [currency, scheme, region, funding].filter(Boolean).join(' '),
    fixed === undefined ? `${percent} %` : `${percent} % + ${fixed} ${currency}`,
    attempt === undefined ? '' : `${attempt} ${currency}`,
  ];
}
