// Draws the hosted page with settings that are not saved yet: with the sides and spaces of src/payment/page/view and
// web/page/pay.css, the same colours (src/core/payer/colours.ts), and made-up order lines. Its buttons do nothing.
import type { CSSProperties } from 'react';
import { themeOf } from '../../../../src/core/payer/colours.ts';
import type { Settings } from '../../../../src/backoffice/wire/account.ts';
import { t } from '../../base/texts.ts';
import { Icon } from '../../parts/icons.tsx';
import { coloursOf } from './colours.ts';

export type Look = { readonly width: 'desk' | 'phone'; readonly screen: 'light' | 'dark' };
type Props = { readonly settings: Settings; readonly account: string; readonly look: Look };

export function Preview({ settings, account, look: { width, screen } }: Props) {
  const theme = themeOf(coloursOf(settings), screen);
  const style: CSSProperties & Record<`--${string}`, string> = {
    '--accent-of': theme.accent,
    '--on-accent-of': theme.on_accent,
    '--panel-of': theme.panel,
    '--panel-ink-of': theme.panel_ink,
    '--panel-soft-of': theme.panel_soft,
    '--panel-edge-of': theme.panel_edge,
  };
  const name = settings.page_name === '' ? account : settings.page_name;
  return (
    <div className="preview-ground" role="img" aria-label={t('Preview of the hosted page of {name}', { name })}>
      <div className={`preview ${width === 'phone' ? 'narrow' : ''} ${screen}`} style={style} aria-hidden="true">
        <MerchantSide settings={settings} name={name} folded={width === 'phone'} />
        <PayerSide settings={settings} name={name} />
      </div>
    </div>
  );
}

const LINES = [
  [t('Coffee beans × 2'), '€37.00'],
  [t('Delivery'), '€5.50'],
] as const;

type Side = { readonly settings: Settings; readonly name: string };

function MerchantSide({ settings, name, folded }: Side & { readonly folded: boolean }) {
  const links = [
    [t('Terms'), settings.page_terms_url],
    [t('Privacy'), settings.page_privacy_url],
    [t('Help'), settings.page_help_url],
  ] as const;
  return (
    <div className="pv-panel">
      <div className="pv-top">
        <div className="pv-merchant">
          <span>‹</span>
          {settings.page_logo === '' ? null : <img src={settings.page_logo} alt="" />}
          <span>{name}</span>
        </div>
        {settings.page_languages.length === 1 ? null : (
          <div className="pv-lang">
            {t('English')} <Icon name="down" size={11} />
          </div>
        )}
      </div>
      <div className="pv-soft">
        {t('Pay {name}', { name })} <span className="pv-test">{t('Test page: no money is moved.')}</span>
      </div>
      <div className="pv-sum">€42.50</div>
      <div className="pv-soft">{t('Reference: cart-1881')}</div>
      {folded ? (
        <div className="pv-fold">
          {t('Order details')} <Icon name="down" size={11} />
        </div>
      ) : null}
      {folded
        ? null
        : LINES.map(([what, price]) => (
            <div className="pv-line" key={what}>
              <span>{what}</span>
              <span>{price}</span>
            </div>
          ))}
      <div className="pv-foot">
        <span>{t('Secured by Florin')}</span>
        <span>{links.map(([text, url]) => (url === '' ? null : <span key={text}> {text} </span>))}</span>
      </div>
    </div>
  );
}

function PayerSide({ settings, name }: Side) {
  return (
    <div className="pv-card">
      <Field label={t('Card number')} text="1234 1234 1234 1234" />
      <div className="pv-pair">
        <Field label={t('Expiry date')} text={t('MM / YY')} />
        <Field label={t('Security code')} text={t('3 digits')} />
      </div>
      {settings.display_save ? (
        <div className="pv-save">
          <i /> {t('Save this card for my next purchases')}
        </div>
      ) : null}
      <div className="pv-go">{t('Pay €42.50')}</div>
      <div className="pv-leave">{t('Cancel')}</div>
      {settings.page_terms_url === '' ? null : (
        <p className="pv-quiet">
          <u>{t('By paying you accept the terms of {name}.', { name })}</u>
        </p>
      )}
      <p className="pv-quiet">{settings.page_note}</p>
    </div>
  );
}

function Field({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div className="pv-field">
      <span>{label}</span>
      <div>{text}</div>
    </div>
  );
}
