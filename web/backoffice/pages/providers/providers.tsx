// Contracts with providers: the order in which they are tried, for which payments, and whether they are well.
import { Button, Switch } from '@mantine/core';
import { Fragment, useState } from 'react';
import type { Contract, ProviderInfo } from '../../../../src/backoffice/wire/account.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { sentence } from '../../base/format.ts';
import { useSession } from '../../base/session.tsx';
import { plural, t } from '../../base/texts.ts';
import { tell } from '../../base/toast.tsx';
import { useAct } from '../../parts/act.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Asked, Empty, PageHead, Panel } from '../../parts/page.tsx';
import { AskReason } from '../../parts/reason.tsx';
import { CopyButton, Tag } from '../../parts/show.tsx';
import { ContractDialog, NewContract } from './contract.tsx';
import { CredentialsDialog, setText } from './credentials.tsx';
import { Fees, FeesDialog } from './fees.tsx';
import { HoldButton, HoldTag } from './hold.tsx';
import { Strip } from './strip.tsx';
import { canText } from './can-words.ts';

export function ProvidersPage() {
  const asked = useAsk('providers', 'GET /providers', { every_ms: 30_000 });
  const { may } = useSession();
  const [adding, setAdding] = useState(false);
  return (
    <>
      <PageHead
        title={t('Providers')}
        lead={t(
          'A payment goes to the first contract that accepts it. If that provider is down, the next one is tried.',
        )}
        actions={
          may('providers') ? (
            <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
              {t('Add a contract')}
            </Button>
          ) : undefined
        }
      />
      <Asked asked={asked}>
        {({ contracts, providers }) => (
          <div className="stack">
            {contracts.length === 0 ? (
              <Panel>
                <Empty
                  icon="providers"
                  title={t('No contract yet')}
                  text={t('Without one every payment is declined.')}
                />
              </Panel>
            ) : null}
            {contracts
              .toSorted((a, b) => a.priority - b.priority)
              .map((contract) => (
                <OneContract
                  key={contract.id}
                  contract={contract}
                  provider={providers.find(({ name }) => name === contract.provider)}
                />
              ))}
            {adding ? <NewContract providers={providers} close={() => setAdding(false)} /> : null}
          </div>
        )}
      </Asked>
    </>
  );
}

type OneProps = { readonly contract: Contract; readonly provider: ProviderInfo | undefined };

type Opened = 'edit' | 'credentials' | 'fees' | 'switch';

function OneContract({ contract, provider }: OneProps) {
  const [open, setOpen] = useState<Opened>();
  const close = () => setOpen(undefined);
  const { name, enabled } = contract;
  return (
    <Panel
      title={contract.name}
      lead={provider?.display_name ?? sentence(contract.provider)}
      actions={<State contract={contract} provider={provider} />}
    >
      <div className="padded contract">
        <dl className="facts">
          <dt>{t('Priority')}</dt>
          <dd className="num">{contract.priority}</dd>
          <dt>{t('Methods')}</dt>
          <dd>{list(contract.methods)}</dd>
          <dt>{t('Currencies')}</dt>
          <dd>{list(contract.currencies)}</dd>
          <dt>{t('Channels')}</dt>
          <dd>{list(contract.channels)}</dd>
          <dt>{t('Countries')}</dt>
          <dd>{list(contract.countries)}</dd>
          <dt>{t('Authorization validity')}</dt>
          <dd>{plural(contract.authorization_days, '{count} day', '{count} days')}</dd>
          {contract.credentials.map((one) => (
            <Fragment key={one.name}>
              <dt>{sentence(one.name)}</dt>
              <dd>{one.set_at === null ? <span className="muted">{t('Not set')}</span> : setText(one)}</dd>
            </Fragment>
          ))}
          <dt>{t('Fees')}</dt>
          <dd>
            <Fees contract={contract} />
          </dd>
          {contract.messages_to === null ? null : (
            <>
              <dt>{t('Address for messages')}</dt>
              <dd>
                <code className="break">{contract.messages_to}</code>{' '}
                <CopyButton text={contract.messages_to} label={t('Copy the address for messages')} />
              </dd>
            </>
          )}
        </dl>
        <Can provider={provider} />
      </div>
      {provider ? <Strip provider={provider} contract={contract} /> : null}
      <Actions contract={contract} choose={setOpen} />
      {open === 'edit' ? <ContractDialog contract={contract} close={close} /> : null}
      {open === 'credentials' ? <CredentialsDialog contract={contract} close={close} /> : null}
      {open === 'fees' ? <FeesDialog contract={contract} close={close} /> : null}
      {open === 'switch' ? (
        <AskReason
          title={enabled ? t('Turn {name} off', { name }) : t('Turn {name} on', { name })}
          yes={enabled ? t('Turn off') : t('Turn on')}
          danger={contract.enabled}
          run={(reason) =>
            api('PUT /providers/:id', { params: { id: contract.id }, body: { enabled: !contract.enabled, reason } })
          }
          said={enabled ? t('{name} is off', { name }) : t('{name} is on', { name })}
          stale={['providers', 'overview']}
          close={close}
        />
      ) : null}
    </Panel>
  );
}

