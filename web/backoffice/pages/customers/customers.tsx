import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CustomerRow } from '../../../../src/backoffice/wire/orders.ts';
import { usePages } from '../../base/ask.ts';
import { Link, go, useQueryText } from '../../base/router.tsx';
import { t } from '../../base/texts.ts';
import { Icon } from '../../parts/icons.tsx';
import { MoreRows } from '../../parts/more.tsx';
import { Empty, Failed, PageHead, Panel, Waiting } from '../../parts/page.tsx';
import { Said, When } from '../../parts/show.tsx';
import { Table, right } from '../../parts/table.tsx';
import { ErasuresPanel, GuestData } from './privacy.tsx';

/** Customers by the merchant's own ids. */
export function Customers() {
  const [query, change] = useQueryText();
  const search = query.get('search') ?? '';
  const [text, setText] = useState(search);
  return (
    <>
      <PageHead
        title={t('Customers')}
        lead={t('Known by the customer_id your server sends. Their saved cards and orders are here.')}
      />
      <div className="stack">
        <Panel>
          <form
            className="filters"
            onSubmit={(event) => {
              event.preventDefault();
              change({ search: text.trim() });
            }}
          >
            <TextInput
              className="search"
              aria-label={t('Search customers')}
              placeholder={t('Customer id')}
              leftSection={<Icon name="search" size={16} />}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <Button type="submit" variant="default">
              {t('Search')}
            </Button>
          </form>
          <Rows search={search} />
        </Panel>
        <GuestData />
        <ErasuresPanel />
      </div>
    </>
  );
}

function Rows({ search }: { readonly search: string }) {
  const asked = usePages('customers', 'GET /customers', { query: { search } });
  if (asked.isPending) return <Waiting rows={8} />;
  if (!asked.data) return <Failed error={asked.error} again={() => void asked.refetch()} />;
  const rows = asked.data.pages.flatMap(({ customers }) => customers);
  if (rows.length === 0)
    return (
      <Empty
        icon="customers"
        title={search === '' ? t('No customers yet') : t('No customers match')}
        text={
          search === ''
            ? t('They appear with the first order that names a customer_id.')
            : t('Search for the whole id or its beginning.')
        }
      />
    );
  return (
    <>
      <CustomerTable rows={rows} />
      <MoreRows asked={asked} />
    </>
  );
}

function CustomerTable({ rows }: { readonly rows: readonly CustomerRow[] }) {
  return (
    <Table columns={[t('Customer id'), right(t('Saved cards')), t('Last seen')]}>
      {rows.map((row) => {
        const to = `/customers/${encodeURIComponent(row.customer_id)}`;
        return (
          <tr key={row.customer_id} className="opens" onClick={() => go(to)}>
            <td className="break">
              <Link to={to} className="cover strong">
                {row.customer_id}
              </Link>
            </td>
            <td className="right num">
              <Said word={t('Saved cards')} />
              {row.cards}
            </td>
            <td className="line muted">
              <Said word={t('Last seen')} />
              <When at={row.updated_at} />
            </td>
          </tr>
        );
      })}
    </Table>
  );
}
