// One request with its answer, or one try of a notification.
import type { LoggedRequest, RequestPage } from '../../../../src/backoffice/wire/requests.ts';
import { countText } from '../../base/format.ts';
import { laidOut } from '../../base/json-text.ts';
import { Link } from '../../base/router.tsx';
import { t } from '../../base/texts.ts';
import { Id, When } from '../../parts/show.tsx';

type Props = { readonly row: LoggedRequest; readonly keys: RequestPage['keys'] };

export function OneRequest({ row, keys }: Props) {
  const label = keys.find(({ id }) => id === row.key_id)?.label ?? '';
  return (
    <div className="stack">
      <dl className="facts">
        <dt>{row.kind === 'notification' ? t('Notification') : t('Request id')}</dt>
        <dd>
          <Id id={row.id} whole />
        </dd>
        <dt>{t('When')}</dt>
        <dd>
          <When at={row.at} seconds />, {countText(row.duration_ms)} ms
        </dd>
        <dt>{t('Status')}</dt>
        <dd>
          {row.status ?? t('No answer')} {row.code ?? ''}
        </dd>
        {row.key_id === null ? null : (
          <>
            <dt>{t('API key')}</dt>
            <dd>
              {label} <Id id={row.key_id} whole />
            </dd>
          </>
        )}
        {row.order_id === null ? null : (
          <>
            <dt>{t('Order')}</dt>
            <dd>
              <Link to={`/orders/${row.order_id}`}>{row.order_id}</Link>
            </dd>
          </>
        )}
      </dl>
      <Text title={t('Headers')} text={row.headers} />
      <Text title={t('Request')} text={row.request} />
      <Text title={t('Answer')} text={row.answer} />
    </div>
  );
}

function Text({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <section>
      <h3>{title}</h3>
      <pre className="json" tabIndex={0} aria-label={title}>
        {laidOut(text)}
      </pre>
    </section>
  );
}
