// Everything that happened to our account between two ledgers, proven whole. Guarantees: the
// transactions lead, by the thread of the account's entry and by its balance, from where it was
// last agreed on to where it is at the end, so none is missing, added or changed; what came in is
// read from what was signed, which has the hash that the thread names.

import { assert } from '#base/assert.ts';
import type { Agreed } from '#networks/agreed-state.ts';
import { requireThat } from '#networks/answer-fields.ts';
import { decideXrpDeparture, type XrpDeparture } from './decide-departure.ts';
import { decideIncome, riseOf, type XrpIncome } from './decide-income.ts';
import { type ListedRange, listChanges, listSigned } from './list-transactions.ts';
import {
  type AccountPoint,
  type AccountRoot,
  type AskedAccount,
  isSameLink,
  isSamePoint,
} from './read-account-root.ts';
import { type AccountChange, applyChange } from './read-change.ts';
import type { LedgerHeader } from './read-header.ts';
import type { XrplServer } from './xrpl-server.ts';

export type IncomeQuestion = AskedAccount & {
  readonly server: XrplServer;
  readonly what: string;
  readonly accountId: Buffer;
  /** Where the account was last agreed on. */
  readonly start: Agreed<AccountPoint>;
  /** The last ledger recorded. */
  readonly recorded: bigint;
  /** Which of these transactions of recorded ledgers were recorded with their ledger. */
  readonly findRecorded: (transactions: readonly string[]) => Promise<ReadonlySet<string>>;
  /** In order; the last is where it ends. */
  readonly headers: readonly LedgerHeader[];
  /** The account at the end of the last ledger. */
  readonly state: Promise<AccountRoot>;
};

type Proven = {
  readonly incomes: readonly XrpIncome[];
  readonly departures: readonly XrpDeparture[];
};

/**
 * What came and what left. Of ledgers that are recorded already it comes first: a server hid it
 * when it was asked, and it was recorded by nobody; what left may be among it although it was
 * recorded, and recording it again writes no more than its ledger anew. @throws NodeLie, Outage
 */
export async function proveIncomes(question: IncomeQuestion): Promise<Proven> {
  const { start, headers } = question;
  const tip = headers.at(-1);
  assert(tip !== undefined && start.ledger < tip.height, 'a step ends above where it begins');
  const range = { ...question, from: start.ledger + 1n, upTo: tip.height };
  const [listed, state] = await Promise.all([listChanges(range), question.state]);
  const changes = await withHidden(range, start, listed, state);
  const end = changes.reduce(applyChange, start.held);
  requireThat(
    isSamePoint(end, state.point),
    `the account holds ${state.point.drops} drops, its history says ${end.drops}`,
  );
  requireSameLedgers(changes, headers);
  const risen = await newRises(question, changes);
  const fallen = changes.filter((change) => riseOf(change) < 0n);
  return decideAll({ risen, fallen }, range, question.accountId);
}

/** What made the balance rise and was recorded by nobody yet. */
async function newRises(
  { recorded, findRecorded }: IncomeQuestion,
  changes: readonly AccountChange[],
): Promise<AccountChange[]> {
  const risen = changes.filter((change) => riseOf(change) > 0n);
  const before = risen.filter(({ ledger }) => ledger <= recorded).map(({ hash }) => hash);
  const known = before.length === 0 ? new Set() : await findRecorded(before);
  return risen.filter(({ hash }) => !known.has(hash));
}

/**
 * Everything since the transaction that was last agreed on, where the thread shows that something
 * happened between it and the end of that ledger which nobody told then.
 */
async function withHidden(
  range: ListedRange,
  { held: { last } }: Agreed<AccountPoint>,
  listed: readonly AccountChange[],
  { point }: AccountRoot,
): Promise<readonly AccountChange[]> {
  const [first] = listed;
  const found = first === undefined ? point.last : first.before.last;
  if (last === undefined || isSameLink(found, last)) return listed;
  const all = await listChanges({ ...range, from: last.ledger });
  return all.slice(1 + all.findIndex(({ hash }) => hash === last.transaction));
}

type Moved = {
  readonly risen: readonly AccountChange[];
  readonly fallen: readonly AccountChange[];
};

async function decideAll(
  { risen, fallen }: Moved,
  range: ListedRange,
  accountId: Buffer,
): Promise<Proven> {
  const ledgers = [...risen, ...fallen].map(({ ledger }) => ledger).sort(compareLedgers);
  const [from, upTo] = [ledgers[0], ledgers.at(-1)];
  if (from === undefined || upTo === undefined) return { incomes: [], departures: [] };
  const signed = await listSigned({ ...range, from, upTo });
  const incomes = risen.map((one) => decideIncome(one, signed.get(one.hash), accountId));
  const departures = fallen.map((one) => decideXrpDeparture(one, signed.get(one.hash), accountId));
  return {
    incomes: incomes.filter((one) => one !== undefined),
    departures: departures.filter((one) => one !== undefined),
  };
}

function compareLedgers(one: bigint, other: bigint): number {
  return Number(one - other);
}

function requireSameLedgers(
  changes: readonly AccountChange[],
  headers: readonly LedgerHeader[],
): void {
  const hashes = new Map(headers.map(({ height, hash }) => [height, hash]));
  for (const { hash, ledger, ledgerHash } of changes) {
    const expected = hashes.get(ledger);
    requireThat(expected === undefined || expected === ledgerHash, `${hash} is of a fork`);
  }
}
