// How long things are kept in the whole deployment: the rows, and how they are read. A period that the contract or a
// rule fixes (Idempotency-Keys, counts of risk rules, decline limits) is no setting.
import { join } from 'node:path';
import { type Setting, row } from './forms.ts';

export const RETENTION_SETTINGS = {
  FLORIN_REQUEST_LOG_DAYS: row(
    'days',
    '7',
    'days for which requests, answers and tries of notifications are kept for developers, masked; 0: not at all',
  ),
  FLORIN_REPORT_DAYS: row('count', '30', 'days for which a report can be downloaded after it was made'),
  FLORIN_MAIL_DAYS: row('count', '30', 'days for which mails are kept after they were written'),
  FLORIN_DISPUTE_EVIDENCE_DAYS: row(
    'count',
    '548',
    'days for which texts and files for a dispute are kept after its end: it may come up once more, at the bank or at court',
  ),
  FLORIN_ARCHIVE_AFTER_MONTHS: row(
    'months',
    '',
    'months after which florin archive writes what was seen of payments (every call, answer and message) to files and takes it out of the database; empty: never',
  ),
  FLORIN_ARCHIVE_DIR: row('optional text', '', 'folder for these files; empty: archive in the data folder'),
} as const satisfies Record<string, Setting>;

export type RetentionConfig = ReturnType<typeof retentionSettings>;
type Text = (name: keyof typeof RETENTION_SETTINGS | 'FLORIN_DATA_DIR') => string;

export function retentionSettings(text: Text) {
  const months = text('FLORIN_ARCHIVE_AFTER_MONTHS');
  return {
    /** 0: no request is kept. */
    request_log_days: Number(text('FLORIN_REQUEST_LOG_DAYS')),
    report_days: Number(text('FLORIN_REPORT_DAYS')),
    mail_days: Number(text('FLORIN_MAIL_DAYS')),
    dispute_evidence_days: Number(text('FLORIN_DISPUTE_EVIDENCE_DAYS')),
    /** Undefined: nothing is archived. */
    archive_after_months: months === '' ? undefined : Number(months),
    archive_dir: text('FLORIN_ARCHIVE_DIR') || join(text('FLORIN_DATA_DIR'), 'archive'),
  } as const;
}
