// Saved views: a set of filters with a name, for one person or for everyone of the account.
import { ActionIcon, Button, Checkbox, Menu, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { SavedViewForm } from '../../../../src/backoffice/wire/orders.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { go } from '../../base/router.tsx';
import { useSession } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icons.tsx';
import { type Filters, filtersOf, queryOf, wireFilters } from './filters.ts';

export function ViewsMenu({ filters }: { readonly filters: Filters }) {
  const { data } = useAsk('views', 'GET /views');
  const { may } = useSession();
  const [naming, setNaming] = useState(false);
  const remove = useAct<string>({
    run: (id) => api('DELETE /views/:id', { params: { id } }),
    said: t('The view was removed'),
    stale: ['views'],
  });
  const views = data?.views ?? [];
  return (
    <>
      <Menu width={260}>
        <Menu.Target>
          <Button variant="default" leftSection={<Icon name="bookmark" size={16} />}>
            {t('Views')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.length === 0 ? <Menu.Label>{t('No saved views')}</Menu.Label> : null}
          {views.map((view) => (
            <div key={view.id} className="menu-row">
              <Menu.Item onClick={() => go(`/orders${queryOf(filtersOf(new URLSearchParams(view.filters)))}`)}>
                {view.name}
                {view.shared ? <span className="muted small"> {t('· everyone')}</span> : null}
              </Menu.Item>
              {view.own || may('team') ? (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('Remove the view {name}', { name: view.name })}
                  onClick={() => remove.mutate(view.id)}
                >
                  <Icon name="trash" size={15} />
                </ActionIcon>
              ) : null}
            </div>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<Icon name="plus" size={16} />} onClick={() => setNaming(true)}>
            {t('Save these filters')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {naming ? <SaveView filters={filters} close={() => setNaming(false)} /> : null}
    </>
  );
}

function SaveView({ filters, close }: { readonly filters: Filters; readonly close: () => void }) {
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const act = useAct({
    run: () => api('PUT /views', { body: { name, filters: wireFilters(filters), shared } satisfies SavedViewForm }),
    said: t('The view was saved'),
    quiet: true,
    stale: ['views'],
    done: close,
  });
  const { at, other } = errorsOf(act.error, ['name']);
  return (
    <Dialog close={close} title={t('Save these filters')}>
      <Form submit={t('Save view')} busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
        <TextInput
          label={t('Name')}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={at['name']}
        />
        <Checkbox
          label={t('Share with everyone in this account')}
          checked={shared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
      </Form>
    </Dialog>
  );
}
