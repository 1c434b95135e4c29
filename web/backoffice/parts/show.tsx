// How single facts are shown on all pages: money, moments, ids, states.
import { ActionIcon, Tooltip } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { DisputeState } from '../../../src/backoffice/wire/orders.ts';
import type { Sum } from '../../../src/backoffice/wire.ts';
import type { Clock } from '../base/clock.ts';
import { agoText, methodText, moneyText, sentence, shortId, timeText, utcText } from '../base/format.ts';
import { t } from '../base/texts.ts';
import { tellError } from '../base/toast.tsx';
import { Icon } from './icons.tsx';

/** `minor` is in minor units, as the server writes it. */
export function Money({ minor, currency }: { readonly minor: Sum; readonly currency: string }) {
  return (
    <span className="money nowrap">
      {moneyText(minor, currency)}
      <span className="currency">{`\u00a0${currency}`}</span>
    </span>
  );
}

type WhenProps = {
  readonly at: string | null | undefined;
  /** Shows the time relative to now by this clock. */
  readonly ago?: Clock;
  readonly seconds?: boolean;
};

/** The time in the viewer's zone, with UTC on hover and for screen readers. */
export function When({ at, ago, seconds = false }: WhenProps) {
  if (at === null || at === undefined) return <span className="muted">–</span>;
  return (
    <Tooltip label={utcText(at)}>
      <time dateTime={at} className="nowrap num" title={utcText(at)}>
        {ago === undefined ? timeText(at, seconds) : agoText(at, ago)}
      </time>
    </Tooltip>
  );
}

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'accent' | 'plain';

export function Tag({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`tag ${tone}`}>{children}</span>;
}

const WORDS: Readonly<Record<string, readonly [Tone, string]>> = {
  created: ['plain', t('Created')],
  risk_assessment_requested: ['info', t('Risk check')],
  risk_assessment_approved: ['info', t('Risk passed')],
  risk_assessment_declined: ['bad', t('Declined by risk rules')],
  authentication_requested: ['info', t('Requires action')],
  authentication_successful: ['info', t('Authenticated')],
  authentication_declined: ['bad', t('Authentication failed')],
  authorization_requested: ['info', t('Authorizing')],
  authorization_successful: ['accent', t('Authorized')],
  authorization_declined: ['bad', t('Declined')],
  authorization_cancelled: ['plain', t('Cancelled')],
  authorization_expired: ['plain', t('Expired')],
  authorization_cancel_requested: ['info', t('Cancelling')],
  authorization_cancel_declined: ['warn', t('Cancel declined')],
  capture_requested: ['info', t('Capturing')],
  capture_successful: ['good', t('Captured')],
  capture_declined: ['warn', t('Capture declined')],
  refund_requested: ['info', t('Refunding')],
  refund_successful: ['plain', t('Refunded')],
  refund_declined: ['warn', t('Refund declined')],
};

export const STATUSES = Object.keys(WORDS);

export const statusText = (status: string) => WORDS[status]?.[1] ?? sentence(status);

type StatusProps = {
  readonly status: string;
  readonly in_doubt?: boolean;
  /** Only a part was captured or refunded. */
  readonly partly?: boolean;
  readonly dispute?: DisputeState | null;
};

/** A dispute's state in a word. While it is open, and after it is lost, the payer's bank has the money. */
const DISPUTES: Readonly<Record<DisputeState, readonly [Tone, string]>> = {
  opened: ['bad', t('Charged back')],
  lost: ['bad', t('Dispute lost')],
  won: ['plain', t('Dispute won')],
};

export function Dispute({ state }: { readonly state: DisputeState }) {
  const [tone, word] = DISPUTES[state];
  return <Tag tone={tone}>{word}</Tag>;
}

/** True if the payer's bank has the money. */
export const isAway = (dispute: DisputeState | null) => dispute === 'opened' || dispute === 'lost';

type Moved = { readonly ordered: number; readonly captured: number; readonly refunded: number };

/** True for a capture below the order's amount, or a refund below the captured amount; all in minor units. */
export function isPart(status: string, { ordered, captured, refunded }: Moved): boolean {
  return status === 'refund_successful' ? refunded < captured : status === 'capture_successful' && captured < ordered;
}

/**
 * The status of an order in a word, with an unknown outcome or a dispute beside it. An order whose money the payer's
 * bank has is not shown as a success.
 */
export function Status({ status, in_doubt = false, partly = false, dispute = null }: StatusProps) {
  const [tone, word] = WORDS[status] ?? ['plain', sentence(status)];
  const text = partly ? (status === 'refund_successful' ? t('Partly refunded') : t('Partly captured')) : word;
  return (
    <span className="row nowrap" title={status}>
      {/* the dispute comes first: it matters more than the capture */}
      {dispute !== null && isAway(dispute) ? <Dispute state={dispute} /> : null}
      <Tag tone={isAway(dispute) ? 'plain' : tone}>{text}</Tag>
      {dispute === null || isAway(dispute) ? null : <Dispute state={dispute} />}
      {in_doubt ? <Tag tone="warn">{t('Outcome unknown')}</Tag> : null}
    </span>
  );
}

/** The heading of a column beside its cell, for phones, which have no room for the row of headings. */
export function Said({ word }: { readonly word: string }) {
  return (
    <span className="said" aria-hidden="true">
      {word}{' '}
    </span>
  );
}

type MethodProps = { readonly name: string; readonly last4?: string | null | undefined };

export function Method({ name, last4 }: MethodProps) {
  return (
    <span className="nowrap">
      {methodText(name)}
      {last4 ? <span className="muted num">{` ···· ${last4}`}</span> : null}
    </span>
  );
}

const SHOWN_MS = 1500;
const tellNotCopied = (error: unknown) => tellError(t('Not copied'), error);

/** Copies the text and says that it did. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [done, say] = useState(false);
  const copy = () => {
    navigator.clipboard.writeText(text).then(() => say(true), tellNotCopied);
    setTimeout(() => say(false), SHOWN_MS);
  };
  return (
    <Tooltip label={done ? t('Copied') : label}>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} onClick={copy}>
        <Icon name={done ? 'check' : 'copy'} size={14} />
      </ActionIcon>
    </Tooltip>
  );
}

/** An id, shortened to the part that differs, with a button that copies it in full. */
export function Id({ id, whole = false }: { readonly id: string; readonly whole?: boolean }) {
  return (
    <span className="nowrap">
      <code title={id}>{whole ? id : shortId(id)}</code> <CopyButton text={id} label={t('Copy {id}', { id })} />
    </span>
  );
}

/** A secret that is shown once. */
export function Secret({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className="secret">
      <code>{text}</code>
      <CopyButton text={text} label={t('Copy {label}', { label })} />
    </div>
  );
}
