// What the hosted page looks like: its settings, and beside them the page as a payer will see it, while one types.
import {
  Button,
  ColorInput,
  FileButton,
  MultiSelect,
  SegmentedControl,
  Switch,
  TextInput,
  Textarea,
} from '@mantine/core';
import { useState } from 'react';
import { tellError } from '../../base/toast.tsx';
import { Panel } from '../../parts/page.tsx';
import type { Editing } from './integration.tsx';
import { Preview } from './preview.tsx';

const MAX_LOGO = 40_000;

type Props = { readonly editing: Editing; readonly account: string; readonly languages: readonly string[] };

export function HostedPage({ editing, account, languages }: Props) {
  const [width, setWidth] = useState<'desk' | 'phone'>('desk');
  return (
    <Panel
      title="Hosted page"
      lead="The page payers see when a checkout has type hosted_page."
      actions={
        <SegmentedControl
          aria-label="Width of the preview"
          data={[
            { value: 'desk', label: 'Desktop' },
            { value: 'phone', label: 'Phone' },
          ]}
          value={width}
          onChange={(value) => setWidth(value === 'phone' ? 'phone' : 'desk')}
        />
      }
    >
      <div className="hosted">
        <Fields editing={editing} account={account} languages={languages} />
        <Preview settings={editing.draft} account={account} narrow={width === 'phone'} />
      </div>
    </Panel>
  );
}

function Fields({ editing, account, languages }: Props) {
  const { draft, set, errors, may } = editing;
  return (
    <div className="stack padded">
      <TextInput
        label="Name"
        description="Empty: the name of the account."
        placeholder={account}
        maxLength={60}
        disabled={!may}
        value={draft.page_name}
        onChange={(event) => set({ page_name: event.currentTarget.value })}
        error={errors['page_name']}
      />
      <ColorInput
        label="Colour"
        description="Of the button. It is made darker or lighter until it can be read."
        format="hex"
        withEyeDropper={false}
        disabled={!may}
        value={draft.page_colour}
        onChange={(page_colour) => set({ page_colour })}
        error={errors['page_colour']}
        popoverProps={{ withinPortal: true }}
      />
      <Logo editing={editing} />
      <Textarea
        label="Note under the form"
        description="Such as where to ask."
        maxLength={300}
        rows={2}
        disabled={!may}
        value={draft.page_note}
        onChange={(event) => set({ page_note: event.currentTarget.value })}
        error={errors['page_note']}
      />
      <MultiSelect
        label="Languages"
        description="Each payer sees the one their checkout or browser asks for, or else the first. Empty: all of them."
        placeholder={draft.page_languages.length === 0 ? 'All' : ''}
        disabled={!may}
        data={languages.map((value) => ({ value, label: languageText(value) }))}
        value={[...draft.page_languages]}
        onChange={(page_languages) => set({ page_languages })}
        error={errors['page_languages']}
      />
      <Switch
        label="Offer to save the card"
        description="Payers with a customer_id may keep their card for next time."
        disabled={!may}
        checked={draft.display_save}
        onChange={(event) => set({ display_save: event.currentTarget.checked })}
      />
    </div>
  );
}

const names = new Intl.DisplayNames(undefined, { type: 'language' });

const languageText = (code: string) => names.of(code) ?? code;

function Logo({ editing: { draft, set, errors, may } }: { readonly editing: Editing }) {
  const take = (file: File | null) => {
    if (!file) return;
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      const text = typeof reader.result === 'string' ? reader.result : '';
      if (text.length > MAX_LOGO) tellError('The picture is too large', new Error('At most 29 KB: make it smaller.'));
      else set({ page_logo: text });
    });
    reader.readAsDataURL(file);
  };
  return (
    <div className="stack tight">
      <span className="label">Logo</span>
      <div className="row">
        {draft.page_logo === '' ? null : <img className="logo" src={draft.page_logo} alt="The logo" />}
        <FileButton accept="image/png,image/jpeg,image/svg+xml" onChange={take} disabled={!may}>
          {(props) => (
            <Button {...props} variant="default" size="xs">
              Choose a picture
            </Button>
          )}
        </FileButton>
        {draft.page_logo === '' ? null : (
          <Button variant="subtle" color="gray" size="xs" disabled={!may} onClick={() => set({ page_logo: '' })}>
            Remove
          </Button>
        )}
      </div>
      {errors['page_logo'] === undefined ? null : <span className="field-error">{errors['page_logo']}</span>}
    </div>
  );
}
