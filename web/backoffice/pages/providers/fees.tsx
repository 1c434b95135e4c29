// The fees that a merchant pays under a contract: rows that are valid from a day on, read from the top. Rules that
// choose by value need them.
import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Contract, FeeGap, FeeRow, FeesForm, StatedFees } from '../../../../src/backoffice/wire/account.ts';
import { api } from '../../base/api.ts';
import { dayText, decimalText, methodText } from '../../base/format.ts';
import { SCHEME_OPTIONS } from '../../base/schemes.ts';
import { t } from '../../base/texts.ts';
import type { Errors } from '../../parts/act.tsx';
import { AskReason } from '../../parts/reason.tsx';

type Props = { readonly contract: Contract };

/** One line for each row that is valid, and the rows that will be valid from a later day. */
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

type StatedProps = { readonly stated: StatedFees; readonly title: string };

function Stated({ stated: { rows, gaps, acquirer_country, stated_by }, title }: StatedProps) {
  return (
    <>
      {rows.map((row) => (
        <div key={ofText(row)}>{rowText(row)}</div>
      ))}
      {gaps.length === 0 ? null : (
        <div>{t('No fee is stated for: {payments}', { payments: gaps.map(ofText).join('; ') })}</div>
      )}
      {acquirer_country === null ? null : (
        <div className="muted">{t('The acquirer is in {country}', { country: acquirer_country })}</div>
      )}
      <div className="muted">{`${title}, ${stated_by}`}</div>
    </>
  );
}

const REGIONS = [
  { value: 'domestic', label: t('Card of the same country') },
  { value: 'intra_eea', label: t('Card of another EEA country') },
  { value: 'inter_region', label: t('Card of any other country') },
];
const FUNDINGS = [
  { value: 'credit', label: t('Credit card') },
  { value: 'debit', label: t('Debit card') },
  { value: 'prepaid', label: t('Prepaid card') },
];
const labelIn = (options: typeof REGIONS, value: string | undefined) =>
  options.find((one) => one.value === value)?.label.toLowerCase();

/** The payments to which a row or a gap applies. */
function ofText({ currency, scheme, region, funding, others }: FeeGap): string {
  const brand = scheme === undefined ? (others === true ? t('other schemes') : undefined) : methodText(scheme);
  const of = [[currency, brand].filter((one) => one !== undefined).join(' ')];
  const said = [...of, labelIn(REGIONS, region), labelIn(FUNDINGS, funding)].filter((one) => one !== undefined);
  return said.filter((one) => one !== '').join(', ') || t('Every payment');
}

function rowText(row: FeeRow): string {
  const { currency, percent, fixed, attempt } = row;
  const money = (text: string) => `${decimalText(text)} ${currency ?? ''}`;
  const parts = [`${decimalText(percent)} %`, ...(fixed === undefined ? [] : [money(fixed)])].join(' + ');
  const each = attempt === undefined ? '' : `, ${t('{money} each attempt', { money: money(attempt) })}`;
  return `${ofText(row)}: ${parts}${each}`;
}

type Draft = Readonly<Record<keyof FeeRow, string>>;
const EMPTY: Draft = { currency: '', scheme: '', region: '', funding: '', percent: '', fixed: '', attempt: '' };
const NAMES = Object.keys(EMPTY) as (keyof FeeRow)[];

const draftOf = (row: FeeRow): Draft => ({ ...EMPTY, ...row });

/** Empty fields are not sent; a decimal comma becomes a point. */
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
  const [base_version] = useState(contract.fees[0]?.version ?? 0);
  const [acquirer_country, setCountry] = useState(newest?.acquirer_country ?? '');
  const fields = [
    'from',
    'acquirer_country',
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
        const country = acquirer_country.trim();
        const told = { ...(country !== '' && { acquirer_country: country }), ...(from !== '' && { from }) };
        const body: FeesForm = { fees: formOf(rows), base_version, reason, ...told };
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
          <TextInput
            label={t('Country of the acquirer')}
            description={t('Where fees depend on the country of the card; such as FR')}
            maxLength={2}
            value={acquirer_country}
            onChange={(event) => setCountry(event.currentTarget.value.toUpperCase())}
            error={at['acquirer_country']}
          />
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
  /** Undefined for the only row. */
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
  const choice = (name: 'scheme' | 'region' | 'funding', label: string, data: typeof REGIONS) => (
    <Select
      label={label}
      description={t('Empty: any')}
      clearable
      data={data}
      value={row[name] === '' ? null : row[name]}
      onChange={(value) => change({ [name]: value ?? '' })}
      error={at[`${path}.${name}`]}
    />
  );
  const [shown] = formOf([row]);
  const title = shown ? ofText(shown) : '';
  return (
    <fieldset className="condition">
      <legend>{title}</legend>
      <div className="pair">
        <TextInput
          label={t('Currency')}
          description={t('Empty: any')}
          maxLength={3}
          value={row.currency}
          onChange={(event) => change({ currency: event.currentTarget.value.toUpperCase() })}
          error={at[`${path}.currency`]}
        />
        {choice('scheme', t('Scheme'), SCHEME_OPTIONS)}
        {choice('region', t('Where the card was issued'), REGIONS)}
        {choice('funding', t('Kind of card'), FUNDINGS)}
        {decimal('percent', t('Percent of the amount'))}
        {decimal('fixed', t('Fixed, each approved payment'))}
        {decimal('attempt', t('Each attempt, approved or not'))}
      </div>
      {at[path] === undefined ? null : <p role="alert">{at[path]}</p>}
      {remove ? (
        <div className="row end">
          <Button size="xs" variant="subtle" color="gray" onClick={remove}>
            {t('Remove {name}', { name: title })}
          </Button>
        </div>
      ) : null}
    </fieldset>
  );
}
