// Saves the list as a file. It arrives as a stream: the page shows the progress, and a person may stop it; then nothing
// is saved.
import { Button, Modal, Progress, SegmentedControl } from '@mantine/core';
import { useRef, useState } from 'react';
import { refusalOf, send } from '../../base/api.ts';
import { sizeText } from '../../base/format.ts';
import { saveFile } from '../../base/save.ts';
import { plural, t } from '../../base/texts.ts';
import { Notice } from '../../parts/page.tsx';

type Progressing = { readonly rows: number; readonly bytes: number };
type State =
  | { readonly is: 'asked' }
  | { readonly is: 'running'; readonly so_far: Progressing }
  | { readonly is: 'done'; readonly so_far: Progressing }
  | { readonly is: 'failed'; readonly why: string };

type Props = {
  readonly title: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly close: () => void;
};

export function ExportDialog({ title, path, query, close }: Props) {
  const [format, setFormat] = useState<'csv' | 'jsonl'>('csv');
  const [state, setState] = useState<State>({ is: 'asked' });
  const abort = useRef<AbortController>(null);
  const stop = () => {
    abort.current?.abort();
    close();
  };
  const run = () => {
    const controller = new AbortController();
    abort.current = controller;
    setState({ is: 'running', so_far: { rows: 0, bytes: 0 } });
    void exportTo(controller);
  };
  const exportTo = async (controller: AbortController) => {
    const told = (so_far: Progressing) => setState({ is: 'running', so_far });
    try {
      const { blob, so_far } = await fetchFile({ path, query: { ...query, format } }, controller.signal, told);
      saveFile(blob, `florin-${path.split('/')[1]}.${format}`);
      setState({ is: 'done', so_far });
    } catch (error) {
      if (!controller.signal.aborted)
        setState({ is: 'failed', why: error instanceof Error ? error.message : String(error) });
    }
  };
  const running = state.is === 'running';
  return (
    <Modal opened onClose={stop} title={title} closeOnClickOutside={!running}>
      <div className="stack">
        <SegmentedControl
          aria-label={t('Format')}
          data={[
            { value: 'csv', label: t('CSV for spreadsheets') },
            { value: 'jsonl', label: t('JSON lines for programs') },
          ]}
          value={format}
          onChange={(value) => setFormat(value === 'csv' ? 'csv' : 'jsonl')}
          disabled={running}
        />
        <So state={state} />
        <div className="row end">
          <Button variant="default" onClick={stop}>
            {state.is === 'done' ? t('Close') : t('Cancel')}
          </Button>
          {state.is === 'done' ? null : (
            <Button loading={running} onClick={run}>
              {t('Export')}
            </Button>
          )}
        </div>
      </div>
    </Modal>
  );
}

function So({ state }: { readonly state: State }) {
  if (state.is === 'asked') return <p className="muted">{t('Everything that the list shows now, all pages of it.')}</p>;
  if (state.is === 'failed') return <Notice tone="bad">{state.why}</Notice>;
  const { rows, bytes } = state.so_far;
  const size = sizeText(bytes);
  if (state.is === 'done')
    return (
      <Notice tone="good">{plural(rows, '{count} row, {size} saved.', '{count} rows, {size} saved.', { size })}</Notice>
    );
  return (
    <div className="stack tight" role="status">
      <Progress value={100} animated aria-label={t('Exporting')} />
      <span className="muted num">{plural(rows, '{count} row, {size}', '{count} rows, {size}', { size })}</span>
    </div>
  );
}

type ExportRequest = Pick<Props, 'path' | 'query'>;

async function fetchFile({ path, query }: ExportRequest, signal: AbortSignal, told: (so_far: Progressing) => void) {
  const response = await send(path, { query, signal });
  if (!response.ok || !response.body) throw await refusalOf(response);
  const parts: BlobPart[] = [];
  let rows = 0;
  let bytes = 0;
  for await (const part of partsOf(response.body)) {
    parts.push(part);
    bytes += part.length;
    for (const byte of part) if (byte === 10) rows += 1;
    told({ rows, bytes });
  }
  return { blob: new Blob(parts), so_far: { rows, bytes } };
}

/** Reads a stream in browsers that cannot iterate over streams. */
async function* partsOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
