// The hosted page drawn with settings that are not saved yet: the same parts, spaces and colours as src/payment/page/view and
// web/page/pay.css have, with made-up order lines. Nothing in it can be pressed.
import type { CSSProperties } from 'react';
import type { Settings } from '../../../../src/backoffice/wire/account.ts';
import { accentOf } from './accent.ts';

type Props = { readonly settings: Settings; readonly account: string; readonly narrow: boolean };

export function Preview({ settings, account, narrow }: Props) {
  const { accent, on_accent } = accentOf(settings.page_colour);
  const style: CSSProperties & Record<`--${string}`, string> = { '--accent-of': accent, '--on-accent-of': on_accent };
  const name = settings.page_name === '' ? account : settings.page_name;
  return (
    <div className="preview-ground" role="img" aria-label={`Preview of the hosted page of ${name}`}>
      <div className={narrow ? 'preview narrow' : 'preview'} style={style} aria-hidden="true">
        <div className="pv-bar">Test page: no money is moved.</div>
        <div className="pv-two">
          <div>
            <div className="pv-merchant">
              {settings.page_logo === '' ? null : <img src={settings.page_logo} alt="" />}
              {name}
            </div>
            <div className="pv-soft">Amount</div>
            <div className="pv-sum">€42.50</div>
            <div className="pv-line">
              <span>Coffee beans × 2</span>
              <span>€37.00</span>
            </div>
            <div className="pv-line">
              <span>Delivery</span>
              <span>€5.50</span>
            </div>
            <div className="pv-soft">Reference: cart-1881</div>
          </div>
          <div className="pv-card">
            <Field label="Card number" text="1234 1234 1234 1234" />
            <div className="pv-pair">
              <Field label="Expiry" text="MM / YY" />
              <Field label="Security code" text="3 digits" />
            </div>
            {settings.display_save ? (
              <div className="pv-save">
                <i /> Save my card for next time
              </div>
            ) : null}
            <div className="pv-go">Pay €42.50</div>
            <div className="pv-leave">Cancel</div>
            <p className="pv-soft">{settings.page_note}</p>
          </div>
        </div>
      </div>
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
