// The scopes of a private key: all of them, or some.
import { Checkbox, SegmentedControl } from '@mantine/core';
import type { ApiKey, Keys } from '../../../../src/backoffice/wire/account.ts';
import { sentence } from '../../base/format.ts';
import { t } from '../../base/texts.ts';
import { Notice } from '../../parts/page.tsx';

/** Null means every scope. */
export type Chosen = readonly string[] | null;

/** The first choice: every scope, if this person may give it. */
export function firstChoice(scopes: Keys['scopes']): Chosen {
  return scopes.every(({ yours }) => yours) ? null : [];
}

type Props = {
  readonly scopes: Keys['scopes'];
  readonly chosen: Chosen;
  readonly choose: (chosen: Chosen) => void;
  readonly error: string | undefined;
};

export function ScopeChoice({ scopes, chosen, choose, error }: Props) {
  const all = firstChoice(scopes) === null;
  const set = (name: string, on: boolean) =>
    choose(scopes.map((one) => one.name).filter((one) => (one === name ? on : chosen?.includes(one))));
  return (
    <div className="stack tight" role="group" aria-label={t('Access')}>
      {all ? (
        <SegmentedControl
          aria-label={t('Access')}
          fullWidth
          data={[
            { value: 'all', label: t('Full access') },
            { value: 'some', label: t('Restricted') },
          ]}
          value={chosen === null ? 'all' : 'some'}
          onChange={(value) => choose(value === 'all' ? null : ['read'])}
        />
      ) : (
        <p className="muted small">
          {t('Your role gives a key some scopes only. An owner or administrator gives the others.')}
        </p>
      )}
      {chosen === null
        ? null
        : scopes.map(({ name, meaning, yours }) => (
            <Checkbox
              key={name}
              size="sm"
              label={sentence(name)}
              description={sentence(meaning)}
              disabled={!yours}
              checked={chosen.includes(name)}
              onChange={(event) => set(name, event.currentTarget.checked)}
            />
          ))}
      {error === undefined ? null : <Notice tone="bad">{error}</Notice>}
    </div>
  );
}

export function ScopesOf({ of: { kind, scopes } }: { readonly of: ApiKey }) {
  if (kind === 'public') return <>{t('Public')}</>;
  return (
    <>
      {t('Private')}
      <br />
      <span className="muted small">{scopes === null ? t('Full access') : scopes.map(sentence).join(', ')}</span>
    </>
  );
}

/** False if the key may do more than the person: then they do not see its text. */
export function mayHold({ kind, scopes }: ApiKey, all: Keys['scopes']): boolean {
  const wanted = all.filter(({ name }) => scopes === null || scopes.includes(name));
  return kind === 'public' || wanted.every(({ yours }) => yours);
}
