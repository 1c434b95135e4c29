// Notes that people of the account write about the order for each other.
import { ActionIcon, Button, Textarea, Tooltip } from '@mantine/core';
import { type RefObject, useRef, useState } from 'react';
import { NOTE_LENGTH } from '../../../../src/core/people/limits.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { useSession } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { errorsOf, useAct } from '../../parts/act.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Asked, Panel } from '../../parts/page.tsx';
import { When } from '../../parts/show.tsx';

const STALE = ['notes', 'order'];

export function Notes({ order_id }: { readonly order_id: string }) {
  const { may } = useSession();
  const asked = useAsk('notes', 'GET /orders/:order_id/notes', { params: { order_id } });
  const field = useRef<HTMLTextAreaElement>(null);
  const remove = useAct<string>({
    run: (id) => api('DELETE /orders/:order_id/notes/:id', { params: { order_id, id } }),
    said: t('Note removed'),
    stale: STALE,
    // the button that was pressed goes with its note
    done: () => field.current?.focus(),
  });
  return (
    <Panel title={t('Notes')} lead={t('Seen by your team only')} padded>
      <Asked asked={asked} rows={2}>
        {({ notes }) => (
          <ul className="lines">
            {notes.map(({ id, by, text, created_at, own }) => (
              <li key={id} className="note">
                <div className="row apart">
                  <span className="muted small">
                    {by}, <When at={created_at} />
                  </span>
                  {own && may('notes') ? (
                    <Tooltip label={t('Remove this note')}>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        size="sm"
                        aria-label={t('Remove this note')}
                        onClick={() => remove.mutate(id)}
                      >
                        <Icon name="trash" size={14} />
                      </ActionIcon>
                    </Tooltip>
                  ) : null}
                </div>
                <p className="break">{text}</p>
              </li>
            ))}
            {notes.length === 0 ? <li className="muted">{t('No notes.')}</li> : null}
          </ul>
        )}
      </Asked>
      {may('notes') ? <AddNote order_id={order_id} field={field} /> : null}
    </Panel>
  );
}

type AddProps = { readonly order_id: string; readonly field: RefObject<HTMLTextAreaElement | null> };

function AddNote({ order_id, field }: AddProps) {
  const [text, setText] = useState('');
  const add = useAct({
    run: () => api('POST /orders/:order_id/notes', { params: { order_id }, body: { text: text.trim() } }),
    quiet: true,
    stale: STALE,
    done: () => setText(''),
  });
  const { at, other } = errorsOf(add.error, ['text']);
  return (
    <form
      className="stack tight add-note"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate();
      }}
    >
      <Textarea
        ref={field}
        label={t('Add a note')}
        rows={2}
        maxLength={NOTE_LENGTH.most}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={at['text'] ?? other}
      />
      <div className="row">
        <Button
          type="submit"
          variant="default"
          size="xs"
          loading={add.isPending}
          disabled={text.trim().length < NOTE_LENGTH.least}
        >
          {t('Add note')}
        </Button>
      </div>
    </form>
  );
}
