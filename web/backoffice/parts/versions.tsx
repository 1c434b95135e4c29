// What pages of rules have in common that are published in versions, as those of risk and of routing: the draft, what
// publishing it would change, and all versions so far.
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { RollBackForm } from '../../../src/backoffice/wire/rules/versions.ts';
import type { Change } from '../../../src/core/differences.ts';
import { rich } from '../base/rich.ts';
import { useSession } from '../base/session.tsx';
import { plural, t } from '../base/texts.ts';
import { Icon } from './icons.tsx';
import { Empty, Notice, Panel } from './page.tsx';
import { AskReason } from './reason.tsx';
import { Tag, When } from './show.tsx';
import { Heard } from './table.tsx';

type Version = {
  readonly version: number;
  readonly published_at: string | null;
  readonly published_by: string | null;
  readonly note: string | null;
};

type DraftProps = { readonly now: Version; readonly add: () => void; readonly children: ReactNode };

/** The rules of a draft, under the version that is in force. */
export function DraftPanel({ now, add, children }: DraftProps) {
  const { may } = useSession();
  return (
    <Panel
      title={
        now.version === 0 ? t('No rules published yet') : t('Version {version} is active', { version: now.version })
      }
      lead={
        now.published_at === null
          ? undefined
          : rich('Published {at} by {who}', {
              at: <When at={now.published_at} />,
              who: now.published_by ?? t('unknown'),
            })
      }
      actions={
        may('risk') ? (
          <Button size="xs" leftSection={<Icon name="plus" size={15} />} onClick={add}>
            {t('Add a rule')}
          </Button>
        ) : undefined
      }
    >
      {children}
    </Panel>
  );
}

const TONES = { added: 'good', removed: 'bad', changed: 'warn', moved: 'info' } as const;
const WORDS = { added: t('Added'), removed: t('Removed'), changed: t('Changed'), moved: t('Moved') } as const;

type PublishProps = {
  /** The version that the draft was made from. */
  readonly now: Version;
  /** The one that somebody published since. */
  readonly newer: Version | undefined;
  readonly changes: readonly (Change & { readonly text?: string })[];
  readonly discard: () => void;
  readonly publish: (reason: string) => Promise<unknown>;
  readonly stale: readonly string[];
  /** A button beside the others. */
  readonly test?: ReactNode;
  /** What a test of the draft says. */
  readonly children?: ReactNode;
};

export function PublishPanel({ now, newer, changes, discard, publish, stale, test, children }: PublishProps) {
  const [asking, setAsking] = useState(false);
  const client = useQueryClient();
  const run = (reason: string) =>
    publish(reason).catch(async (error: unknown) => {
      // somebody may have published since the page was loaded
      await Promise.all(stale.map((name) => client.invalidateQueries({ queryKey: [name] })));
      throw error;
    });
  return (
    <Panel title={t('What publishing would change')} padded>
      <div className="stack">
        {newer === undefined ? null : (
          <Notice tone="warn" title={t('Version {version} was published meanwhile', { version: newer.version })}>
            <p>
              {t(
                'By {who}. This draft is of version {version} and can no longer be published: note its changes, discard it, and make them in the newest version.',
                { who: newer.published_by ?? t('unknown'), version: now.version },
              )}
            </p>
          </Notice>
        )}
        <ul className="lines">
          {changes.map(({ change, name, text }) => (
            <li key={`${change} ${name}`}>
              <Tag tone={TONES[change]}>{WORDS[change]}</Tag> <span className="strong">{name}</span>{' '}
              {text === undefined ? null : <span className="muted">{text}</span>}
            </li>
          ))}
        </ul>
        {children}
        <div className="row end">
          <Button variant="subtle" color="gray" onClick={discard}>
            {t('Discard draft')}
          </Button>
          {test}
          <Button onClick={() => setAsking(true)}>{t('Publish')}</Button>
        </div>
      </div>
      {asking ? (
        <AskReason
          title={t('Publish version {version}', { version: now.version + 1 })}
          yes={t('Publish')}
          run={run}
          said={t('Rules published')}
          stale={stale}
          close={() => setAsking(false)}
        >
          <p>{t('They apply to every payment within a second. You can roll back.')}</p>
        </AskReason>
      ) : null}
    </Panel>
  );
}

type VersionsProps = {
  /** The newest first, each with the number of its rules. */
  readonly versions: readonly (Version & { readonly rules: number })[];
  readonly rollBack: (form: RollBackForm) => Promise<unknown>;
  readonly stale: readonly string[];
};

export function Versions({ versions, rollBack, stale }: VersionsProps) {
  const { may } = useSession();
  // the version in force as the person saw it when they chose
  const [chosen, choose] = useState<{ readonly back: number; readonly seen: number }>();
  if (versions.length === 0) return <Empty icon="clock" title={t('Nothing published yet')} />;
  return (
    <>
      <table className="table cards">
        <Heard columns={[t('Version'), t('State'), t('Rules'), t('Note'), t('When'), t('Actions')]} />
        <tbody>
          {versions.map(({ version, rules, published_at, published_by, note }, i) => (
            <tr key={version}>
              <td className="strong">{t('Version {version}', { version })}</td>
              <td>{i === 0 ? <Tag tone="good">{t('Active')}</Tag> : null}</td>
              <td className="muted">
                {plural(rules, '{count} rule, by {who}', '{count} rules, by {who}', { who: published_by ?? '–' })}
              </td>
              <td className="muted">{note}</td>
              <td>
                <When at={published_at} />
              </td>
              <td className="right">
                {i > 0 && may('risk') ? (
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => choose({ back: version, seen: versions[0]?.version ?? 0 })}
                  >
                    {t('Roll back')}
                  </Button>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {chosen === undefined ? null : (
        <AskReason
          title={t('Roll back to version {back}', { back: chosen.back })}
          yes={t('Roll back')}
          run={(reason) => rollBack({ version: chosen.back, base_version: chosen.seen, reason })}
          said={t('The rules of version {back} are active again', { back: chosen.back })}
          stale={stale}
          close={() => choose(undefined)}
        >
          <p>{t('Its rules are published as a new version; the history is kept.')}</p>
        </AskReason>
      )}
    </>
  );
}