function State({ contract, provider }: OneProps) {
  return (
    <div className="row">
      {contract.credentials.some(({ required, set_at }) => required && set_at === null) ? (
        <Tag tone="warn">{t('Credentials missing')}</Tag>
      ) : null}
      <HoldTag contract={contract} />
      <Health state={provider?.state ?? 'closed'} />
      {contract.enabled ? null : <Tag>{t('Off')}</Tag>}
    </div>
  );
}

function Health({ state }: { readonly state: string }) {
  if (state === 'open') return <Tag tone="bad">{t('Not responding')}</Tag>;
  return state === 'closed' ? <Tag tone="good">{t('Operational')}</Tag> : <Tag tone="warn">{t('Coming back')}</Tag>;
}

const list = (names: readonly string[]) =>
  names.length === 0 ? <span className="muted">{t('Any')}</span> : names.map(sentence).join(', ');

function Can({ provider }: { readonly provider: ProviderInfo | undefined }) {
  if (!provider) return null;
  return (
    <div>
      <h3>{t('Capabilities')}</h3>
      <ul className="can">
        {Object.entries(provider.can).map(([name, value]) => {
          const cannot = value === false || value === 0;
          return (
            <li key={name} className={cannot ? 'not' : undefined}>
              <Icon name={cannot ? 'close' : 'check'} size={14} />
              <span>
                {canText(name, value)}
                {cannot ? <span className="unseen"> {t('(not supported)')}</span> : null}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const SAID = { answered: t('Answered'), refused: t('Credentials rejected'), silent: t('No response') } as const;

type ActionsProps = { readonly contract: Contract; readonly choose: (what: Opened) => void };

function Actions({ contract, choose }: ActionsProps) {
  const { may } = useSession();
  const test = useAct({
    run: () => api('POST /providers/:id/test', { params: { id: contract.id } }),
    done: ({ outcome, duration_ms, detail }) =>
      tell(
        outcome === 'silent' ? SAID.silent : t('{said} in {ms} ms', { said: SAID[outcome], ms: duration_ms }),
        sentence(detail),
        outcome === 'answered' ? 'good' : 'bad',
      ),
  });
  if (!may('providers'))
    return may('hold') ? (
      <footer>
        <HoldButton contract={contract} />
      </footer>
    ) : null;
  return (
    <footer>
      <Switch label={t('In use')} checked={contract.enabled} onChange={() => choose('switch')} />
      <div className="row">
        <HoldButton contract={contract} />
        <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          {t('Test call')}
        </Button>
        {contract.credentials.length === 0 ? null : (
          <Button size="xs" variant="default" onClick={() => choose('credentials')}>
            {t('Credentials')}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => choose('fees')}>
          {t('Fees')}
        </Button>
        <Button size="xs" variant="default" onClick={() => choose('edit')}>
          {t('Edit')}
        </Button>
      </div>
    </footer>
  );
}
