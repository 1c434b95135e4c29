// What is said and shown against a dispute: the fields that its reason asks for, and all others behind a button.
import { Button, FileButton, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { DisputeDetail, EvidenceFile, EvidenceText } from '../../../../src/backoffice/wire/disputes.ts';
import { answered, api } from '../../base/api.ts';
import { download } from '../../base/download.ts';
import { sizeText } from '../../base/format.ts';
import { useSession } from '../../base/session.tsx';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Notice, Panel } from '../../parts/page.tsx';
import { When } from '../../parts/show.tsx';

type Props = { readonly dispute: DisputeDetail };

const STALE = ['dispute', 'disputes'];

export function Texts({ dispute }: Props) {
  const { may } = useSession();
  const [changed, change] = useState<Readonly<Record<string, string>>>({});
  const [all, showAll] = useState(false);
  const act = useAct({
    run: () => api('PUT /disputes/:id/evidence', { params: { id: dispute.id }, body: { texts: changed } }),
    said: 'Saved',
    quiet: true,
    stale: STALE,
    done: () => change({}),
  });
  const { at, other } = errorsOf(
    act.error,
    dispute.texts.map(({ field }) => `texts.${field}`),
  );
  const shown = dispute.texts.filter(({ asked, text }) => all || asked || text !== '');
  const editable = dispute.open && may('money');
  if (!editable) return <Said texts={dispute.texts.filter(({ text }) => text !== '')} />;
  return (
    <Panel title="In words" lead="Kept sealed. Never a card number: first six and last four digits say as much." padded>
      <Form
        submit="Save"
        busy={act.isPending}
        disabled={Object.keys(changed).length === 0}
        send={() => act.mutate()}
        error={other}
      >
        {shown.map((one) => (
          <Field
            key={one.field}
            one={one}
            value={changed[one.field] ?? one.text}
            error={at[`texts.${one.field}`]}
            set={(text) => change({ ...changed, [one.field]: text })}
          />
        ))}
        {all || shown.length === dispute.texts.length ? null : <More show={() => showAll(true)} />}
      </Form>
    </Panel>
  );
}

function More({ text = 'All other fields', show }: { readonly text?: string; readonly show: () => void }) {
  return (
    <div>
      <Button variant="subtle" size="xs" leftSection={<Icon name="plus" size={14} />} onClick={show}>
        {text}
      </Button>
    </div>
  );
}

type FieldProps = {
  readonly one: EvidenceText;
  readonly value: string;
  readonly error: string | undefined;
  readonly set: (text: string) => void;
};

function Field({ one: { label, help, known }, value, error, set }: FieldProps) {
  const offer = known !== null && !value.includes(known.text) ? known : undefined;
  return (
    <div className="stack tight">
      <Textarea
        label={label}
        description={help === '' ? undefined : help}
        autosize
        minRows={1}
        maxRows={12}
        maxLength={20_000}
        value={value}
        onChange={(event) => set(event.currentTarget.value)}
        error={error}
      />
      {offer ? (
        <div className="row">
          <span className="muted small">{`From ${offer.from}: ${offer.text}`}</span>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Use it for ${label}`}
            onClick={() => set(value === '' ? offer.text : `${value}\n${offer.text}`)}
          >
            Use it
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function Said({ texts }: { readonly texts: readonly EvidenceText[] }) {
  if (texts.length === 0) return null;
  return (
    <Panel title="In words" padded>
      <dl className="facts">
        {texts.map(({ field, label, text }) => (
          <div key={field} className="contents">
            <dt>{label}</dt>
            <dd className="wrap">{text}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

export function Files({ dispute }: Props) {
  const { may } = useSession();
  const [all, showAll] = useState(false);
  const editable = dispute.open && may('money');
  const shown = dispute.files.filter(({ asked, file }) => file !== null || (editable && (all || asked)));
  if (shown.length === 0 && !editable) return null;
  return (
    <Panel
      title="Documents"
      lead="PDF, PNG or JPEG, up to 5 MB each. Looked through for card numbers, as far as a program can read: not the digits on a photo."
      padded
    >
      <ul className="lines">
        {shown.map((one) => (
          <FileLine key={one.field} dispute={dispute} one={one} editable={editable} />
        ))}
      </ul>
      {!editable || all || shown.length === dispute.files.length ? null : (
        <More text="All other kinds" show={() => showAll(true)} />
      )}
    </Panel>
  );
}

type LineProps = Props & { readonly one: EvidenceFile; readonly editable: boolean };

function FileLine({ dispute, one: { field, label, help, file }, editable }: LineProps) {
  const { may } = useSession();
  const params = { id: dispute.id, field };
  const add = useAct<File>({
    run: async (chosen) => {
      const content = await base64Of(chosen);
      const body = { field, name: chosen.name, content };
      return answered('PUT /disputes/:id/files', { params: { id: dispute.id }, body });
    },
    said: `${label} added`,
    quiet: true,
    stale: STALE,
  });
  const remove = useAct({
    run: () => api('DELETE /disputes/:id/files/:field', { params }),
    said: `${label} removed`,
    stale: STALE,
  });
  const { at, other } = errorsOf(add.error, ['content', 'field', 'name']);
  const wrong = other ?? at['content'] ?? at['name'];
  return (
    <li className="stack tight">
      <div className="row apart">
        <span className="stack tight">
          <span className="strong">{label}</span>
          {file === null ? (
            <span className="muted small">{help}</span>
          ) : (
            <span className="muted small wrap">
              {`${file.name}, ${sizeText(file.size)}, ${file.added_by}, `}
              <When at={file.added_at} />
            </span>
          )}
        </span>
        <span className="row">
          {file?.kept && may('money') ? (
            <Button
              size="xs"
              variant="default"
              aria-label={`Download ${label}`}
              onClick={() => void download(`/disputes/${dispute.id}/files/${field}`, file.name)}
            >
              Download
            </Button>
          ) : null}
          {editable ? (
            <>
              <FileButton
                accept="application/pdf,image/png,image/jpeg"
                onChange={(chosen) => chosen && add.mutate(chosen)}
              >
                {(props) => (
                  <Button
                    {...props}
                    size="xs"
                    variant="default"
                    loading={add.isPending}
                    aria-label={`${file === null ? 'Add a file' : 'Replace'}: ${label}`}
                  >
                    {file === null ? 'Add a file' : 'Replace'}
                  </Button>
                )}
              </FileButton>
              {file === null ? null : (
                <Button
                  size="xs"
                  variant="default"
                  loading={remove.isPending}
                  aria-label={`Remove ${label}`}
                  onClick={() => remove.mutate()}
                >
                  Remove
                </Button>
              )}
            </>
          ) : null}
        </span>
      </div>
      {wrong === undefined ? null : <Notice tone="bad">{wrong}</Notice>}
    </li>
  );
}

const PIECE = 0x8000;

async function base64Of(file: File): Promise<string> {
  if (file.size > 5 * 1024 * 1024) throw new Error('The file is larger than 5 MB.');
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE) text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(text);
}
