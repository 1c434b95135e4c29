// Payment links: an address to share, with which payers can pay without a shop.
import { Button } from '@mantine/core';
import type { PaymentLink } from '../../../../src/backoffice/wire/links.ts';
import { usePages } from '../../base/ask.ts';
import { moneyText } from '../../base/format.ts';
import { Link, go, useNew } from '../../base/router.tsx';
import { useSession } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { Icon } from '../../parts/icons.tsx';
import { MoreRows } from '../../parts/more.tsx';
import { Empty, Failed, PageHead, Panel, Waiting } from '../../parts/page.tsx';
import { CopyButton, Money, Said, Tag, type Tone, When } from '../../parts/show.tsx';
import { Table, right, unseen } from '../../parts/table.tsx';
import { MakeLink } from './new-link.tsx';

export function Links() {
  const { may } = useSession();
  const [making, setMaking] = useNew();
  return (
    <>
      <PageHead
        title={t('Payment links')}
        lead={t('An address that you send or print. A payer who opens it pays on your hosted page.')}
        actions={
          may('links') ? (
            <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setMaking(true)}>
              {t('New link')}
            </Button>
          ) : undefined
        }
      />
      <Panel>
        <Rows />
      </Panel>
      {making && may('links') ? <MakeLink close={() => setMaking(false)} /> : null}
    </>
  );
}

function Rows() {
  const asked = usePages('links', 'GET /links');
  if (asked.isPending) return <Waiting rows={8} />;
  if (!asked.data) return <Failed error={asked.error} again={() => void asked.refetch()} />;
  const rows = asked.data.pages.flatMap(({ links }) => links);
  if (rows.length === 0)
    return (
      <Empty
        icon="link"
        title={t('No links yet')}
        text={t('Make one for an invoice, a deposit, or the till of a stand.')}
      />
    );
  return (
    <>
      <LinkTable rows={rows} />
      <MoreRows asked={asked} />
    </>
  );
}

function LinkTable({ rows }: { readonly rows: readonly PaymentLink[] }) {
  return (
    <Table
      columns={[
        t('Reference'),
        right(t('Amount')),
        t('For'),
        t('State'),
        right(t('Opened [times]')),
        t('Created [when]'),
        unseen(t('Copy')),
      ]}
      lines
    >
      {rows.map((row) => (
        <tr
          key={row.id}
          className="opens"
          onClick={(event) => {
            if (!(event.target instanceof Element && event.target.closest('a, button'))) go(`/links/${row.id}`);
          }}
        >
          <td className="break">
            <Link to={`/links/${row.id}`} className="strong">
              {row.reference}
            </Link>
            {row.description === '' ? null : <div className="muted small">{row.description}</div>}
          </td>
          <td className="right">
            <LinkAmount of={row} />
          </td>
          <td className="second">{row.many ? t('Many payments') : t('One payment')}</td>
          <td className="second">
            <LinkState of={row} />
          </td>
          <td className="right num second">
            <Said word={t('Opened [times]')} />
            {row.opened}
          </td>
          <td className="third muted">
            <Said word={t('Created [when]')} />
            <When at={row.created_at} />
          </td>
          <td className="right third">
            <CopyButton text={row.url} label={t('Copy the link {reference}', { reference: row.reference })} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

const STATES: Readonly<Record<PaymentLink['status'], readonly [Tone, string]>> = {
  active: ['accent', t('Open')],
  paused: ['warn', t('Paused')],
  paid: ['good', t('Paid')],
  expired: ['plain', t('Expired')],
  ended: ['plain', t('Ended')],
};

export function LinkState({ of: { status } }: { readonly of: PaymentLink }) {
  const [tone, word] = STATES[status];
  return <Tag tone={tone}>{word}</Tag>;
}

/** A fixed amount, or the limits for the payer's own amount. */
export function LinkAmount({ of }: { readonly of: PaymentLink }) {
  const { amount_minor, least_minor, most_minor, currency } = of;
  if (amount_minor !== null) return <Money minor={amount_minor} currency={currency} />;
  return (
    <span className="money nowrap">
      {moneyText(least_minor ?? 0, currency)}–{moneyText(most_minor ?? 0, currency)}
      <span className="currency">{`\u00a0${currency}`}</span>
    </span>
  );
}
