// What a merchant pays under a contract: rows that hold from a day on, read from the top. Rules that choose by value
// ask for them.
import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Contract, FeeRow, FeesForm, StatedFees } from '../../../../src/backoffice/wire/account.ts';
import { api } from '../../base/api.ts';
import { dayText, decimalText, methodText } from '../../base/format.ts';
import { SCHEME_OPTIONS } from '../../base/schemes.ts';
import { t } from '../../base/texts.ts';
import type { Errors } from '../../parts/act.tsx';
import { AskReason } from '../../parts/reason.tsx';

type Props = { readonly contract: Contract };

/** A line for each row that holds, and the day from which others will. */
export function Fees({ contract: { fees } }: Props) {
  const holds = fees.find(({ state }) => state === 'holds');
  const next = fees.filter(({ state }) => state === 'to_come');
  if (!holds && next.length === 0) return <span className="muted">{t('Not stated')}</span>;
  return (
    <>
      {holds ? <Stated stated={holds} title={t('Since {day}', { day: dayText(holds.valid_from) })} /> : null}
      {next.map((one) => (
        <Stated key={one.version} stated={one} title={t('From {day} on', { day: dayText(one.valid_from) })} />
      ))}
    </>
  );
}

function Stated({ stated: { rows, stated_by }, title }: { readonly stated: StatedFees; readonly title: string }) {
  return (
    <>
      {rows.map((row) => (
        <div key={`${row.currency ?? ''} ${row.scheme ?? ''}`}>{rowText(row)}</div>
      ))}
      <div className="muted">{`${title}, ${stated_by}`}</div>
    </>
  );
}

function rowText({ currency, scheme, percent, fixed, attempt }: FeeRow): string {
  const of = [currency, scheme === undefined ? undefined : methodText(scheme)].filter((one) => one !== undefined);
  const money = (text: string) => `${decimalText(text)} ${currency ?? ''}`;
  const parts = [`${decimalText(percent)} %`, ...(fixed === undefined ? [] : [money(fixed)])].join(' + ');
  const each = attempt === undefined ? '' : `, ${t('{money} each attempt', { money: money(attempt) })}`;
  return `${of.length === 0 ? t('Every payment') : of.join(' ')}: ${parts}${each}`;
}

type Draft = Readonly<Record<keyof FeeRow, string>>;
const EMPTY: Draft = { currency: '', scheme: '', percent: '', fixed: '', attempt: '' };
const NAMES = Object.keys(EMPTY) as (keyof FeeRow)[];

const draftOf = (row: FeeRow): Draft => ({ ...EMPTY, ...row });

/** What is left empty is not sent; a decimal comma is one. */
function formOf(rows: readonly Draft[]): readonly FeeRow[] {
  return rows.map((row) => {
    const told = NAMES.map((name) => [name, row[name].trim().replace(',', '.')]).filter(([, text]) => text !== '');
    return { percent: '', ...Object.fromEntries(told) } as FeeRow;
  });
}

export function FeesDialog({ contract, close }: Props & { readonly close: () => void }) {
  const newest = contract.fees.find(({ state }) => state === 'holds') ?? contract.fees[0];
  const [rows, setRows] = useState<readonly Draft[]>(newest?.rows.map(draftOf) ?? [EMPTY]);
  const [from, setFrom] = useState('');
  const fields = [
    'from',
    'fees',
    ...rows.flatMap((_, i) => [`fees[${i}]`, ...NAMES.map((name) => `fees[${i}].${name}`)]),
  ];
  return (
    <AskReason
      title={t('Fees of {name}', { name: contract.name })}
      yes={t('Save')}
      wide
      fields={fields}
      run={(reason) => {
        const body: FeesForm = { fees: formOf(rows), reason, ...(from !== '' && { from }) };
        return api('POST /providers/:id/fees', { params: { id: contract.id }, body });
      }}
      said={t('Fees saved')}
      stale={['providers', 'routing-learnt']}
      close={close}
    >
      {(at) => (
        <>
          <p className="muted">
            {t(
              'What you pay for approved payments, as your contract says. The first row that fits a payment holds. What was stated before is kept.',
            )}
          </p>
          {rows.map((row, i) => (
            <Row
              key={i}
              row={row}
              at={at}
              path={`fees[${i}]`}
              change={(changes) => setRows(rows.with(i, { ...row, ...changes }))}
              remove={rows.length === 1 ? undefined : () => setRows(rows.toSpliced(i, 1))}
            />
          ))}
          {at['fees'] === undefined ? null : <p role="alert">{at['fees']}</p>}
          <div>
            <Button size="xs" variant="default" onClick={() => setRows([...rows, EMPTY])}>
              {t('Add a row')}
            </Button>
          </div>
          <TextInput
            type="date"
            label={t('Hold from (UTC)')}
            description={t('Empty: today')}
            value={from}
            onChange={(event) => setFrom(event.currentTarget.value)}
            error={at['from']}
          />
        </>
      )}
    </AskReason>
  );
}

type RowProps = {
  readonly row: Draft;
  readonly path: string;
  readonly at: Errors;
  readonly change: (changes: Partial<Draft>) => void;
  /** Undefined: it is the only one. */
  readonly remove: (() => void) | undefined;
};

function Row({ row, path, at, change, remove }: RowProps) {
  const decimal = (name: 'percent' | 'fixed' | 'attempt', label: string) => (
    <TextInput
      label={label}
      inputMode="decimal"
      value={row[name]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
      error={at[`${path}.${name}`]}
    />
  );
  const title = [row.currency, row.scheme === '' ? '' : methodText(row.scheme)].filter((one) => one !== '').join(' ');
  return (
    <fieldset className="condition">
      <legend>{title === '' ? t('Every payment') : title}</legend>
      <div className="pair">
        <TextInput
          label={t('Currency')}
          description={t('Empty: any')}
          maxLength={3}
          value={row.currency}
          onChange={(event) => change({ currency: event.currentTarget.value.toUpperCase() })}
          error={at[`${path}.currency`]}
        />
        <Select
          label={t('Scheme')}
          description={t('Empty: any')}
          clearable
          data={SCHEME_OPTIONS}
          value={row.scheme === '' ? null : row.scheme}
          onChange={(scheme) => change({ scheme: scheme ?? '' })}
          error={at[`${path}.scheme`]}
        />
        {decimal('percent', t('Percent of the amount'))}
        {decimal('fixed', t('Fixed, each approved payment'))}
        {decimal('attempt', t('Each attempt, approved or not'))}
      </div>
      {at[path] === undefined ? null : <p role="alert">{at[path]}</p>}
      {remove ? (
        <div className="row end">
          <Button size="xs" variant="subtle" color="gray" onClick={remove}>
            {t('Remove {name}', { name: title === '' ? t('Every payment') : title })}
          </Button>
        </div>
      ) : null}
    </fieldset>
  );
}
