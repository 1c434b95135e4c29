// Mails that this sandbox kept and did not send.
import type { KeptMail } from '../../../../src/backoffice/wire/sandbox.ts';
import { useAsk } from '../../base/ask.ts';
import { rich } from '../../base/rich.ts';
import { t } from '../../base/texts.ts';
import { Asked, Panel } from '../../parts/page.tsx';
import { When } from '../../parts/show.tsx';

export function MailboxPanel() {
  const asked = useAsk('mailbox', 'GET /sandbox/mails', { every_ms: 15_000 });
  return (
    <Panel
      title={t('Mailbox')}
      lead={t('What people would get by mail. A sandbox sends none unless a mail server is set.')}
      padded
    >
      <Asked asked={asked} rows={2}>
        {({ sent, mails }) =>
          mails.length === 0 ? (
            <p className="muted">
              {sent
                ? t('A mail server is set: mails go there.')
                : t('Nothing yet. Invite a person on the page Team, or switch on receipts on the page Integration.')}
            </p>
          ) : (
            <div className="stack">
              {mails.map((mail) => (
                <Mail key={mail.id} mail={mail} />
              ))}
            </div>
          )
        }
      </Asked>
    </Panel>
  );
}

function Mail({ mail }: { readonly mail: KeptMail }) {
  const { to, subject, language, paragraphs, facts, link, withheld, why, created_at } = mail;
  return (
    <details className="mail">
      <summary>
        <span className="strong" lang={language} dir="auto">
          {subject}
        </span>{' '}
        <span className="muted small">{rich('to {to}, {at}', { to, at: <When at={created_at} ago="people" /> })}</span>
      </summary>
      <div className="stack tight" lang={language} dir={language === 'ar' ? 'rtl' : 'ltr'}>
        {paragraphs.map((one) => (
          <p key={one}>{one}</p>
        ))}
        {facts.length === 0 ? null : (
          <dl className="facts">
            {facts.map(([name, text]) => [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{text}</dd>])}
          </dl>
        )}
        {link === undefined ? null : (
          <p>
            <a href={link.url}>{link.text}</a>
          </p>
        )}
        <p className="muted small">{why}</p>
      </div>
      {withheld ? <p className="muted">{t('Its link is over, or lets into more than you may give.')}</p> : null}
    </details>
  );
}
