// The state of a dispute in words, and the day until which it can be answered.
import type { DisputeRow, DisputeStage } from '../../../../src/backoffice/wire/disputes.ts';
import { agoText } from '../../base/format.ts';
import { rich } from '../../base/rich.ts';
import { t } from '../../base/texts.ts';
import { Money, Tag, type Tone, When } from '../../parts/show.tsx';

const STAGES: Readonly<Record<DisputeStage, readonly [Tone, string]>> = {
  needs_answer: ['warn', t('Needs an answer')],
  late: ['bad', t('Deadline passed')],
  sending: ['info', t('Sending')],
  answered: ['info', t('With the bank')],
  accepted: ['plain', t('Accepted')],
  won: ['good', t('Won')],
  lost: ['bad', t('Lost')],
};

export function Stage({ stage }: { readonly stage: DisputeStage }) {
  const [tone, word] = STAGES[stage];
  return <Tag tone={tone}>{word}</Tag>;
}

type DueProps = { readonly of: Pick<DisputeRow, 'due_at' | 'due_reckoned' | 'stage'> };

/** The due day, and how far away it is; nothing if no answer is expected any more. */
export function Due({ of: { due_at, due_reckoned, stage } }: DueProps) {
  if (due_at === null || (stage !== 'needs_answer' && stage !== 'late')) return <span className="muted">–</span>;
  return (
    <span>
      <When at={due_at} />{' '}
      <span className={stage === 'late' ? 'bad-text nowrap' : 'muted nowrap'}>
        ({due_reckoned ? t('{ago}, estimated', { ago: agoText(due_at) }) : agoText(due_at)})
      </span>
    </span>
  );
}

/** What went back to the payer beyond what was captured; nothing if nothing did. */
export function BackTwice({ minor, currency }: { readonly minor: number; readonly currency: string }) {
  if (minor === 0) return null;
  return (
    <p>
      {rich(
        '{amount} more went back to the payer than was captured: a refund or another dispute took the same money. Say so where you answer the dispute.',
        { amount: <Money minor={minor} currency={currency} /> },
      )}
    </p>
  );
}
