// What an error of the database proves: that nothing was done; or it proves nothing.
import pg from 'pg';
import { Refusal } from '../../core/refusals.ts';

/**
 * Nothing was done: there was no connection, or the server took back all that was asked because it cannot take it now.
 */
export class DatabaseUnavailable extends Error {}

/** Committed on this server, but on no other: whether it stands after a failover is not known. */
export class Unreplicated extends Error {}

/** The unique constraint or index that refused a statement, or undefined. */
export function violated(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code === '23505' ? error.constraint : undefined;
}

/** A row belongs to one that is not there: nothing was written. */
export function belongsToNothing(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23503';
}

/** A statement gave up waiting for a lock that another one holds: it did nothing. */
export function isLockTimeout(error: unknown): boolean {
  return refusalIn(error)?.code === '55P03';
}

/** A row was for a partition that is not there: nothing was written. */
export function hasNoPartition(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23514' && error.constraint === undefined;
}

/**
 * Runs work after a commit. If the database cannot take that work now, the request was accepted all the same, so the
 * caller must not get the opposite (contract 2.5: 500, the outcome is unknown).
 */
export async function afterCommit<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw behindCommit(error);
  }
}

/** An error behind a commit: one that says that nothing was accepted becomes one that says nothing. */
export function behindCommit(error: unknown): unknown {
  return deniesAll(error) ? new Error(`behind the commit: ${error.message}`, { cause: error }) : error;
}

/** The error says that nothing was accepted. */
export function deniesAll(error: unknown): error is DatabaseUnavailable | Refusal {
  return error instanceof DatabaseUnavailable || (error instanceof Refusal && error.refusal === 'unavailable');
}

/** The connection cannot be used again: the server ended it, or was not there. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return LOST_CODE.test(error.code ?? '');
  return (
    error instanceof Unreplicated ||
    (error instanceof Error && LOST.test(`${'code' in error ? String(error.code) : ''} ${error.message}`))
  );
}

/**
 * 25006 and 40001: the server is a standby now, or was made one. Its connections are of no use, however long they last.
 * 25P03: it has ended one, because this process stood still within a transaction.
 */
const LOST_CODE = /^(?:57P0[1235]|08|53300|25006|25P03|40001)/;

/** How the driver says that its connection ended. */
const ENDED = /^(?:Connection terminated|Client has encountered a connection error)/;

/** What to do about a database that went away while a command was at work; undefined: the error is another one. */
export function databaseProblem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const is_lost = error instanceof pg.DatabaseError ? isConnectionLost(error) : ENDED.test(error.message);
  if (!is_lost && !(error instanceof DatabaseUnavailable) && unlessItGaveUp(error) === error) return undefined;
  return `The database went away, or can take nothing now: ${error.message}\nWhat was done before stays. Whether the last change was made is not known: look when the database is well, then run the command again.`;
}

const LOST =
  /ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|terminated|Connection ended|timeout exceeded when trying to connect|not queryable|Query read timeout/i;

/**
 * Undoes what a connection began or holds. One that has ended has done so by itself, and what ended it is the error
 * that the caller is to see.
 */
export async function undone(statement: Promise<unknown>): Promise<void> {
  await statement.catch((error: unknown) => {
    if (!isConnectionLost(error)) throw error;
  });
}

/**
 * The server's own word that it has no room (53: disk full, out of memory, too many connections), cannot read or write
 * its files (58030), ends (57P01 to 57P05), waited too long for us within a transaction (25P03), or is a standby, which
 * writes nothing (25006) and ends reads that are in the way of what it replays (40001; nothing here is serializable).
 * All of it came before the commit (see `unknownCommit`), so the transaction is rolled back.
 */
const CANNOT_NOW = /^(?:53...|58030|57P0[1-5]|25006|25P03|40001)$/;

/**
 * A DatabaseUnavailable where the error proves that the statement or transaction had no effect; otherwise the error
 * itself.
 */
export function withoutEffect(error: unknown): unknown {
  return unavailableBy(CANNOT_NOW, error);
}

/**
 * A statement gave up: it waited too long for a lock (55P03), waited in a circle (40P01), or took too long (57014). It
 * is rolled back with its transaction, and may succeed the next time.
 */
const GAVE_UP = /^(?:55P03|40P01|57014)$/;

/** The statement took longer than any may. */
export function tookTooLong(error: unknown): boolean {
  return refusalIn(error)?.code === '57014';
}

/** As `withoutEffect`, also where a statement gave up: for connections that many share, and wait for each other on. */
export function unlessItGaveUp(error: unknown): unknown {
  return unavailableBy(GAVE_UP, withoutEffect(error));
}

function unavailableBy(codes: RegExp, error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError) || !codes.test(error.code ?? '')) return error;
  return new DatabaseUnavailable(`the database cannot take it now: ${error.message}`, { cause: error });
}

/**
 * The database takes nothing at the moment, whoever asks, or its connection was lost: that says nothing against what
 * was asked.
 */
export function isAway(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return refusalIn(error) === undefined;
  return isConnectionLost(error);
}

/** What the server has against this very statement, which says nothing of those beside it. */
export function refusalIn(error: unknown): pg.DatabaseError | undefined {
  if (error instanceof pg.DatabaseError) return error;
  const cause = error instanceof DatabaseUnavailable ? error.cause : undefined;
  return cause instanceof pg.DatabaseError && GAVE_UP.test(cause.code ?? '') ? cause : undefined;
}

/**
 * An error that came while the commit was on its way. With the severity ERROR the server has rolled back. If it or the
 * connection ended (FATAL, PANIC), the commit may stand: then this is no error of the statement, and nothing is known.
 */
export function unknownCommit(error: Error): Error {
  if (!(error instanceof pg.DatabaseError) || error.severity === 'ERROR') return error;
  // a severity may be in the language of the server: what the code alone says is not about its end stays as it is
  if (!/^(?:08|53|57P|58|XX)/.test(error.code ?? '')) return error;
  return new Error(`the server terminated the connection during a commit: ${error.message}`, { cause: error });
}
