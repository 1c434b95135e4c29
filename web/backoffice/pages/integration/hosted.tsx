// The look of the hosted page: its settings, and beside them the page as a payer will see it, while a person types.
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
import { PAGE_LENGTH } from '../../../../src/core/account-limits.ts';
import type { Settings } from '../../../../src/backoffice/wire/account.ts';
import { useSession } from '../../base/session.tsx';
import { sizeText } from '../../base/format.ts';
import { LOCALE, t } from '../../base/texts.ts';
import { tellError } from '../../base/toast.tsx';
import { Panel } from '../../parts/page.tsx';
import type { Editing } from './integration.tsx';
import { unreadableText } from './colours.ts';
import { type Look, Preview } from './preview.tsx';

/** Of a file in whole KiB: its data: address is a third longer. */
const MOST_LOGO_BYTES = Math.floor((PAGE_LENGTH.logo * 3) / 4 / 1024) * 1024;

type Props = { readonly editing: Editing; readonly account: string; readonly languages: Settings['page_languages'] };

export function HostedPage({ editing, account, languages }: Props) {
  const [look, setLook] = useState<Look>({ width: 'desk', screen: 'light' });
  return (
    <Panel
      title={t('Hosted page')}
      lead={t('The page payers see when a checkout has type hosted_page.')}
      actions={
        <div className="row">
          <SegmentedControl
            aria-label={t('Width of the preview')}
            data={[
              { value: 'desk', label: t('Desktop') },
              { value: 'phone', label: t('Phone') },
            ]}
            value={look.width}
            onChange={(value) => setLook({ ...look, width: value === 'phone' ? 'phone' : 'desk' })}
          />
          <SegmentedControl
            aria-label={t('Screen of the preview')}
            data={[
              { value: 'light', label: t('Light') },
              { value: 'dark', label: t('Dark') },
            ]}
            value={look.screen}
            onChange={(value) => setLook({ ...look, screen: value === 'dark' ? 'dark' : 'light' })}
          />
        </div>
      }
    >
      <div className="hosted">
        <Fields editing={editing} account={account} languages={languages} />
        <Preview settings={editing.draft} account={account} look={look} />
      </div>
    </Panel>
  );
}

function Fields({ editing, account, languages }: Props) {
  const { draft, set, errors, may } = editing;
  const sandbox = useSession().state.environment === 'sandbox';
  return (
    <div className="stack padded">
      <TextInput
        label={t('Name')}
        description={t('Empty: the name of the account.')}
        placeholder={account}
        maxLength={PAGE_LENGTH.name}
        disabled={!may}
        value={draft.page_name}
        onChange={(event) => set({ page_name: event.currentTarget.value })}
        error={errors['page_name']}
      />
      <ColorInput
        label={t('Colour')}
        description={t('Of the button. It is made darker or lighter until it can be read.')}
        format="hex"
        withEyeDropper={false}
        disabled={!may}
        value={draft.page_colour}
        onChange={(page_colour) => set({ page_colour })}
        error={errors['page_colour']}
        popoverProps={{ withinPortal: true }}
      />
      <ColorInput
        label={t('Your side')}
        description={t('The ground behind your name, the amount and the order. Empty: made of the colour above.')}
        format="hex"
        withEyeDropper={false}
        disabled={!may}
        value={draft.page_panel_colour}
        onChange={(page_panel_colour) => set({ page_panel_colour })}
        error={errors['page_panel_colour']}
        popoverProps={{ withinPortal: true }}
      />
      <ColorInput
        label={t('Text on it')}
        description={t('Empty: black or white, whichever can be read better.')}
        format="hex"
        withEyeDropper={false}
        disabled={!may}
        value={draft.page_panel_text}
        onChange={(page_panel_text) => set({ page_panel_text })}
        error={errors['page_panel_text'] ?? unreadableText(draft)}
        popoverProps={{ withinPortal: true }}
      />
      <Logo editing={editing} />
      <Textarea
        label={t('Note under the form')}
        description={t('Such as where to ask.')}
        maxLength={PAGE_LENGTH.note}
        rows={2}
        disabled={!may}
        value={draft.page_note}
        onChange={(event) => set({ page_note: event.currentTarget.value })}
        error={errors['page_note']}
      />
      <Links editing={editing} />
      <MultiSelect
        label={t('Languages')}
        description={t(
          'Each payer sees the one their checkout or browser asks for, or else the first. Empty: all of them.',
        )}
        placeholder={draft.page_languages.length === 0 ? t('All [languages]') : ''}
        disabled={!may}
        data={languages.map((value) => ({ value, label: languageText(value) }))}
        value={[...draft.page_languages]}
        onChange={(page_languages) => set({ page_languages })}
        error={errors['page_languages']}
      />
      <MultiSelect
        label={t('Wallets')}
        description={
          sandbox
            ? t('A simulated sheet, whose payload the vault opens as it opens a real one.')
            : t('Each is shown once the operator has set up this account for it.')
        }
        disabled={!may}
        data={[
          { value: 'google_pay', label: t('Google Pay') },
          { value: 'apple_pay', label: t('Apple Pay') },
        ]}
        value={[...draft.page_wallets]}
        onChange={(page_wallets) => set({ page_wallets })}
        error={errors['page_wallets']}
      />
      <Switch
        label={t('Offer to save the card')}
        description={t('Payers with a customer_id may keep their card for next time.')}
        disabled={!may}
        checked={draft.display_save}
        onChange={(event) => set({ display_save: event.currentTarget.checked })}
      />
    </div>
  );
}

