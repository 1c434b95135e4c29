// API keys: they are shown once, rotated with an overlap, or revoked at once.
import { Button, Menu, ActionIcon, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ReasonForm } from '../../../../src/backoffice/wire/session.ts';
import type { ApiKey, Keys, NewKey, RollForm } from '../../../../src/backoffice/wire/account.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { rich } from '../../base/rich.ts';
import { useSession } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { Form, errorsOf, useAct } from '../../parts/act.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Overlap, USUAL_OVERLAP } from '../../parts/overlap.tsx';
import { Asked, Empty, Notice, PageHead, Panel } from '../../parts/page.tsx';
import { AskReason } from '../../parts/reason.tsx';
import { Tag, When } from '../../parts/show.tsx';
import { Table, unseen } from '../../parts/table.tsx';
import { MakeKey, type Making, ShowKey } from './new-key.tsx';
import { ScopesOf, mayHold } from './scopes.tsx';

type Doing = { readonly what: 'new' } | { readonly what: 'roll' | 'revoke'; readonly key: ApiKey };

export function KeysPage() {
  const asked = useAsk('keys', 'GET /keys');
  const { may } = useSession();
  const [doing, setDoing] = useState<Doing>();
  const [made, setMade] = useState<NewKey>();
  const close = () => setDoing(undefined);
  return (
    <>
      <PageHead
        title={t('API keys')}
        lead={t(
          'A private key belongs on your servers alone; it has full access, or only the scopes you give it. A public key may only tokenize, and may stand in a page.',
        )}
        actions={
          may('keys') ? (
            <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setDoing({ what: 'new' })}>
              {t('New key')}
            </Button>
          ) : undefined
        }
      />
      <Asked asked={asked}>
        {({ keys, scopes }) => (
          <div className="stack">
            <InPages keys={keys} />
            <Panel>
              {keys.length === 0 ? (
                <Empty
                  icon="key"
                  title={t('No keys yet')}
                  text={t('Your server needs a private one, your payment page a public one.')}
                />
              ) : (
                <KeyTable keys={keys} scopes={scopes} act={may('keys') ? setDoing : undefined} />
              )}
            </Panel>
          </div>
        )}
      </Asked>
      {doing?.what === 'new' ? <MakeKey made={setMade} close={close} scopes={asked.data?.scopes ?? []} /> : null}
      {doing?.what === 'roll' ? <RollKey of={doing.key} made={setMade} close={close} /> : null}
      {doing?.what === 'revoke' ? (
        <AskReason
          title={t('Revoke {key}', { key: doing.key.label || t('this key') })}
          yes={t('Revoke now')}
          danger
          run={(reason) =>
            api('POST /keys/:id/revoke', { params: { id: doing.key.id }, body: { reason } satisfies ReasonForm })
          }
          said={t('Key revoked')}
          stale={['keys']}
          close={close}
        >
          <Notice tone="warn">{t('Whatever still uses it is refused within a second, with 403.')}</Notice>
        </AskReason>
      ) : null}
      {made ? <ShowKey made={made} close={() => setMade(undefined)} /> : null}
    </>
  );
}

const isInPage = ({ in_page_at, revoked_at }: ApiKey) => in_page_at !== null && revoked_at === null;

/** Warns about private keys in web pages: every visitor can read such a key, and it may do everything. */
function InPages({ keys }: { readonly keys: readonly ApiKey[] }) {
  const found = keys.filter(isInPage);
  if (found.length === 0) return null;
  return (
    <Notice tone="warn" title={t('A private key came from a browser')}>
      {found.map(({ id, label, in_page_at }) => (
        <p key={id}>
          {rich('{key}: last {ago}.', {
            key: label || t('A key without a name'),
            ago: <When at={in_page_at} ago="payments" />,
          })}
        </p>
      ))}
      <p>
        {t(
          'Anyone who opens that page can capture and refund with it. Put a public key there, then rotate the private one.',
        )}
      </p>
    </Notice>
  );
}

function KeyTable({
  keys,
  scopes,
  act,
}: {
  readonly keys: readonly ApiKey[];
  readonly scopes: Keys['scopes'];
  readonly act: ((doing: Doing) => void) | undefined;
}) {
  return (
    <Table columns={[t('Name'), t('Kind'), t('State'), t('Last used'), t('Created [when]'), unseen(t('Actions'))]}>
      {keys.map((key) => (
        <tr key={key.id}>
          <td className="strong">{key.label || <span className="muted">{t('No name')}</span>}</td>
          <td>
            <ScopesOf of={key} />
          </td>
          <td>
            <KeyState of={key} />
          </td>
          <td>
            {key.last_used_at === null ? (
              <span className="muted">{t('Never')}</span>
            ) : (
              <When at={key.last_used_at} ago="payments" />
            )}
          </td>
          <td>
            <When at={key.created_at} />
          </td>
          <td className="right">
            {act && key.revoked_at === null ? <KeyMenu of={key} act={act} roll={mayHold(key, scopes)} /> : null}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function KeyState({ of: key }: { readonly of: ApiKey }) {
  if (key.revoked_at !== null) return <Tag>{t('Revoked')}</Tag>;
  if (isInPage(key)) return <Tag tone="warn">{t('In a page')}</Tag>;
  if (key.ends_at === null) return <Tag tone="good">{t('In use')}</Tag>;
  return (
    <span className="row nowrap">
      <Tag tone="warn">{t('Rotated')}</Tag>
      <span className="muted small">{rich('ends {ago}', { ago: <When at={key.ends_at} ago="payments" /> })}</span>
    </span>
  );
}

type KeyMenuProps = {
  readonly of: ApiKey;
  readonly act: (doing: Doing) => void;
  /** False if the new key could do more than this person may. */
  readonly roll: boolean;
};

function KeyMenu({ of: key, act, roll }: KeyMenuProps) {
  return (
    <Menu width={180}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('Actions for {name}', { name: key.label || key.id })}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<Icon name="refresh" size={16} />}
          disabled={!roll}
          onClick={() => act({ what: 'roll', key })}
        >
          {t('Rotate')}
        </Menu.Item>
        <Menu.Item
          color="red"
          leftSection={<Icon name="close" size={16} />}
          onClick={() => act({ what: 'revoke', key })}
        >
          {t('Revoke')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function RollKey({ of: key, made, close }: Making & { readonly of: ApiKey }) {
  const [hours, setHours] = useState(USUAL_OVERLAP);
  const [reason, setReason] = useState('');
  const act = useAct({
    run: () =>
      api('POST /keys/:id/roll', {
        params: { id: key.id },
        body: { overlap_hours: Number(hours), reason } satisfies RollForm,
      }),
    quiet: true,
    stale: ['keys'],
    done: (rolled: NewKey) => {
      close();
      made(rolled);
    },
  });
  const { at, other } = errorsOf(act.error, ['reason', 'overlap_hours']);
  return (
    <Dialog close={close} title={t('Rotate {key}', { key: key.label || t('this key') })}>
      <Form submit={t('Rotate key')} busy={act.isPending} send={() => act.mutate()} cancel={close} error={other}>
        <p>
          {t(
            'A new key is created. The old one keeps working for the time you choose, so that nothing stops while you replace it.',
          )}
        </p>
        <Overlap
          label={t('The old key works for')}
          none={t('Not at all: stop it now')}
          value={hours}
          change={setHours}
          error={at['overlap_hours']}
        />
        <TextInput
          label={t('Reason')}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={at['reason']}
        />
      </Form>
    </Dialog>
  );
}
