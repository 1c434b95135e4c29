// The history of an order, oldest first: its statuses, each exchange with a provider, and the actions of people.
import type { TimelineEntry } from '../../../../src/backoffice/wire/orders.ts';
import { sentence } from '../../base/format.ts';
import { laidOut } from '../../base/json-text.ts';
import { said, t } from '../../base/texts.ts';
import { Icon, type IconName } from '../../parts/icons.tsx';
import { Money, When, statusText } from '../../parts/show.tsx';
import type { Step } from './story.ts';

type Props = { readonly steps: readonly Step[]; readonly currency: string };

export function Timeline({ steps, currency }: Props) {
  return (
    <ol className="timeline">
      {steps.map((step, i) => (
        <Entry key={`${step.entry.at} ${i}`} step={step} currency={currency} />
      ))}
    </ol>
  );
}

const ICONS: Readonly<Record<TimelineEntry['kind'], IconName>> = { event: 'check', call: 'send', person: 'team' };

/** Events about an order's money that do not change its status. */
const NEWS: Readonly<Record<string, string>> = {
  'dispute.opened': t('Charged back: the payer opened a dispute'),
  'dispute.lost': t('Dispute lost'),
  'dispute.won': t('Dispute won: the money came back'),
  'order.contradicted': t('The provider contradicts what is recorded here'),
  'order.retries_ended': t('Later tries ended'),
};

function titleText(title: string): string {
  return NEWS[title] ?? (/^[a-z]+(?:_[a-z]+)+$/.test(title) ? statusText(title) : sentence(title));
}

function toneOf({ kind, title, code }: TimelineEntry): string {
  if (kind === 'person') return 'person';
  if (kind === 'call') return 'call';
  if (Object.hasOwn(NEWS, title))
    return title === 'dispute.won' ? 'good' : title === 'order.retries_ended' ? 'plain' : 'bad';
  if (/declined|expired/.test(title)) return 'bad';
  if (/requested/.test(title)) return 'open';
  return code?.startsWith('9') || /successful/.test(title) ? 'good' : 'plain';
}

/** The API gives the titles of provider calls. */
function Title({ of: { kind, title } }: { readonly of: TimelineEntry }) {
  return <span {...(kind === 'call' ? { lang: 'en' } : {})}>{titleText(title)}</span>;
}

function Entry({ step: { entry, calls }, currency }: { readonly step: Step; readonly currency: string }) {
  const tone = toneOf(entry);
  const icon = tone === 'bad' ? 'close' : tone === 'open' ? 'clock' : ICONS[entry.kind];
  return (
    <li className={tone}>
      <span className="mark">
        <Icon name={icon} size={13} />
      </span>
      <div className="what">
        <div className="row apart">
          <span className="strong">
            <Title of={entry} />
            {entry.amount_minor === null ? null : (
              <span className="of">
                <Money minor={entry.amount_minor} currency={currency} />
              </span>
            )}
          </span>
          <span className="muted small">
            <When at={entry.at} seconds />
          </span>
        </div>
        <Details entry={entry} />
        <Said entry={entry} />
        {calls.length === 0 ? null : <Calls calls={calls} />}
      </div>
    </li>
  );
}

/** The calls that led to an entry. */
function Calls({ calls }: { readonly calls: readonly TimelineEntry[] }) {
  return (
    <details>
      <summary>
        {calls.length === 1 ? t('Provider call') : t('Provider calls ({count})', { count: calls.length })}
      </summary>
      <ol className="calls">
        {calls.map((call, i) => (
          <li key={`${call.at} ${i}`}>
            <div className="row apart">
              <Title of={call} />
              <span className="muted small">
                <When at={call.at} seconds />
              </span>
            </div>
            <Details entry={call} />
            <Said entry={call} />
          </li>
        ))}
      </ol>
    </details>
  );
}

/** One call to a provider: request and answer, side by side if there is room, and what was read from them. */
function Said({ entry: { request, answer, http_status, read } }: { readonly entry: TimelineEntry }) {
  const papers = [
    request === null ? undefined : { title: t('Request'), text: JSON.stringify(request, null, 2) },
    answer === null
      ? undefined
      : { title: t('Response, HTTP {http_status}', { http_status: http_status ?? '–' }), text: laidOut(answer) },
    read === null ? undefined : { title: t('Interpreted as'), text: JSON.stringify(read, null, 2) },
  ].filter((paper) => paper !== undefined);
  if (papers.length === 0) return null;
  return (
    <details>
      <summary>{answer === null && read === null ? t('Request') : t('Request and response')}</summary>
      {answer === null && http_status !== null ? (
        <p className="muted small">
          {t('The response was HTTP {http_status} with the same body as the one before.', { http_status })}
        </p>
      ) : null}
      <div className="papers">
        {papers.map(({ title, text }) => (
          <figure key={title}>
            <figcaption className="muted small">{title}</figcaption>
            <pre className="json" tabIndex={0} aria-label={title}>
              {text === '' ? t('Empty response') : text}
            </pre>
          </figure>
        ))}
      </div>
    </details>
  );
}

function Details({ entry }: { readonly entry: TimelineEntry }) {
  const { code, code_text, who, why, provider, provider_code, http_status, request_id } = entry;
  const parts = [
    who === null ? undefined : t('by {who}', { who }),
    provider === null ? undefined : sentence(provider),
    provider_code === null ? undefined : t('provider code {provider_code}', { provider_code }),
    http_status === null ? undefined : `HTTP ${http_status}`,
    request_id === null ? undefined : t('request {request_id}', { request_id }),
  ].filter((part) => part !== undefined);
  return (
    <>
      {code === null ? null : (
        <div>
          <code>{code}</code> {said(code_text ?? '')}
        </div>
      )}
      {why === null ? null : <div lang="en">{why}</div>}
      {parts.length === 0 ? null : <div className="muted small break">{parts.join(' · ')}</div>}
    </>
  );
}
