// The parts of pages: a heading, panels, and what is shown while data load, if there are none, or if loading failed.
import { Button, Skeleton } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { ApiError } from '../base/api.ts';
import { remember } from '../base/recent.ts';
import { Link } from '../base/router.tsx';
import { t } from '../base/texts.ts';
import { Icon, type IconName } from './icons.tsx';

type HeadProps = {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly up?: { readonly to: string; readonly text: string };
};

export function PageHead({ title, lead, actions, up }: HeadProps) {
  useEffect(() => {
    document.title = `${title} · Florin`;
    remember(location.pathname, title);
  }, [title]);
  return (
    <div className="page-head">
      <div>
        {up ? (
          <Link to={up.to} className="crumb">
            <Icon name="left" size={14} />
            {up.text}
          </Link>
        ) : null}
        <h1>{title}</h1>
        {lead === undefined ? null : <p>{lead}</p>}
      </div>
      {actions === undefined ? null : <div className="row">{actions}</div>}
    </div>
  );
}

type PanelProps = {
  readonly title?: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly footer?: ReactNode;
  readonly padded?: boolean;
  readonly children: ReactNode;
};

export function Panel({ title, lead, actions, footer, padded = false, children }: PanelProps) {
  return (
    <section className="panel">
      {title === undefined ? null : (
        <header>
          <div>
            <h2>{title}</h2>
            {lead === undefined ? null : <p>{lead}</p>}
          </div>
          {actions}
        </header>
      )}
      {padded ? <div className="padded">{children}</div> : children}
      {footer === undefined ? null : <footer>{footer}</footer>}
    </section>
  );
}

type NoticeProps = {
  readonly tone?: 'warn' | 'bad' | 'good' | 'info';
  readonly title?: string;
  readonly children?: ReactNode;
};

export function Notice({ tone = 'info', title, children }: NoticeProps) {
  const icon = tone === 'good' ? 'check' : tone === 'info' ? 'info' : 'alert';
  return (
    <div className={`notice ${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon name={icon} />
      <div className="grow">
        {title === undefined ? null : <div className="strong">{title}</div>}
        {children}
      </div>
    </div>
  );
}

type EmptyProps = {
  readonly icon: IconName;
  readonly title: string;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
};

export function Empty({ icon, title, text, children }: EmptyProps) {
  return (
    <div className="empty">
      <Icon name={icon} size={28} />
      <div className="title">{title}</div>
      {text === undefined ? null : <p>{text}</p>}
      {children === undefined ? null : <div className="row">{children}</div>}
    </div>
  );
}

/** The reason why loading failed, and a button to try again. */
export function Failed({ error, again }: { readonly error: unknown; readonly again?: () => void }) {
  const [title, text] = explain(error);
  const reference = error instanceof ApiError ? error.problem.instance : undefined;
  return (
    <div className="empty" role="alert">
      <Icon name="alert" size={28} />
      <div className="title">{title}</div>
      <p>{text}</p>
      {reference === undefined ? null : <p className="small">{t('Request {reference}', { reference })}</p>}
      {again === undefined ? null : (
        <Button variant="default" leftSection={<Icon name="refresh" size={16} />} onClick={again}>
          {t('Try again')}
        </Button>
      )}
    </div>
  );
}

function explain(error: unknown): readonly [string, string] {
  if (!(error instanceof ApiError)) return [t('This page has an error'), error instanceof Error ? error.message : ''];
  if (error.status === 0) return [t('No connection'), error.message];
  if (error.status === 403)
    return [t('Your role does not allow this'), t('Ask an owner or administrator of this account.')];
  if (error.status === 404) return [t('Not found'), t('It may belong to another account, or the address is wrong.')];
  return [t('This could not be loaded'), error.message];
}

export function Waiting({ rows = 6 }: { readonly rows?: number }) {
  return (
    <div className="padded stack tight" aria-busy="true" role="status" aria-label={t('Loading')}>
      {Array.from({ length: rows }, (_, i) => (
        <Skeleton key={i} height={18} width={`${96 - ((i * 17) % 40)}%`} radius="sm" />
      ))}
    </div>
  );
}

type AskedProps<T> = {
  readonly asked: {
    readonly data: T | undefined;
    readonly error: unknown;
    readonly isPending: boolean;
    refetch(): unknown;
  };
  readonly rows?: number;
  readonly children: (data: T) => ReactNode;
};

/** Shows the server's answer, or that it is waited for, or that it failed. Old data stay until newer ones arrive. */
export function Asked<T>({ asked, rows, children }: AskedProps<T>) {
  if (asked.data !== undefined) return children(asked.data);
  if (asked.isPending) return <Waiting {...(rows === undefined ? {} : { rows })} />;
  return <Failed error={asked.error} again={() => void asked.refetch()} />;
}
