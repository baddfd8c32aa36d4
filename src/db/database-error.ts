// What went wrong in the database, in the words of the service: a broken constraint is a
// ConstraintViolation, a server that cannot answer is an Outage. Everything else is our own bug and
// passes through untouched.
import pg from 'pg';
import { Outage } from '#base/refusal.ts';

/** A constraint of the schema refused a write; `constraint` is its name in the migrations. */
export class ConstraintViolation extends Error {
  readonly constraint: string;
  /**
   * The SQLSTATE: 23505 unique, 23503 foreign key, 23514 check, 23502 not null, 23P01 exclusion.
   */
  readonly code: string;

  constructor(constraint: string, code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConstraintViolation';
    this.constraint = constraint;
    this.code = code;
  }
}

/** Codes with which the server says that it cannot serve now; 57014 is our statement timeout. */
const OUTAGE_CODES = /^(08...|53...|57P0[1-5]|57014|25P0[34]|25006|58...)$/;
const LOST_MESSAGE =
  /^(Connection terminated|Client has encountered|Client was closed|timeout e|Cannot use a pool)/;

/** What Citus puts behind the names of a table and of its constraints on a worker. */
const NUMBER_OF_SHARD = /_\d{6,}(?=(_append_only)?$)/;

/** SQLSTATE of a server's answer, or the code of a failed system call. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Deadlock or serialization failure: the whole act may simply run again. */
export function isRetryable(error: unknown): boolean {
  const code = errorCode(error);
  return error instanceof pg.DatabaseError && (code === '40001' || code === '40P01');
}

/** True when nobody will answer on this connection any more. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof Outage) return isConnectionLost(error.cause);
  if (error instanceof pg.DatabaseError) {
    return error.severity === 'FATAL' || error.severity === 'PANIC' || /^08/.test(error.code ?? '');
  }
  if (!(error instanceof Error)) return false;
  return /^E[A-Z]+$/.test(errorCode(error) ?? '') || LOST_MESSAGE.test(error.message);
}

/** A failure that is not an Error is wrapped, so that callers can rely on one. */
export function translateError(error: unknown): Error {
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? '';
    if (code.startsWith('23')) {
      const table = error.table?.replace(NUMBER_OF_SHARD, '');
      const constraint = error.constraint ?? `${table}_${error.column}_not_null`;
      const name = constraint.replace(NUMBER_OF_SHARD, '');
      return new ConstraintViolation(name, code, error.message, { cause: error });
    }
    if (OUTAGE_CODES.test(code)) return new Outage('database', { cause: error });
  }
  if (isConnectionLost(error)) return new Outage('database', { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}
