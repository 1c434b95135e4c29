// The planned later tries of an order. It shows nothing once they have ended: the timeline tells that.
import type { OrderDetail } from '../../../../src/backoffice/wire/orders.ts';
import { useSession } from '../../base/session.tsx';
import { rich } from '../../base/rich.ts';
import { t } from '../../base/texts.ts';
import { Notice } from '../../parts/page.tsx';
import { When } from '../../parts/show.tsx';
import { Stop } from '../retries/stop.tsx';
import { causeText, triesText } from '../retries/words.ts';

export function LaterTries({ order }: { readonly order: OrderDetail }) {
  const { may } = useSession();
  const { retry } = order;
  if (!retry) return null;
  const { next_at, cause, tries, most } = retry;
  return (
    <div className="below-head">
      <Notice title={next_at === null ? t('A later try is under way') : t('This payment is tried again later')}>
        <div className="row apart">
          <span>
            {next_at === null ? null : <>{rich('Next try {when}.', { when: <When at={next_at} /> })} </>}
            {causeText(cause)} · {t('{made} of {tries} made', { made: tries, tries: triesText(most) })}
          </span>
          {next_at !== null && may('money') ? <Stop order_id={order.id} reference={order.order_merchant_id} /> : null}
        </div>
      </Notice>
    </div>
  );
}
