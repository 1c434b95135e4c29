// The answer to a dispute: the fields that its reason needs, and all others behind a button.
import { Button, FileButton, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  DisputeDetail,
  EvidenceFile,
  EvidenceFileForm,
  EvidenceForm,
  EvidenceText,
} from '../../../../src/backoffice/wire/disputes.ts';
import { MOST_FILE_BYTES, MOST_TEXT } from '../../../../src/core/dispute/evidence.ts';
import { answered, api } from '../../base/api.ts';
import { download } from '../../base/download.ts';
import { sizeText } from '../../base/format.ts';
import { useSession } from '../../base/session.tsx';
import { said, t } from '../../base/texts.ts';
import { useUnsaved } from '../../base/unsaved.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Notice, Panel } from '../../parts/page.tsx';
import { When } from '../../parts/show.tsx';

type Props = { readonly dispute: DisputeDetail };

const STALE = ['dispute', 'disputes'];

export function Texts({ dispute }: Props) {
  const { may } = useSession();
  const editable = dispute.open && may('money');
  const client = useQueryClient();
  // `was`: the saved text that the person saw when they last wrote
  const [changed, change] = useUnsaved<Readonly<Record<string, { readonly text: string; readonly was: string }>>>(
    `evidence-${dispute.id}`,
    () => ({}),
    (texts) => editable && Object.keys(texts).length > 0,
  );
  const [all, showAll] = useState(false);
  const act = useAct({
    run: () => {
      const each = (of: 'text' | 'was') =>
        Object.fromEntries(Object.entries(changed).map(([field, one]) => [field, one[of]]));
      const body: EvidenceForm = { texts: each('text'), was: each('was') };
      return api('PUT /disputes/:id/evidence', { params: { id: dispute.id }, body }).catch(async (error: unknown) => {
        // somebody may have written since the page was loaded
        await client.invalidateQueries({ queryKey: ['dispute'] });
        throw error;
      });
    },
    said: t('Saved'),
    quiet: true,
    stale: STALE,
    done: () => change({}),
  });
  const { at, other } = errorsOf(
    act.error,
    dispute.texts.map(({ field }) => `texts.${field}`),
  );
  const shown = dispute.texts.filter(({ asked, text }) => all || asked || text !== '');
  if (!editable) return <Said texts={dispute.texts.filter(({ text }) => text !== '')} />;
  if (dispute.texts.length === 0) return null;
  return (
    <Panel
      title={t('In words')}
      lead={t('Kept sealed. Never a card number: first six and last four digits say as much.')}
      padded
    >
      <Form
        submit={t('Save')}
        busy={act.isPending}
        disabled={Object.keys(changed).length === 0}
        send={() => act.mutate()}
        error={other}
      >
        {shown.map((one) => (
          <Field
            key={one.field}
            one={one}
            value={changed[one.field]?.text ?? one.text}
            is_older={(changed[one.field]?.was ?? one.text) !== one.text}
            error={at[`texts.${one.field}`]}
            set={(text) => change({ ...changed, [one.field]: { text, was: one.text } })}
          />
        ))}
        {all || shown.length === dispute.texts.length ? null : <More show={() => showAll(true)} />}
      </Form>
    </Panel>
  );
}

function More({ text = t('All other fields'), show }: { readonly text?: string; readonly show: () => void }) {
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
  /** Somebody has saved another text since it was written. */
  readonly is_older: boolean;
  readonly error: string | undefined;
  readonly set: (text: string) => void;
};

function Field({ one: { known, ...one }, value, is_older, error, set }: FieldProps) {
  const [label, help] = [said(one.label), said(one.help)];
  const offer = known !== null && !value.includes(known.text) ? known : undefined;
  return (
    <div className="stack tight">
      <Textarea
        label={label}
        description={help === '' ? undefined : help}
        autosize
        minRows={1}
        maxRows={12}
        maxLength={MOST_TEXT}
        value={value}
        onChange={(event) => set(event.currentTarget.value)}
        error={error}
      />
      {is_older ? (
        <p role="alert" className="small wrap">
          {t('Saved meanwhile by somebody else: {text}', { text: one.text === '' ? '–' : one.text })}
        </p>
      ) : null}
      {offer ? (
        <div className="row">
          <span className="muted small">{t('From {from}: {text}', { from: offer.from, text: offer.text })}</span>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t('Use it for {label}', { label })}
            onClick={() => set(value === '' ? offer.text : `${value}\n${offer.text}`)}
          >
            {t('Use it')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function Said({ texts }: { readonly texts: readonly EvidenceText[] }) {
  if (texts.length === 0) return null;
  return (
    <Panel title={t('In words')} padded>
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
      title={t('Documents')}
      lead={t(
        'PDF, PNG or JPEG, up to {size} each. Looked through for card numbers, as far as a program can read: not the digits on a photo.',
        { size: MOST_FILE },
      )}
      padded
    >
      {dispute.texts.length === 0 ? (
        <p>
          {t('{provider_name} reads no texts: put all that you have to say and to show into one PDF.', {
            provider_name: dispute.provider_name,
          })}
        </p>
      ) : null}
      <ul className="lines">
        {shown.map((one) => (
          <FileLine key={one.field} dispute={dispute} one={one} editable={editable} />
        ))}
      </ul>
      {!editable || all || shown.length === dispute.files.length ? null : (
        <More text={t('All other kinds')} show={() => showAll(true)} />
      )}
    </Panel>
  );
}

type LineProps = Props & { readonly one: EvidenceFile; readonly editable: boolean };

function FileLine({ dispute, one: { field, file, ...one }, editable }: LineProps) {
  const label = said(one.label);
  const { may } = useSession();
  const params = { id: dispute.id, field };
  const was = file?.id ?? 'none';
  const client = useQueryClient();
  // somebody may have changed it since the page was loaded
  const lookAgain = async (error: unknown) => {
    await client.invalidateQueries({ queryKey: ['dispute'] });
    throw error;
  };
  const add = useAct<File>({
    run: async (chosen) => {
      const content = await base64Of(chosen);
      const body: EvidenceFileForm = { field, name: chosen.name, content, was };
      return answered('PUT /disputes/:id/files', { params: { id: dispute.id }, body }).catch(lookAgain);
    },
    said: t('{label} added', { label }),
    quiet: true,
    stale: STALE,
  });
  const remove = useAct({
    run: () => api('DELETE /disputes/:id/files/:field', { params, query: { was } }).catch(lookAgain),
    said: t('{label} removed', { label }),
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
            <span className="muted small">{said(one.help)}</span>
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
              aria-label={t('Download {label}', { label })}
              onClick={() => void download(`/disputes/${dispute.id}/files/${field}`, file.name)}
            >
              {t('Download')}
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
                    aria-label={`${file === null ? t('Add a file') : t('Replace')}: ${label}`}
                  >
                    {file === null ? t('Add a file') : t('Replace')}
                  </Button>
                )}
              </FileButton>
              {file === null ? null : (
                <Button
                  size="xs"
                  variant="default"
                  loading={remove.isPending}
                  aria-label={t('Remove {label}', { label })}
                  onClick={() => remove.mutate()}
                >
                  {t('Remove')}
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

const MOST_FILE = sizeText(MOST_FILE_BYTES);
const PIECE = 0x8000;

async function base64Of(file: File): Promise<string> {
  if (file.size > MOST_FILE_BYTES) throw new Error(t('The file is larger than {size}.', { size: MOST_FILE }));
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE) text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(text);
}
