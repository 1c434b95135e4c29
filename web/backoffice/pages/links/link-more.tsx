// Optional parts of a payment link: where payers go afterwards, and the merchant's own data.
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../base/texts.ts';

export const RETURN_ADDRESSES = [
  { name: 'accept_url', label: t('After a payment') },
  { name: 'decline_url', label: t('After a decline') },
  { name: 'cancel_url', label: t('After giving up') },
  { name: 'pending_url', label: t('While the outcome is not known') },
  { name: 'exception_url', label: t('When the page has expired') },
] as const;

type Address = (typeof RETURN_ADDRESSES)[number]['name'];
/** A pair without a name and a value is not sent. */
export type Pair = { readonly key: string; readonly value: string };
export type More = { readonly urls: Readonly<Partial<Record<Address, string>>>; readonly pairs: readonly Pair[] };
export const NO_MORE: More = { urls: {}, pairs: [{ key: '', value: '' }] };

const MOST_PAIRS = 10;

const isGiven = ({ key, value }: Pair) => key.trim() !== '' || value.trim() !== '';

/** The names of all fields here that the API may refuse, with only those pairs of data that are sent. */
export function fieldsOf({ pairs }: More): readonly string[] {
  const of_pairs = pairs.filter(isGiven).flatMap((_, n) => [`merchant_data[${n}].key`, `merchant_data[${n}].value`]);
  return [...RETURN_ADDRESSES.map(({ name }) => name), 'merchant_data', ...of_pairs];
}

/** Empty fields are not sent. */
export function moreOf({ urls, pairs }: More) {
  const given = Object.entries(urls).flatMap(([name, url]) => (url.trim() === '' ? [] : [[name, url.trim()] as const]));
  const merchant_data = pairs.filter(isGiven).map(({ key, value }) => ({
    ...(key.trim() === '' ? {} : { key: key.trim() }),
    ...(value.trim() === '' ? {} : { value: value.trim() }),
  }));
  return {
    ...Object.fromEntries(given),
    ...(merchant_data.length === 0 ? {} : { merchant_data: merchant_data as { key: string; value?: string }[] }),
  };
}

type Props = {
  readonly more: More;
  readonly change: (more: More) => void;
  readonly at: Readonly<Record<string, string>>;
};

/** Opens by itself if a field in it is wrong. */
export function LinkMore({ more, change, at }: Props) {
  const wrong = fieldsOf(more).some((name) => at[name] !== undefined);
  const [open, setOpen] = useState(false);
  return (
    <details
      className="fold"
      open={open || wrong}
      onToggle={(event) => {
        if (!wrong) setOpen(event.currentTarget.open);
      }}
    >
      <summary>{t('Return addresses and your own data')}</summary>
      <div className="stack tight">
        <p className="muted small">{t('Where the payer goes afterwards. Empty: a page of ours says how it went.')}</p>
        {RETURN_ADDRESSES.map(({ name, label }) => (
          <TextInput
            key={name}
            label={label}
            type="url"
            placeholder="https://"
            value={more.urls[name] ?? ''}
            error={at[name]}
            onChange={({ currentTarget: { value } }) => change({ ...more, urls: { ...more.urls, [name]: value } })}
          />
        ))}
        <Pairs more={more} change={change} at={at} />
      </div>
    </details>
  );
}

function Pairs({ more, change, at }: Props) {
  const { pairs } = more;
  const put = (n: number, pair: Pair) => change({ ...more, pairs: pairs.map((one, i) => (i === n ? pair : one)) });
  return (
    <>
      <p className="muted small">
        {t('Your own data (merchant_data): on every order of the link, and in its notifications. No card numbers.')}
      </p>
      {pairs.map((pair, n) => {
        // empty pairs are not sent, so they are not counted
        const sent = pairs.slice(0, n).filter(isGiven).length;
        return (
          // the index can be the key, because rows are only added at the end
          <div className="pair" key={n}>
            <TextInput
              label={t('Name {number}', { number: n + 1 })}
              maxLength={50}
              value={pair.key}
              error={isGiven(pair) ? at[`merchant_data[${sent}].key`] : undefined}
              onChange={({ currentTarget: { value } }) => put(n, { ...pair, key: value })}
            />
            <TextInput
              label={t('Value {number}', { number: n + 1 })}
              maxLength={255}
              value={pair.value}
              error={isGiven(pair) ? at[`merchant_data[${sent}].value`] : undefined}
              onChange={({ currentTarget: { value } }) => put(n, { ...pair, value })}
            />
          </div>
        );
      })}
      {at['merchant_data'] === undefined ? null : <p className="bad-text small">{at['merchant_data']}</p>}
      <div>
        <Button
          variant="default"
          size="xs"
          disabled={pairs.length >= MOST_PAIRS}
          onClick={() => change({ ...more, pairs: [...pairs, { key: '', value: '' }] })}
        >
          {t('Add another')}
        </Button>
      </div>
    </>
  );
}
