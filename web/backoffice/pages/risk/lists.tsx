// Block and allow lists: a new entry takes effect at once.
import { Button, SegmentedControl, Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ListEntry, ListEntryForm } from '../../../../src/backoffice/wire/rules/risk.ts';
import { api } from '../../base/api.ts';
import { usePages } from '../../base/ask.ts';
import { sentence } from '../../base/format.ts';
import { rich } from '../../base/rich.ts';
import { useSession } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icons.tsx';
import { MoreRows } from '../../parts/more.tsx';
import { Empty, Failed, Panel, Waiting } from '../../parts/page.tsx';
import { AskReason } from '../../parts/reason.tsx';
import { Tag, When } from '../../parts/show.tsx';
import { Heard } from '../../parts/table.tsx';

export function Lists() {
  const [list, setList] = useState('');
  const [search, setSearch] = useState('');
  const [adding, setAdding] = useState(false);
  const { may } = useSession();
  return (
    <Panel>
      <div className="filters">
        <SegmentedControl
          aria-label={t('List')}
          data={[
            { value: '', label: t('Both') },
            { value: 'block', label: t('Block') },
            { value: 'allow', label: t('Allow') },
          ]}
          value={list}
          onChange={setList}
        />
        <TextInput
          className="search"
          aria-label={t('Search the lists')}
          placeholder={t('Value or note')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {may('risk') ? (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
            {t('Add')}
          </Button>
        ) : null}
      </div>
      <Found list={list} search={search}>
        {(subjects) => (adding ? <Add subjects={subjects} close={() => setAdding(false)} /> : null)}
      </Found>
    </Panel>
  );
}

type FoundProps = {
  readonly list: string;
  readonly search: string;
  readonly children: (subjects: readonly string[]) => ReactNode;
};

function Found({ list, search, children }: FoundProps) {
  const asked = usePages('lists', 'GET /risk/lists');
  if (asked.isPending) return <Waiting rows={8} />;
  if (!asked.data) return <Failed error={asked.error} again={() => void asked.refetch()} />;
  const { pages } = asked.data;
  const entries = shownOf(
    pages.flatMap((page) => page.entries),
    list,
    search,
  );
  return (
    <>
      {entries.length === 0 ? (
        <Empty
          icon="rules"
          title={t('No entries')}
          text={t('A block entry refuses every payment that fits it; an allow entry lets it past the rules.')}
        />
      ) : (
        <Entries entries={entries} />
      )}
      <MoreRows asked={asked} note={t('Only the newest are shown.')} />
      {children(pages[0]?.subjects ?? [])}
    </>
  );
}

/** The server sends 500 entries at a time, the newest first; the search among those that are here happens here. */
function shownOf(entries: readonly ListEntry[], list: string, search: string): readonly ListEntry[] {
  const wanted = search.trim().toLowerCase();
  return entries.filter(
    (entry) =>
      (list === '' || entry.list === list) &&
      `${entry.subject} ${entry.shown} ${entry.note ?? ''}`.toLowerCase().includes(wanted),
  );
}

function Entries({ entries }: { readonly entries: readonly ListEntry[] }) {
  const { may } = useSession();
  const [taking, setTaking] = useState<ListEntry>();
  return (
    <div className="table-wrap">
      <table className="table cards">
        <Heard columns={[t('List'), t('Kind'), t('Value'), t('Note'), t('Added'), t('Actions')]} />
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td>
                <Tag tone={entry.list === 'block' ? 'bad' : 'good'}>
                  {entry.list === 'block' ? t('Block') : t('Allow')}
                </Tag>
              </td>
              <td>{sentence(entry.subject)}</td>
              <td className="strong break">{entry.shown}</td>
              <td className="muted">
                {entry.note}
                {entry.until === null ? null : <span> {rich('until {at}', { at: <When at={entry.until} /> })}</span>}
              </td>
              <td>
                <When at={entry.created_at} /> <span className="muted">{entry.created_by}</span>
              </td>
              <td className="right">
                {may('risk') ? (
                  <Button size="xs" variant="default" onClick={() => setTaking(entry)}>
                    {t('Remove')}
                  </Button>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {taking ? (
        <AskReason
          title={t('Remove {shown} from the list', { shown: taking.shown })}
          yes={t('Remove')}
          run={(reason) => api('DELETE /risk/lists/:id', { params: { id: taking.id }, body: { reason } })}
          said={t('Entry removed')}
          stale={['lists']}
          close={() => setTaking(undefined)}
        />
      ) : null}
    </div>
  );
}

function Add({ subjects, close }: { readonly subjects: readonly string[]; readonly close: () => void }) {
  const [form, setForm] = useState<Required<Omit<ListEntryForm, 'until'>>>({
    list: 'block',
    subject: subjects[0] ?? '',
    value: '',
    note: '',
    reason: '',
  });
  const act = useAct({
    run: () => api('POST /risk/lists', { body: form satisfies ListEntryForm }),
    said: t('Entry added'),
    quiet: true,
    stale: ['lists'],
    done: close,
  });
  const { at, other } = errorsOf(act.error, Object.keys(form));
  const field = (name: 'value' | 'note' | 'reason', label: string) => (
    <TextInput
      label={label}
      value={form[name]}
      onChange={(event) => setForm({ ...form, [name]: event.currentTarget.value })}
      error={at[name]}
    />
  );
  return (
    <Dialog close={close} title={t('Add to a list')}>
      <Form submit={t('Add')} busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
        <SegmentedControl
          aria-label={t('List')}
          data={[
            { value: 'block', label: t('Block: decline') },
            { value: 'allow', label: t('Allow: skip the rules') },
          ]}
          value={form.list}
          onChange={(list) => setForm({ ...form, list: list === 'allow' ? 'allow' : 'block' })}
        />
        <Select
          label={t('Type')}
          data={subjects.map((value) => ({ value, label: sentence(value) }))}
          value={form.subject}
          onChange={(subject) => setForm({ ...form, subject: subject ?? '' })}
          error={at['subject']}
        />
        {field('value', t('Value'))}
        {field('note', t('Note'))}
        {field('reason', t('Reason'))}
      </Form>
    </Dialog>
  );
}
