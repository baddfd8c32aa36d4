// Whether the statements of a bank hang together: each adds up, and each begins where the one
// before ended. A pure function of what was imported; one that comes later may make it whole.

import type { StatementBalances } from './bank-statement.ts';
import { amountToFixedText } from './fixed-amount.ts';

/** A sentence for the operator; undefined when nothing is missing. In the order of import. */
export function findBalanceFault(statements: readonly StatementBalances[]): string | undefined {
  const ofAccount = Map.groupBy(statements, ({ account, currency }) => `${account} ${currency}`);
  for (const all of ofAccount.values()) {
    const fault = faultOf(inOrder(all));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** A statement that was sent again replaces the one before, unless only that one adds up. */
function inOrder(statements: readonly StatementBalances[]): StatementBalances[] {
  const byId = new Map<string, StatementBalances>();
  for (const statement of statements) {
    const before = byId.get(statement.statementId);
    if (before === undefined || addsUp(statement) || !addsUp(before)) {
      byId.set(statement.statementId, statement);
    }
  }
  return [...byId.values()].sort(
    (one, other) =>
      compare(one.closingOn, other.closingOn) ||
      compare(one.sequence ?? 0n, other.sequence ?? 0n) ||
      compare(one.statementId, other.statementId),
  );
}

function faultOf(statements: readonly StatementBalances[]): string | undefined {
  let before: StatementBalances | undefined;
  for (const statement of statements) {
    const { statementId, openingUnits, closingUnits, bookedUnits, closingOn } = statement;
    if (!addsUp(statement)) {
      const shown = text(openingUnits + bookedUnits, statement);
      return `statement ${statementId} of ${closingOn} ends with ${text(closingUnits, statement)}, its entries with ${shown}`;
    }
    if (before !== undefined && before.closingUnits !== openingUnits) {
      return `a statement is missing: ${before.statementId} ends with ${text(before.closingUnits, before)}, ${statementId} of ${closingOn} begins with ${text(openingUnits, statement)}`;
    }
    before = statement;
  }
  return undefined;
}

function addsUp({ openingUnits, bookedUnits, closingUnits }: StatementBalances): boolean {
  return openingUnits + bookedUnits === closingUnits;
}

function text(units: bigint, { currency }: StatementBalances): string {
  const sign = units < 0n ? '-' : '';
  return `${sign}${amountToFixedText(units < 0n ? -units : units)} ${currency}`;
}

function compare<Value extends string | bigint>(one: Value, other: Value): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
