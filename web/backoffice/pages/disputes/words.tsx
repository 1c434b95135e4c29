// How a dispute stands, in words, and until when it is to be answered.
import type { DisputeRow, DisputeStage } from '../../../../src/backoffice/wire/disputes.ts';
import { agoText } from '../../base/format.ts';
import { Tag, type Tone, When } from '../../parts/show.tsx';

const STAGES: Readonly<Record<DisputeStage, readonly [Tone, string]>> = {
  needs_answer: ['warn', 'Needs an answer'],
  late: ['bad', 'Deadline passed'],
  sending: ['info', 'Sending'],
  answered: ['info', 'With the bank'],
  accepted: ['plain', 'Accepted'],
  won: ['good', 'Won'],
  lost: ['bad', 'Lost'],
};

export function Stage({ stage }: { readonly stage: DisputeStage }) {
  const [tone, word] = STAGES[stage];
  return <Tag tone={tone}>{word}</Tag>;
}

type DueProps = { readonly of: Pick<DisputeRow, 'due_at' | 'due_reckoned' | 'stage'> };

/** The day, and how far it is; nothing once nobody waits for an answer. */
export function Due({ of: { due_at, due_reckoned, stage } }: DueProps) {
  if (due_at === null || (stage !== 'needs_answer' && stage !== 'late')) return <span className="muted">–</span>;
  return (
    <span>
      <When at={due_at} />{' '}
      <span className={stage === 'late' ? 'bad-text' : 'muted'}>
        ({agoText(due_at)}
        {due_reckoned ? ', reckoned' : ''})
      </span>
    </span>
  );
}
