// Capture, refund and cancel: the form checks the amount before it sends it, says the effect, and asks for a reason.
// Each opening of the dialog has one key, so a click that is repeated after a lost answer moves the money once.
import { Checkbox, Select, TextInput, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { REASON_LENGTH } from '../../../../src/core/people/limits.ts';
import type {
  ActionDone,
  CancelForm,
  CaptureForm,
  OrderDetail,
  RefundForm,
} from '../../../../src/backoffice/wire/orders.ts';
import { ApiError, api } from '../../base/api.ts';
import { keyOf } from '../../base/ask.ts';
import { moneyField, moneyText, timeText } from '../../base/format.ts';
import { rich } from '../../base/rich.ts';
import { t } from '../../base/texts.ts';
import { tell } from '../../base/toast.tsx';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/page.tsx';
import { Money, isAway } from '../../parts/show.tsx';
import { minorOf, plain, problemOf } from './amount.ts';

export type ActionName = 'capture' | 'refund' | 'cancel';

type Props = { readonly name: ActionName; readonly order: OrderDetail; readonly close: () => void };

const TITLES: Readonly<Record<ActionName, string>> = {
  capture: t('Capture payment'),
  refund: t('Refund payment'),
  cancel: t('Cancel the authorization'),
};

const DONE: Readonly<Record<ActionName, string>> = {
  capture: t('Payment captured'),
  refund: t('Payment refunded'),
  cancel: t('Authorization cancelled'),
};

const FIELDS = ['amount', 'reason', 'capture_id', 'final'];

export function ActionDialog(props: Props) {
  const form = useActionForm(props);
  const { name, order, close } = props;
  const { currency, cancellable_minor } = order.money;
  const { amount, left, at, disputed } = form;
  return (
    <Dialog close={close} title={TITLES[name]}>
      <Form
        submit={form.submit}
        busy={form.busy}
        disabled={form.problem !== undefined || (disputed && !form.anyway)}
        send={form.send}
        cancel={close}
        error={disputed ? undefined : form.other}
        danger={name !== 'capture'}
      >
        {name === 'refund' ? <CaptureChoice order={order} chosen={form.capture_id} choose={form.choose} /> : null}
        {name === 'cancel' ? (
          <p>
            {rich('Releases {amount}, the whole authorization. The payer is not charged.', {
              amount: <Money minor={cancellable_minor} currency={currency} />,
            })}
          </p>
        ) : (
          <AmountField value={amount} change={form.setAmount} left={left} currency={currency} error={form.wrong} />
        )}
        {name === 'capture' ? (
          <Checkbox
            label={t('Final capture: release the rest')}
            checked={form.final}
            onChange={(event) => form.setFinal(event.currentTarget.checked)}
          />
        ) : null}
        {disputed ? <Anyway anyway={form.anyway} change={form.setAnyway} /> : null}
        <Textarea
          label={t('Reason')}
          rows={2}
          maxLength={REASON_LENGTH.most}
          data-autofocus={name === 'cancel' || undefined}
          value={form.reason}
          onChange={(event) => form.setReason(event.currentTarget.value)}
          error={at['reason'] ?? form.short}
        />
      </Form>
    </Dialog>
  );
}

/** The state of the form: its values, their problems, and the sending. */
function useActionForm({ name, order, close }: Props) {
  const { currency, capturable_minor, refundable_minor } = order.money;
  const [capture_id, setCaptureId] = useState<string>();
  const left = name === 'capture' ? capturable_minor : leftOf(order, capture_id, refundable_minor);
  const [amount, setAmount] = useState(name === 'cancel' ? '' : moneyField(left, currency));
  const [final, setFinal] = useState(false);
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const [anyway, setAnyway] = useState(false);
  const act = useMoneyAct({ name, order, close }, { name, amount, final, capture_id, reason, anyway });
  const { at, other } = errorsOf(act.error, FIELDS);
  const problem = name === 'cancel' ? undefined : problemOf(amount, left, currency);
  const short = reason.trim().length < 3 ? t('Give a short reason: it is recorded in the audit log') : undefined;
  const touched = tried || amount !== moneyField(left, currency);
  return {
    amount,
    setAmount,
    left,
    final,
    setFinal,
    reason,
    setReason,
    capture_id,
    at,
    other,
    busy: act.isPending,
    problem,
    anyway,
    setAnyway,
    disputed: isRefusedAsDisputed(act.error, order),
    submit: submitText(name, problem === undefined ? amount : '', currency),
    wrong: at['amount'] ?? (touched ? problem : undefined),
    short: tried ? short : undefined,
    choose: (id: string | undefined) => {
      setCaptureId(id);
      setAmount(moneyField(leftOf(order, id, refundable_minor), currency));
    },
    send: () => {
      setTried(true);
      if (problem === undefined && short === undefined) act.mutate();
    },
  };
}

function useMoneyAct({ name, order, close }: Props, filled: Filled) {
  // the second step sends another request than the first, so it has its own key
  const [keys] = useState(() => ({ first: crypto.randomUUID(), anyway: crypto.randomUUID() }));
  const key = filled.anyway ? keys.anyway : keys.first;
  const client = useQueryClient();
  return useAct({
    run: () => api(`POST /orders/:order_id/${name}`, { params: { order_id: order.id }, key, body: bodyOf(filled) }),
    quiet: true,
    stale: ['orders', 'overview', 'refund-requests'],
    done: (done: ActionDone) => {
      client.setQueryData(keyOf('order', 'GET /orders/:id', { params: { id: order.id } }), done.order);
      if (done.state === 'waits') tell(t('Waiting for approval'), t('Another member of your team must approve it.'));
      else if (done.state === 'successful') tell(DONE[name]);
      else tell(t('Sent to the provider'), t('The provider has not decided yet. The timeline shows when it has.'));
      close();
    },
  });
}

type Filled = {
  readonly name: ActionName;
  readonly amount: string;
  readonly final: boolean;
  readonly capture_id: string | undefined;
  readonly reason: string;
  /** Set in the second step: disputed money is refunded all the same. */
  readonly anyway: boolean;
};

function bodyOf({ name, amount, final, capture_id, reason, anyway }: Filled): CaptureForm | RefundForm | CancelForm {
  const why = { reason: reason.trim() };
  if (name === 'cancel') return why;
  const money = { ...why, amount: plain(amount) };
  if (name === 'capture') return { ...money, final };
  const refund = anyway ? { ...money, even_if_disputed: true } : money;
  return capture_id === undefined ? refund : { ...refund, capture_id };
}

/** The result code of a refund of money that the payer's bank has already taken back (contract 8). */
const DISPUTED = '620210';

/** True if the refund was refused because the money is disputed; the code alone can have other reasons. */
function isRefusedAsDisputed(error: unknown, { dispute }: OrderDetail): boolean {
  return error instanceof ApiError && error.problem.result?.code === DISPUTED && isAway(dispute);
}

type AnywayProps = { readonly anyway: boolean; readonly change: (anyway: boolean) => void };

/** The second step of a refund of disputed money: nothing is sent until the box is ticked. */
function Anyway({ anyway, change }: AnywayProps) {
  return (
    <Notice tone="bad" title={t('This money is disputed. Nothing was refunded.')}>
      <div className="stack tight">
        <p>{t("The payer's bank has taken it back already. A refund pays the payer a second time.")}</p>
        <Checkbox
          label={t('Refund anyway: the payer gets the money twice')}
          checked={anyway}
          onChange={(event) => change(event.currentTarget.checked)}
        />
      </div>
    </Notice>
  );
}

function submitText(name: ActionName, amount: string, currency: string): string {
  if (name === 'cancel') return t('Cancel the authorization');
  const verb = name === 'capture' ? t('Capture [verb]') : t('Refund [verb]');
  const money = minorOf(amount, currency);
  // shows all decimals of the currency: 10 KWD is 10.000
  return 'problem' in money ? verb : `${verb} ${moneyText(money.minor, currency)} ${currency}`;
}

type AmountProps = {
  readonly value: string;
  readonly change: (value: string) => void;
  readonly left: number;
  readonly currency: string;
  readonly error: string | undefined;
};

function AmountField({ value, change, left, currency, error }: AmountProps) {
  return (
    <TextInput
      label={t('Amount')}
      description={t('{amount} {currency} is left', { amount: moneyText(left, currency), currency })}
      inputMode="decimal"
      data-autofocus
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
      rightSection={<span className="muted small">{currency}</span>}
      rightSectionWidth={52}
      error={error}
    />
  );
}

type Part = { readonly id: string; readonly left: number; readonly at: string };

/** Captures of which something can still be refunded. */
function partsOf({ operations }: OrderDetail): readonly Part[] {
  const refunds = operations.filter(
    ({ kind, state }) => kind === 'refund' && state !== 'declined' && state !== 'not_sent',
  );
  return operations
    .filter(({ kind, state }) => kind === 'capture' && state === 'successful')
    .map(({ id, amount_minor, created_at }) => {
      const back = refunds.filter(({ target_id }) => target_id === id).reduce((sum, one) => sum + one.amount_minor, 0);
      return { id, left: amount_minor - back, at: created_at };
    })
    .filter(({ left }) => left > 0);
}

function leftOf(order: OrderDetail, capture_id: string | undefined, refundable: number): number {
  const part = partsOf(order).find(({ id }) => id === capture_id);
  return part ? Math.min(part.left, refundable) : refundable;
}

type ChoiceProps = {
  readonly order: OrderDetail;
  readonly chosen: string | undefined;
  readonly choose: (id: string | undefined) => void;
};

/** If there are several captures, the person chooses one; a single capture needs no choice. */
function CaptureChoice({ order, chosen, choose }: ChoiceProps) {
  const parts = partsOf(order);
  if (parts.length < 2) return null;
  const { currency } = order.money;
  return (
    <Select
      label={t('Capture to refund')}
      data={[
        { value: '', label: t('Oldest capture that covers it') },
        ...parts.map(({ id, left, at }) => ({
          value: id,
          label: t('{amount} {currency} left, {at}', { amount: moneyText(left, currency), currency, at: timeText(at) }),
        })),
      ]}
      value={chosen ?? ''}
      onChange={(value) => choose(value === null || value === '' ? undefined : value)}
    />
  );
}
