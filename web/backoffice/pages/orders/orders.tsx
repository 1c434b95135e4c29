// The list of orders: search, filters, views, columns, export. It updates itself while the first page is visible.
import { ActionIcon, Button, Kbd, Menu, TextInput, Tooltip } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useAsk, usePages } from '../../base/ask.ts';
import { countText } from '../../base/format.ts';
import { rich } from '../../base/rich.ts';
import { go, useQueryText } from '../../base/router.tsx';
import { useShortcuts } from '../../base/shortcuts.ts';
import { plural, t } from '../../base/texts.ts';
import { Icon } from '../../parts/icons.tsx';
import { Empty, Failed, Notice, PageHead, Panel, Waiting } from '../../parts/page.tsx';
import { COLUMNS, useColumns } from './columns.tsx';
import { ExportDialog } from './export.tsx';
import { FilterButton } from './filter-form.tsx';
import { FILTERS, type FilterName, type Filters, TABS, filterText, filtersOf, queryOf, tabOf } from './filters.ts';
import { OrderTable } from './list.tsx';
import { ViewsMenu } from './views.tsx';

const LIVE_MS = 10_000;

export function Orders() {
  const [query, change] = useQueryText();
  const filters = filtersOf(query);
  const [exporting, setExporting] = useState(false);
  const [columns, changeColumn] = useColumns();
  return (
    <>
      <PageHead
        title={t('Orders')}
        actions={
          <>
            <ViewsMenu filters={filters} />
            <ColumnsMenu shown={columns.map(({ name }) => name)} change={changeColumn} />
            <Button
              variant="default"
              leftSection={<Icon name="download" size={16} />}
              onClick={() => setExporting(true)}
            >
              {t('Export')}
            </Button>
          </>
        }
      />
      <Tabs filters={filters} />
      <Panel>
        <FilterBar filters={filters} change={change} />
        <Chips filters={filters} change={change} />
        <Rows filters={filters} columns={columns} />
      </Panel>
      {exporting ? (
        <ExportDialog
          title={t('Export orders')}
          path="/orders/export"
          query={filters}
          close={() => setExporting(false)}
        />
      ) : null}
    </>
  );
}

