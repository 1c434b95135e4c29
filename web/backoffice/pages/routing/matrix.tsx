// Where payments went: one row for each currency, one column for each scheme, and in each cell the contracts with their
// share and their approval rate.
import type { RoutingCell } from '../../../../src/backoffice/wire/rules/routing.ts';
import { useAsk } from '../../base/ask.ts';
import { countText, percentText, sentence, timeText } from '../../base/format.ts';
import { t } from '../../base/texts.ts';
import { Asked, Empty, Panel } from '../../parts/page.tsx';

export function Matrix() {
  const asked = useAsk('routing-cells', 'GET /routing/cells');
  return (
    <Panel
      title={t('Where payments went')}
      lead={t('The last 30 days: each contract with its share of the attempts, and how many of its own were approved.')}
    >
      <Asked asked={asked}>
        {({ cells, from }) =>
          cells.length === 0 ? (
            <Empty icon="route" title={t('No payments in these days')} />
          ) : (
            <>
              {from !== null && (
                <p className="padded muted">
                  {t('There are many: only those since {time} are counted.', { time: timeText(from) })}
                </p>
              )}
              <Cells cells={cells} />
            </>
          )
        }
      </Asked>
    </Panel>
  );
}

function Cells({ cells }: { readonly cells: readonly RoutingCell[] }) {
  const schemes = [...new Set(cells.map(({ scheme }) => scheme))];
  const currencies = [...new Set(cells.map(({ currency }) => currency))];
  return (
    <div className="table-wrap" tabIndex={0} role="region" aria-label={t('Where payments went')}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('Currency')}</th>
            {schemes.map((scheme) => (
              <th key={scheme} scope="col">
                {sentence(scheme)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {currencies.map((currency) => (
            <tr key={currency}>
              <th scope="row">{currency}</th>
              {schemes.map((scheme) => (
                <td key={scheme}>
                  <One cells={cells.filter((cell) => cell.currency === currency && cell.scheme === scheme)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function One({ cells }: { readonly cells: readonly RoutingCell[] }) {
  const all = cells.reduce((sum, { attempts }) => sum + attempts, 0);
  if (all === 0) return <span className="muted">–</span>;
  return (
    <ul className="lines">
      {cells.map(({ contract, attempts, approved }) => (
        <li key={contract ?? ''}>
          <span className="strong">{contract ?? t('Refused')}</span> {percentText(attempts / all)}{' '}
          <span className="muted">
            {contract === null
              ? countText(attempts)
              : t('{attempts}, {share} approved', {
                  attempts: countText(attempts),
                  share: percentText(approved / attempts),
                })}
          </span>
        </li>
      ))}
    </ul>
  );
}
