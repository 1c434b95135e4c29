// Every setting of the account with its effect, and the hosted page as a payer will see it. A change takes effect when
// it is saved.
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { WAIT_S } from '../../../../src/core/account-limits.ts';
import type { Settings, SettingsState } from '../../../../src/backoffice/wire/account.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { useSession } from '../../base/session.tsx';
import { plural, t } from '../../base/texts.ts';
import { useUnsaved } from '../../base/unsaved.ts';
import { type Errors, errorsOf, useAct } from '../../parts/act.tsx';
import { Asked, Notice, PageHead, Panel } from '../../parts/page.tsx';
import { CopyButton } from '../../parts/show.tsx';
import { HostedPage } from './hosted.tsx';
import {
  CARD_ROWS,
  ORIGINS,
  PAYMENT_ROWS,
  PICTURE_HOSTS,
  REFUND_LIMITS,
  RETURN_HOSTS,
  ROUTING_ROWS,
  WAIT_ROWS,
} from './settings-text.ts';
import { ListRow, SettingRow } from './setting-row.tsx';

export function Integration() {
  const asked = useAsk('settings', 'GET /settings');
  return (
    <>
      <PageHead
        title={t('Integration')}
        lead={t('How this account behaves towards your servers and your payers. Changes apply within a second.')}
      />
      <Asked asked={asked} rows={14}>
        {(state) => <Forms state={state} />}
      </Asked>
    </>
  );
}

export type Editing = {
  readonly draft: Settings;
  readonly set: (changes: Partial<Settings>) => void;
  readonly errors: Errors;
  readonly may: boolean;
};

function changed(from: Settings, to: Settings): Partial<Settings> {
  const same = (name: keyof Settings) => JSON.stringify(from[name]) === JSON.stringify(to[name]);
  return Object.fromEntries(Object.entries(to).filter(([name]) => name in from && !same(name as keyof Settings)));
}

function Forms({ state }: { readonly state: SettingsState }) {
  const { may } = useSession();
  const client = useQueryClient();
  // what this person has changed alone: what others save meanwhile shows, and takes nothing of it away
  const changesIn = (edited: Partial<Settings>) => changed(state.settings, { ...state.settings, ...edited });
  const [edited, edit] = useUnsaved<Partial<Settings>>(
    'settings',
    () => ({}),
    (one) => Object.keys(changesIn(one)).length > 0,
  );
  const draft: Settings = { ...state.settings, ...edited };
  const changes = changesIn(edited);
  const count = Object.keys(changes).length;
  const act = useAct({
    run: async () => {
      await api('PUT /settings', { body: changes });
      await client.invalidateQueries({ queryKey: ['settings'] });
      edit({});
    },
    said: t('Settings saved'),
    quiet: true,
  });
  const { at, other } = errorsOf(act.error, Object.keys(state.settings));
  const set: Editing['set'] = (more) => edit({ ...edited, ...more });
  const editing: Editing = { draft, set, errors: at, may: may('settings') };
  return (
    <div className="stack">
      <Addresses />
      <HostedPage editing={editing} account={state.name} languages={state.languages} />
      <Panel title={t('Payments')}>
        {PAYMENT_ROWS.map((row) => (
          <SettingRow key={row.name} row={row} editing={editing} />
        ))}
        <ListRow row={RETURN_HOSTS} editing={editing} />
        <ListRow row={PICTURE_HOSTS} editing={editing} />
        <ListRow row={REFUND_LIMITS} editing={editing} />
      </Panel>
      <Panel title={t('Routing and retries')}>
        {ROUTING_ROWS.map((row) => (
          <SettingRow key={row.name} row={row} editing={editing} />
        ))}
      </Panel>
      <Panel
        title={t('Response timeouts')}
        lead={t(
          'How many seconds a response waits for the final outcome, {least} to {most}. A request can override it with the header Prefer: wait=N.',
          WAIT_S,
        )}
      >
        {WAIT_ROWS.map((row) => (
          <SettingRow key={row.name} row={row} editing={editing} />
        ))}
      </Panel>
      <Panel title={t('Card form in your pages')}>
        <ListRow row={ORIGINS} editing={editing} />
        {CARD_ROWS.map((row) => (
          <SettingRow key={row.name} row={row} editing={editing} />
        ))}
      </Panel>
      {other === undefined ? null : <Notice tone="bad">{other}</Notice>}
      {count === 0 ? null : (
        <div className="savebar" role="status">
          <span>{plural(count, '{count} setting changed', '{count} settings changed')}</span>
          <span className="row">
            <Button variant="subtle" color="gray" onClick={() => edit({})}>
              {t('Discard')}
            </Button>
            <Button loading={act.isPending} onClick={() => act.mutate()}>
              {t('Save')}
            </Button>
          </span>
        </div>
      )}
    </div>
  );
}

function Addresses() {
  const { state } = useSession();
  const global = state.brand.charAt(0).toUpperCase() + state.brand.slice(1);
  const rows = [
    [t('Payment API'), state.base_url],
    [t('Vault'), state.vault_url],
    [t('Browser script'), `${state.vault_url}/javascript/2.3/${state.brand}-client.min.js`],
    [t('Style sheet'), `${state.vault_url}/stylesheet/2.3/${state.brand}-client.min.css`],
    [t('JavaScript class'), global],
  ] as const;
  return (
    <Panel title={t('Addresses')} padded>
      <dl className="facts">
        {rows.map(([name, value]) => (
          <Address key={name} name={name} value={value} />
        ))}
      </dl>
    </Panel>
  );
}

function Address({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <code>{value}</code> <CopyButton text={value} label={t('Copy the address: {name}', { name })} />
      </dd>
    </>
  );
}
