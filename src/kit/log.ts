// One line of JSON for each event, on standard error, written without holding up a request. The caller chooses each
// field: no request, body or header is ever passed to the log.
import { openSync } from 'node:fs';
import pino from 'pino';
import { isId } from '../core/ids.ts';
import { openLogFile } from './log-file.ts';
import { countLine } from './metrics/process.ts';

export type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export type Log = {
  debug(fields: Fields, message: string): void;
  info(fields: Fields, message: string): void;
  warn(fields: Fields, message: string): void;
  error(fields: Fields, message: string): void;
};

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const DIGITS = /\d[\d -]{12,}\d/g;

/** Ids that are made here, which people look for in the log: these are never logged as a request named them. */
const OWN_IDS: ReadonlySet<string> = new Set(['request_id', 'order_id', 'operation_id', 'merchant_account_id']);

/**
 * The last net under the rule above: a run of 14 digits or more in a message or field is shown as `#`. One in some 250
 * ids has such a run; our own are shown all the same.
 */
function masked(name: string, value: Fields[string]): Fields[string] {
  if (typeof value !== 'string' || (OWN_IDS.has(name) && isId(value))) return value;
  return value.replace(DIGITS, '#');
}

export function openLog(level: LogLevel, destination: string | 1 | 2 = 2): Log {
  const fd = typeof destination === 'string' ? openSync(destination, 'a') : destination;
  const out = openLogFile(fd, (lines) => log.warn({ lines }, 'the log took nothing for a while: lines were left out'));
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, out);
  const write = (name: 'debug' | 'info' | 'warn' | 'error') => (fields: Fields, message: string) => {
    if (name === 'warn' || name === 'error') countLine(name);
    if (!logger.isLevelEnabled(name)) return;
    logger[name](
      Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, masked(key, value)])),
      message.replace(DIGITS, '#'),
    );
  };
  const log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  return log;
}
