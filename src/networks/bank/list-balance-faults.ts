// Whether the statements of a bank hang together: each adds up, and each begins where the one
// before ended. A pure function of what was imported; one that comes later may make it whole.

import type { BrakeCause } from '#deposit/network.ts';
import type { StatementBalances } from './bank-statement.ts';
import { amountToFixedText } from './payment-codes.ts';

/** Each place where they do not; none when nothing is missing. In the order of import. */
export function listBalanceFaults(statements: readonly StatementBalances[]): BrakeCause[] {
  const ofAccount = Map.groupBy(statements, ({ account, currency }) => `${account} ${currency}`);
  return [...ofAccount.values()].flatMap((all) => faultsOf(inOrder(all)));
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
  const sorted = [...byId.values()].sort(
    (one, other) =>
      compare(one.closingOn, other.closingOn) ||
      compare(one.sequence ?? 0n, other.sequence ?? 0n) ||
      compare(one.statementId, other.statementId),
  );
  const alike = Map.groupBy(sorted, ({ closingOn, sequence }) => `${closingOn} ${sequence ?? ''}`);
  const ordered: StatementBalances[] = [];
  for (const group of alike.values()) {
    ordered.push(...inChain(group, ordered.at(-1)?.closingUnits));
  }
  return ordered;
}

/**
 * Those of one day that no number puts in order, each behind one that ends where it begins (an
 * Eulerian trail, by Hierholzer). Where one is missing, what follows it begins anew.
 */
function inChain(
  group: readonly StatementBalances[],
  endedWith: bigint | undefined,
): readonly StatementBalances[] {
  const ordered: StatementBalances[] = [];
  let left = group;
  for (let any = left[0]; any !== undefined; any = left[0]) {
    const at = ordered.at(-1)?.closingUnits ?? endedWith;
    const begin = left.find(({ openingUnits }) => openingUnits === at) ?? beginOf(left) ?? any;
    ordered.push(...trailFrom(begin.openingUnits, left));
    left = left.filter((one) => !ordered.includes(one));
  }
  return ordered;
}

function trailFrom(start: bigint, all: readonly StatementBalances[]): StatementBalances[] {
  const left = Map.groupBy(all, ({ openingUnits }) => openingUnits);
  const trail: StatementBalances[] = [];
  const walk = (from: bigint) => {
    for (let next = left.get(from)?.shift(); next; next = left.get(from)?.shift()) {
      walk(next.closingUnits);
      trail.unshift(next);
    }
  };
  walk(start);
  return trail;
}

/** One where more of them begin than end. */
function beginOf(all: readonly StatementBalances[]): StatementBalances | undefined {
  return all.find(({ openingUnits: at }) => {
    const begun = all.filter(({ openingUnits }) => openingUnits === at);
    return begun.length > all.filter(({ closingUnits }) => closingUnits === at).length;
  });
}

function faultsOf(statements: readonly StatementBalances[]): BrakeCause[] {
  const faults: BrakeCause[] = [];
  let before: StatementBalances | undefined;
  for (const statement of statements) {
    const { statementId, openingUnits, closingUnits, bookedUnits, closingOn } = statement;
    if (!addsUp(statement)) {
      const shown = text(openingUnits + bookedUnits, statement);
      const reason = `statement ${statementId} of ${closingOn} ends with ${text(closingUnits, statement)}, its entries with ${shown}`;
      faults.push({ kind: 'wrong-statement', what: nameOf(statement), degree: 1, reason });
    }
    if (before !== undefined && before.closingUnits !== openingUnits) {
      const reason = `a statement is missing: ${before.statementId} ends with ${text(before.closingUnits, before)}, ${statementId} of ${closingOn} begins with ${text(openingUnits, statement)}`;
      const what = [nameOf(before), before.closingUnits, nameOf(statement), openingUnits].join(' ');
      faults.push({ kind: 'missing-statement', what, degree: 1, reason });
    }
    before = statement;
  }
  return faults;
}

function nameOf({ account, currency, statementId }: StatementBalances): string {
  return [account, currency, statementId].join(' ');
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
