// The most important facts of an order: the amount, the one state that matters, payer and card, and the next action.
import { Button, Tooltip } from '@mantine/core';
import type { OrderDetail } from '../../../../src/backoffice/wire/orders.ts';
import { plainText, sentence } from '../../base/format.ts';
import { rich } from '../../base/rich.ts';
import { go } from '../../base/router.tsx';
import { useShortcuts } from '../../base/shortcuts.ts';
import { plural, said, t } from '../../base/texts.ts';
import { Notice } from '../../parts/page.tsx';
import { BackTwice } from '../disputes/words.tsx';
import { Dispute, Id, Method, Money, Status, When, isAway, isPart } from '../../parts/show.tsx';

type Props = { readonly order: OrderDetail };

export function OrderHead({ order }: Props) {
  const { money, request } = order;
  const attempt = order.attempts.at(-1);
  const name = [plainText(request['customer_first_name']), plainText(request['customer_last_name'])].join(' ').trim();
  const who = name || plainText(request['customer_email']) || plainText(request['customer_id']);
  const what = plainText(request['order_description']);
  const moved = { ordered: money.ordered_minor, captured: money.captured_minor, refunded: money.refunded_minor };
  return (
    <>
      <div className="order-head">
        <span className="amount">
          <Money minor={money.ordered_minor} currency={money.currency} />
        </span>
        <Status
          status={order.status}
          in_doubt={order.in_doubt}
          partly={isPart(order.status, moved)}
          dispute={order.dispute}
        />
      </div>
      <p className="order-who">
        {who === '' ? null : <span>{who}</span>}
        {what === '' ? null : <span>{what}</span>}
        {attempt === undefined ? null : (
          <span>
            <Method name={attempt.method} last4={attempt.last4} />
          </span>
        )}
        <span>
          <When at={order.created_at} />
        </span>
        <span>
          <Id id={order.id} whole />
        </span>
      </p>
      <p className="order-next">
        <b>{t('Next:')}</b> {nextOf(order)}{' '}
        <span className="muted">
          <code>{order.code}</code> {said(order.code_text)}
        </span>
      </p>
    </>
  );
}

/** What a person may do now, or that there is nothing to do. */
function nextOf({ status, in_doubt, dispute, money, attempts_remaining }: OrderDetail): string {
  if (dispute === 'opened') return t('answer the dispute before its deadline.');
  if (in_doubt) return t('nothing by hand; the provider is being asked what became of it.');
  if (dispute === 'lost') return t('nothing; the dispute is lost.');
  if (money.capturable_minor > 0)
    return money.cancellable_minor > 0
      ? t('capture the payment, or cancel the authorization.')
      : t('capture the rest, if it is due.');
  if (status.endsWith('_requested'))
    return status === 'authentication_requested'
      ? t('nothing; the payer has to act.')
      : t('nothing; the provider is deciding.');
  if (status.endsWith('declined') && money.authorized_minor === 0)
    return attempts_remaining > 0
      ? plural(
          attempts_remaining,
          'nothing by hand; the payer may try again, {count} more time.',
          'nothing by hand; the payer may try again, {count} more times.',
        )
      : t('nothing; no attempt is left. A new payment needs a new order.');
  if (status.endsWith('declined')) return t('see in the timeline why it was declined, then try again.');
  return t('nothing to do.');
}

/** The money that the payer's bank took back, above everything else on the page. */
export function DisputeBanner({ order: { dispute, disputes, money } }: Props) {
  const away = disputes.filter(({ state }) => isAway(state));
  const to = away.length === 1 ? `/disputes/${away[0]?.id}` : '/disputes';
  useShortcuts({ d: () => (isAway(dispute) ? go(to) : undefined) });
  if (!isAway(dispute)) return null;
  return (
    <section className="banner" role="alert">
      <div>
        <h2>
          {rich("The payer's bank took {amount} back", {
            amount: <Money minor={money.charged_back_minor} currency={money.currency} />,
          })}
        </h2>
        {away.map(({ id, reason, reason_code, state, opened_at }) => (
          <p key={id}>
            <Dispute state={state} /> {sentence(reason)} <code>{reason_code}</code>,{' '}
            {rich('opened {at}', { at: <When at={opened_at} /> })}
          </p>
        ))}
        <BackTwice minor={money.back_twice_minor} currency={money.currency} />
        <p>{t('A refund would pay the payer a second time: it needs a second, deliberate step.')}</p>
      </div>
      <Tooltip label={t('Key {key}', { key: 'd' })}>
        <Button variant="default" onClick={() => go(to)} aria-keyshortcuts="d">
          {away.length === 1 ? t('Open the dispute') : t('Go to disputes')}
        </Button>
      </Tooltip>
    </section>
  );
}

export function DoubtNotice() {
  return (
    <div className="below-head">
      <Notice tone="warn" title={t('The outcome of an operation is unknown')}>
        {t('A provider did not answer, or not clearly. Nothing is guessed: the service asks again until it is proved.')}{' '}
        <Button variant="subtle" size="compact-sm" onClick={() => go('/in-doubt')}>
          {t('See unknown outcomes')}
        </Button>
      </Notice>
    </div>
  );
}