const LINKS = [
  { name: 'page_terms_url', label: t('Terms'), description: t('Linked at the foot and above the pay button’s note.') },
  { name: 'page_privacy_url', label: t('Privacy'), description: t('Linked at the foot.') },
  {
    name: 'page_help_url',
    label: t('Help'),
    description: t('https, mailto: or tel:. Linked at the foot and on every end.'),
  },
  { name: 'page_shop_url', label: t('Shop'), description: t('The way back where a checkout names no return address.') },
] as const;

function Links({ editing: { draft, set, errors, may } }: { readonly editing: Editing }) {
  return LINKS.map(({ name, label, description }) => (
    <TextInput
      key={name}
      label={t('{label} link', { label })}
      description={description}
      placeholder="https://"
      maxLength={PAGE_LENGTH.link}
      disabled={!may}
      value={draft[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value.trim() })}
      error={errors[name]}
    />
  ));
}

const names = new Intl.DisplayNames(LOCALE, { type: 'language' });

const languageText = (code: string) => names.of(code) ?? code;

function Logo({ editing: { draft, set, errors, may } }: { readonly editing: Editing }) {
  const take = (file: File | null) => {
    if (!file) return;
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      const text = typeof reader.result === 'string' ? reader.result : '';
      if (text.length > PAGE_LENGTH.logo)
        tellError(
          t('The picture is too large'),
          new Error(t('At most {size}: make it smaller.', { size: sizeText(MOST_LOGO_BYTES) })),
        );
      else set({ page_logo: text });
    });
    reader.readAsDataURL(file);
  };
  return (
    <div className="stack tight">
      <span className="label">{t('Logo')}</span>
      <div className="row">
        {draft.page_logo === '' ? null : <img className="logo" src={draft.page_logo} alt={t('The logo')} />}
        <FileButton accept="image/png,image/jpeg,image/svg+xml" onChange={take} disabled={!may}>
          {(props) => (
            <Button {...props} variant="default" size="xs">
              {t('Choose a picture')}
            </Button>
          )}
        </FileButton>
        {draft.page_logo === '' ? null : (
          <Button variant="subtle" color="gray" size="xs" disabled={!may} onClick={() => set({ page_logo: '' })}>
            {t('Remove')}
          </Button>
        )}
      </div>
      {errors['page_logo'] === undefined ? null : <span className="field-error">{errors['page_logo']}</span>}
    </div>
  );
}
