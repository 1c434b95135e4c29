// Where the calls and answers of an order are that florin archive took out of the database.
import { t } from '../base/texts.ts';

/** `file` empty: it is being written. */
export const archivedText = (file: string): string =>
  file === ''
    ? t('Calls and answers of this order are being archived.')
    : t('Calls and answers of this order are in the archive {file}. An operator can put them back.', { file });
