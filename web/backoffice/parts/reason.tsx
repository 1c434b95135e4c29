// Asks for the reason of an action that the audit records.
import { Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { REASON_LENGTH } from '../../../src/core/people/limits.ts';
import { t } from '../base/texts.ts';
import { type Errors, Form, errorsOf, useAct } from './act.tsx';
import { Dialog } from './dialog.tsx';

type Props = {
  readonly title: string;
  readonly yes: string;
  /** Further questions of the form; the function gets the problem of each field in `fields`. */
  readonly children?: ReactNode | ((at: Errors) => ReactNode);
  readonly danger?: boolean;
  readonly fields?: readonly string[];
  readonly wide?: boolean;
  /** Does the action with the reason; an error is shown. */
  readonly run: (reason: string) => Promise<unknown>;
  readonly said: string;
  readonly stale: readonly string[];
  readonly close: () => void;
};

export function AskReason({ title, yes, children, danger = false, fields = [], wide, ...doing }: Props) {
  const { run, said, stale, close } = doing;
  const [reason, setReason] = useState('');
  const act = useAct({ run: () => run(reason.trim()), said, quiet: true, stale, done: close });
  const { at, other } = errorsOf(act.error, ['reason', ...fields]);
  const short = reason.trim().length < 3;
  return (
    <Dialog close={close} title={title} size={wide === true ? 'lg' : 'md'}>
      <Form
        submit={yes}
        danger={danger}
        busy={act.isPending}
        disabled={short}
        send={() => act.mutate()}
        cancel={close}
        error={other}
      >
        {typeof children === 'function' ? children(at) : children}
        <Textarea
          label={t('Reason')}
          description={t('Recorded in the audit log.')}
          rows={2}
          maxLength={REASON_LENGTH.most}
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={at['reason']}
        />
      </Form>
    </Dialog>
  );
}
