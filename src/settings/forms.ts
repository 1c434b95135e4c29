// The forms of the values of settings.
import { KEY_TEXT } from '../core/keys/limits.ts';

export type Kind =
  | 'text'
  | 'optional text'
  | 'port'
  | 'optional port'
  | 'count'
  | 'days'
  | 'months'
  | 'pause'
  | 'choice'
  | 'postgres address'
  | 'web address'
  | 'list of simulators'
  | 'key'
  | 'file'
  | 'folder'
  | 'list'
  | 'names';

export type Setting = {
  readonly kind: Kind;
  readonly meaning: string;
  readonly default: string;
  readonly secret?: true;
  readonly choices?: readonly string[];
};

export const row = (kind: Kind, standard: string, meaning: string): Setting => ({ kind, default: standard, meaning });

/** The form of a list: none, one or several values, separated by commas. */
const several = (one: string) => new RegExp(`^(?:${one}(?:\\s*,\\s*${one})*)?$`);

/** The form of a value, by kind. */
export const FORMS: Readonly<Record<Kind, { readonly form: RegExp; readonly says: string }>> = {
  text: { form: /^.+$/, says: 'must not be empty' },
  'optional text': { form: /^.*$/, says: 'must be text' },
  port: {
    form: /^(?:0|[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])$/,
    says: 'must be a port from 0 to 65535',
  },
  'optional port': {
    form: /^(?:|0|[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])$/,
    says: 'must be empty or a port from 0 to 65535',
  },
  count: { form: /^[1-9]\d{0,6}$/, says: 'must be a whole number above 0' },
  days: { form: /^(?:0|[1-9]\d?)$/, says: 'must be a whole number of days from 0 to 99' },
  months: { form: /^(?:|[1-9]\d{0,2})$/, says: 'must be empty or a whole number of months from 1 to 999' },
  pause: { form: /^(?:|\d{1,4})$/, says: 'must be empty or a whole number of milliseconds from 0 to 9999' },
  choice: { form: /^.*$/, says: 'must be one of the choices' },
  'postgres address': {
    form: /^(?:postgres(?:ql)?:\/\/.+)?$/,
    says: 'must look like postgres://user:password@host:5432/database',
  },
  'web address': {
    form: /^(?:https?:\/\/[^/\s?#]+)?$/,
    says: 'must be an origin such as https://pay.example.com, without a path',
  },
  'list of simulators': {
    form: several(String.raw`[a-z0-9_]{1,64}(?:=(?:https?|tcp)://[^/\s?#,]+)?`),
    says: 'must be names of simulators such as stripe, separated by commas; behind a name may stand =http://127.0.0.1:8100',
  },
  key: { form: KEY_TEXT.form_or_none, says: `must be ${KEY_TEXT.says}` },
  file: { form: /^.*$/, says: 'must be a file' },
  folder: { form: /^.*$/, says: 'must be a folder' },
  names: {
    form: several('[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?'),
    says: 'must be names such as florin.internal, without scheme and port, separated by commas',
  },
  list: { form: several(String.raw`[\da-fA-F.:]+`), says: 'must be IP addresses, separated by commas' },
};

/** The promise of a database about a commit (FLORIN_DATABASE_DURABLE). */
export type Durable = 'required' | 'replicated' | 'managed' | 'unchecked';

/** The message if production has this value. */
export const UNCHECKED = 'FLORIN_DATABASE_DURABLE must be required, replicated or managed in production';

export function readDurable(value: string): Durable {
  return value === 'unchecked' || value === 'replicated' || value === 'managed' ? value : 'required';
}

/** Two looks of a proxy that looks each second. */
const STOP_PAUSE_MS = 2000;

export function pauseOf(text: (name: 'FLORIN_STOP_PAUSE_MS' | 'FLORIN_ENVIRONMENT') => string): number {
  const wanted = text('FLORIN_STOP_PAUSE_MS');
  if (wanted !== '') return Number(wanted);
  return text('FLORIN_ENVIRONMENT') === 'production' ? STOP_PAUSE_MS : 0;
}

/** `stripe,adyen=http://127.0.0.1:8100` */
export function simulatorsOf(list: string): ReadonlyMap<string, string> {
  const entries = list.split(',').filter((one) => one.trim() !== '');
  return new Map(
    entries.map((one) => {
      const [name = '', ...url] = one.trim().split('=');
      return [name, url.join('=')] as const;
    }),
  );
}