function Tabs({ filters }: { readonly filters: Filters }) {
  const now = tabOf(filters);
  const { search = '' } = filters;
  return (
    <div className="tabs" role="group" aria-label={t('Lists')}>
      {TABS.map(([name, tab]) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === now}
          onClick={() => go(`/orders${queryOf({ ...tab, search })}`, 'replace')}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

type ChangeProps = { readonly filters: Filters; readonly change: (changes: Filters) => void };

function FilterBar({ filters, change }: ChangeProps) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(filters.search ?? '');
  const { data } = useAsk('providers', 'GET /providers');
  const used = useAsk('currencies', 'GET /currencies');
  useShortcuts({
    '/': (event) => {
      event.preventDefault();
      field.current?.focus();
    },
  });
  useEffect(() => setText(filters.search ?? ''), [filters.search]);
  useEffect(() => {
    if (text.trim() === (filters.search ?? '')) return undefined;
    // waits for a pause in typing before it searches
    const timer = setTimeout(() => change({ search: text.trim() }), 300);
    return () => clearTimeout(timer);
  });
  return (
    <div className="filters">
      <TextInput
        ref={field}
        className="search"
        aria-label={t('Search orders')}
        placeholder={t('Id, reference, name, e-mail, last four digits, amount')}
        leftSection={<Icon name="search" size={16} />}
        rightSection={text === '' ? <Kbd size="xs">/</Kbd> : <Clear clear={() => setText('')} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <FilterButton
        filters={filters}
        change={change}
        providers={(data?.providers ?? []).map(({ name }) => name)}
        currencies={used.data?.currencies ?? []}
      />
    </div>
  );
}

function Clear({ clear }: { readonly clear: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t('Clear the search')} onClick={clear}>
      <Icon name="close" size={14} />
    </ActionIcon>
  );
}

function Chips({ filters, change }: ChangeProps) {
  if (tabOf(filters) !== undefined) return null;
  const given = FILTERS.filter((name): name is FilterName => name !== 'search' && filters[name] !== undefined);
  const clear = () => change(Object.fromEntries(given.map((name) => [name, ''])));
  return (
    <div className="chips">
      {given.map((name) => {
        const text = filterText(name, filters[name] ?? '');
        return (
          <span key={name} className="chip">
            {text}
            <button
              type="button"
              aria-label={t('Remove the filter {text}', { text })}
              onClick={() => change({ [name]: '' })}
            >
              <Icon name="close" size={13} />
            </button>
          </span>
        );
      })}
      <Button variant="subtle" size="compact-sm" onClick={clear}>
        {t('Clear all')}
      </Button>
    </div>
  );
}

type RowsProps = {
  readonly filters: Filters;
  readonly columns: (typeof COLUMNS)[number][] | readonly (typeof COLUMNS)[number][];
};

function Rows({ filters, columns }: RowsProps) {
  const [many, setMany] = useState(false);
  const asked = usePages('orders', 'GET /orders', {
    query: { ...filters, limit: 50 },
    // an update would also ask for the older pages again
    ...(many ? {} : { every_ms: LIVE_MS }),
  });
  const rows = asked.data?.pages.flatMap(({ orders }) => orders) ?? [];
  const at = useRowKeys(rows);
  if (asked.isPending) return <Waiting rows={10} />;
  if (!asked.data) return <Failed error={asked.error} again={() => void asked.refetch()} />;
  const too_wide = asked.data.pages.some((page) => page.too_many_people) ? <TooWide /> : null;
  // without a row it may yet not be the last page
  if (rows.length === 0 && !asked.hasNextPage) return too_wide ?? <NoOrders filters={filters} />;
  const more = () => {
    setMany(true);
    void asked.fetchNextPage();
  };
  return (
    <>
      {too_wide}
      <OrderTable rows={rows} columns={columns} at={at} />
      <div className="list-end">
        <span className="num">
          {asked.hasNextPage
            ? t('{count} shown', { count: countText(rows.length) })
            : plural(rows.length, '{count} order', '{count} orders')}
        </span>
        <span className="keys">
          {rich('{j} {k} next, previous · {enter} open', {
            j: <Kbd size="xs">j</Kbd>,
            k: <Kbd size="xs">k</Kbd>,
            enter: <Kbd size="xs">{t('Enter')}</Kbd>,
          })}
        </span>
        {asked.hasNextPage ? (
          <Button variant="default" size="xs" loading={asked.isFetchingNextPage} onClick={more}>
            {t('Show more')}
          </Button>
        ) : null}
      </div>
    </>
  );
}

function TooWide() {
  return (
    <Notice tone="warn" title={t('Too many people match: type more letters')}>
      {t('Only the orders of the first ones are looked through.')}
    </Notice>
  );
}

/** j and k move through the rows, Enter opens; -1: no row is chosen. */
function useRowKeys(rows: readonly { readonly id: string }[]): number {
  const [chosen, choose] = useState<string>();
  const at = rows.findIndex(({ id }) => id === chosen);
  const walk = (step: number) => choose(rows[Math.max(0, Math.min(rows.length - 1, at + step))]?.id);
  useShortcuts({
    j: () => walk(1),
    k: () => walk(-1),
    Enter: (event) => {
      const busy = event.target instanceof Element && event.target.closest('a, button');
      if (chosen !== undefined && !busy) go(`/orders/${chosen}`);
    },
  });
  return at;
}

function NoOrders({ filters }: { readonly filters: Filters }) {
  if (Object.keys(filters).length > 0)
    return (
      <Empty
        icon="search"
        title={t('No orders match')}
        text={t('Remove a filter, or search for a whole id or reference, or the beginning of a name or e-mail.')}
      >
        <Button variant="default" onClick={() => go('/orders', 'replace')}>
          {t('Show all orders')}
        </Button>
      </Empty>
    );
  return (
    <Empty
      icon="orders"
      title={t('No orders yet')}
      text={t('The first one appears here as soon as a payer pays, or your server calls POST /payment/order.')}
    />
  );
}

type ColumnsProps = { readonly shown: readonly string[]; readonly change: (name: string) => void };

function ColumnsMenu({ shown, change }: ColumnsProps) {
  return (
    <Menu closeOnItemClick={false} width={200}>
      <Menu.Target>
        <Tooltip label={t('Columns')}>
          <ActionIcon variant="default" size="lg" aria-label={t('Columns')}>
            <Icon name="columns" />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {COLUMNS.filter(({ always }) => always !== true).map(({ name, title }) => (
          <Menu.Item
            key={name}
            role="menuitemcheckbox"
            aria-checked={shown.includes(name)}
            rightSection={shown.includes(name) ? <Icon name="check" size={16} /> : null}
            onClick={() => change(name)}
          >
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
