// Why this provider was chosen: for each attempt the rule that decided, the draw, and the contracts that were left out.
import type { OrderDetail } from '../../../../src/backoffice/wire/orders.ts';
import { t } from '../../base/texts.ts';
import { Panel } from '../../parts/page.tsx';
import { Id } from '../../parts/show.tsx';

export function Why({ order: { why } }: { readonly order: Pick<OrderDetail, 'why'> }) {
  return (
    <Panel title={t('Why this provider')} padded>
      {why.map(({ transaction_id, lines }) => (
        <div key={transaction_id}>
          {why.length > 1 ? <Id id={transaction_id} /> : null}
          <ul className="lines">
            {lines.map((line, i) => (
              <li key={line} className={i === 0 ? 'strong' : undefined}>
                {line}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Panel>
  );
}
