// A person's actions: a form that shows each problem beside its field, and a question before an action that cannot be
// undone.
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { ApiError } from '../base/api.ts';
import { capital } from '../base/format.ts';
import { t } from '../base/texts.ts';
import { tell, tellError } from '../base/toast.tsx';
import { Notice } from './page.tsx';
import { Dialog } from './dialog.tsx';

export type Errors = Readonly<Record<string, string>>;

/** Messages by field, and the message that belongs to none of the shown fields. */
export function errorsOf(error: unknown, fields: readonly string[]): { readonly at: Errors; readonly other?: string } {
  if (!(error instanceof ApiError)) return error ? { at: {}, other: messageOf(error) } : { at: {} };
  const named = (error.problem.errors ?? []).filter(({ field }) => fields.includes(field));
  const at = Object.fromEntries(named.map(({ field, message }) => [field, capital(message)]));
  return named.length > 0 ? { at } : { at, other: error.message };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : t('It failed'));

type Doing<In, Out> = {
  readonly run: (input: In) => Promise<Out>;
  /** Shown in a corner after success; errors are shown there too, unless `quiet` is set. */
  readonly said?: string | ((out: Out) => string);
  readonly quiet?: boolean;
  /** The names of answers that this change makes out of date. */
  readonly stale?: readonly string[];
  readonly done?: (out: Out, input: In) => void;
};

/** One change: it runs once at a time, renews the answers that it makes out of date, and reports the result. */
export function useAct<In = void, Out = unknown>({ run, said, quiet = false, stale = [], done }: Doing<In, Out>) {
  const client = useQueryClient();
  return useMutation<Out, unknown, In>({
    mutationFn: run,
    onSuccess: async (out, input) => {
      if (said !== undefined) tell(typeof said === 'string' ? said : said(out));
      done?.(out, input);
      await Promise.all(stale.map((name) => client.invalidateQueries({ queryKey: [name] })));
    },
    onError: (error) => {
      if (!quiet) tellError(t('Something went wrong'), error);
    },
  });
}

/** After a refused form, the first wrong field gets the focus, or the page scrolls to the message above the fields. */
function useWrongInSight(busy: boolean): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const sent = useRef(false);
  useEffect(() => {
    if (sent.current && !busy) {
      const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
      field?.focus();
      if (!field) form.current?.querySelector('.notice.bad')?.scrollIntoView({ block: 'nearest' });
    }
    sent.current = busy;
  }, [busy]);
  return form;
}

/** A form that goes away with everything in it gives the focus back to what opened it, if nothing else has it. */
function useFocusBack(): void {
  const opener = useRef(document.activeElement);
  useEffect(
    () => () => {
      if (document.activeElement === document.body && opener.current instanceof HTMLElement) opener.current.focus();
    },
    [],
  );
}

type FormProps = {
  readonly children: ReactNode;
  readonly submit: string;
  readonly busy: boolean;
  readonly send: () => void;
  readonly cancel?: () => void;
  readonly error?: string | undefined;
  readonly danger?: boolean;
  readonly disabled?: boolean;
};

export function Form({ children, submit, busy, send, cancel, error, danger = false, disabled = false }: FormProps) {
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy && !disabled) send();
  };
  const form = useWrongInSight(busy);
  useFocusBack();
  return (
    <form className="stack" onSubmit={onSubmit} noValidate ref={form}>
      {error === undefined ? null : <Notice tone="bad">{error}</Notice>}
      {children}
      <div className="row end">
        {cancel === undefined ? null : (
          <Button variant="default" onClick={cancel}>
            {t('Cancel')}
          </Button>
        )}
        <Button type="submit" loading={busy} disabled={disabled} {...(danger ? { color: 'red' } : {})}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

type AskProps = {
  readonly title: string;
  readonly children: ReactNode;
  readonly yes: string;
  readonly danger?: boolean;
  readonly run: () => Promise<unknown>;
  readonly close: () => void;
};

/** A question before an action; if the action fails, the dialog stays open with the reason. */
export function AskFirst({ title, children, yes, danger = false, run, close }: AskProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const send = () => {
    setBusy(true);
    run()
      .then(close)
      .catch((failed: unknown) => {
        setError(messageOf(failed));
        setBusy(false);
      });
  };
  return (
    <Dialog close={close} title={title}>
      <Form submit={yes} busy={busy} send={send} cancel={close} danger={danger} error={error}>
        <div className="stack tight">{children}</div>
      </Form>
    </Dialog>
  );
}
