// What a statement adds to the log of a bank: a pure function of the statement and of what the log
// holds. Guarantees: the same booking is taken once, told as often and in as many statements as may
// be; only bookings count; a booking that takes one back is joined with it, whichever of them
// came first, and only where there is exactly one it can mean.
//
// The same booking: the bank's reference and its side. Where one of the two has no reference: side,
// day and amount, and the transactions as far as both show them; as often as one statement has it.

import { createHash } from 'node:crypto';
import { Refusal } from '#base/refusal.ts';
import { FIAT_ISSUER, findAsset } from '#catalog/asset.ts';
import type { KnownEntry, NewEntry, OpenEntry } from './bank-log.ts';
import type { Debit } from './read-departures.ts';
import type { BankEntry, BankTransaction } from './read-entry.ts';
import type { BankStatement } from './read-statement.ts';
import { reasonText } from './status-words.ts';

type LogFacts = {
  readonly height: bigint;
  readonly known: readonly KnownEntry[];
  /** Credits that stand, and reversals that are not joined with a credit yet. */
  readonly credits: readonly OpenEntry[];
  readonly reversals: readonly OpenEntry[];
};

export type EntryDecision = {
  readonly rows: readonly NewEntry[];
  /** Which credit each reversal takes back, by height. */
  readonly undone: readonly { readonly credit: bigint; readonly reversal: bigint }[];
  /** Bookings that were in the log before. */
  readonly knownCount: number;
  /** Not booked yet. */
  readonly pendingCount: number;
  /** In a currency that the ledger has no money of: a person decides. */
  readonly foreignCount: number;
  /** Held back: the bank gives no reference and the statement does not add up. */
  readonly heldCount: number;
};

/** @throws Refusal (conflict, `bank_entry`) when the bank's reference means something else now. */
export function decideEntries(statement: BankStatement, facts: LogFacts): EntryDecision {
  const known = indexOf(facts.known);
  const claimed = new Set<KnownEntry>();
  const rows: NewEntry[] = [];
  const counts = { knownCount: 0, pendingCount: 0, heldCount: 0, foreignCount: 0 };
  const isWhole = addsUp(statement);
  const departures = Map.groupBy(statement.departures, (departure) => departure.entry);
  for (const [number, entry] of statement.entries.entries()) {
    if (entry.status !== 'BOOK') {
      counts.pendingCount += 1;
      continue;
    }
    if (findAsset(`${entry.currency}:${FIAT_ISSUER}`) === undefined) {
      counts.foreignCount += 1;
      continue;
    }
    const draft = entryDraft(statement, entry, known);
    const same = findSame(draft, known, claimed);
    if (same !== undefined) {
      claimed.add(same);
      counts.knownCount += 1;
      continue;
    }
    if (!isWhole && entry.servicerReference === undefined) {
      counts.heldCount += 1;
      continue;
    }
    known.add(draft);
    claimed.add(draft);
    for (const row of rowsOf(draft, entry, departures.get(number) ?? [])) {
      rows.push({ ...row, height: facts.height + BigInt(rows.length) + 1n });
    }
  }
  return { rows, undone: joinReversals(rows, facts), ...counts };
}

type KnownIndex = {
  find(entryKey: string): KnownEntry | undefined;
  alike(fingerprint: string): readonly KnownEntry[];
  add(entry: KnownEntry): void;
};

function indexOf(entries: readonly KnownEntry[]): KnownIndex {
  const byKey = new Map(entries.map((entry) => [entry.entryKey, entry]));
  const byFingerprint = Map.groupBy(entries, ({ fingerprint }) => fingerprint);
  return {
    find: (entryKey) => byKey.get(entryKey),
    alike: (fingerprint) => byFingerprint.get(fingerprint) ?? [],
    add(entry) {
      byKey.set(entry.entryKey, entry);
      const alike = byFingerprint.get(entry.fingerprint);
      if (alike === undefined) byFingerprint.set(entry.fingerprint, [entry]);
      else alike.push(entry);
    },
  };
}

/** The sum of everything booked in the currency of the statement; debits count negative. */
export function bookedUnits({ entries, currency }: BankStatement): bigint {
  return entries
    .filter((entry) => entry.status === 'BOOK' && entry.currency === currency)
    .reduce((sum, { side, units }) => (side === 'CRDT' ? sum + units : sum - units), 0n);
}

function addsUp(statement: BankStatement): boolean {
  const { balances } = statement;
  if (balances === undefined) return true;
  return balances.openingUnits + bookedUnits(statement) === balances.closingUnits;
}

function entryDraft({ account }: BankStatement, entry: BankEntry, known: KnownIndex): KnownEntry {
  const { side, units, currency, bookedOn, servicerReference, hasDetails } = entry;
  const fingerprint = [account, currency, side, bookedOn ?? 'undated', units].join(' ');
  const details = hasDetails ? digestOf(entry.transactions.map(describe).sort()) : '';
  const facts = { entryReference: servicerReference, entryUnits: units, fingerprint, details };
  if (servicerReference !== undefined) {
    const entryKey = `${account} ${currency} ${side} ${servicerReference}`;
    // A bank may give a payment of ours and the charge for it one reference.
    const isOurs = side === 'DBIT' && !takesBack(entry);
    return { ...facts, entryKey: isOurs ? `${entryKey} ${units}` : entryKey };
  }
  const name = `${fingerprint} #${details.slice(0, 16)}`;
  const alike = known.alike(fingerprint);
  const count = alike.filter(({ entryKey }) => entryKey.startsWith(`${name}.`)).length;
  return { ...facts, entryKey: `${name}.${count + 1}` };
}

/** What a bank tells alike in every statement; free text it may tell otherwise the next time. */
function describe({ units, reference, endToEndId }: BankTransaction): string {
  return JSON.stringify([String(units), reference ?? '', endToEndId ?? '']);
}

function findSame(
  draft: KnownEntry,
  known: KnownIndex,
  claimed: ReadonlySet<KnownEntry>,
): KnownEntry | undefined {
  const { entryReference } = draft;
  if (entryReference !== undefined) {
    const same = known.find(draft.entryKey);
    if (same !== undefined && same.entryUnits !== draft.entryUnits) {
      throw new Refusal('conflict', 'bank_entry', [
        `the bank's reference ${entryReference} was another amount before; nothing of the statement was imported`,
      ]);
    }
    if (same !== undefined) return same;
  }
  const alike = known
    .alike(draft.fingerprint)
    .filter(
      (one) =>
        !claimed.has(one) &&
        (entryReference === undefined || one.entryReference === undefined) &&
        (one.details === '' || draft.details === '' || one.details === draft.details),
    );
  // A booking with the same details is preferred to one that is known by its sum only.
  return alike.find(({ details }) => details === draft.details) ?? alike[0];
}

type DraftRow = Omit<NewEntry, 'height'>;

function rowsOf(draft: KnownEntry, entry: BankEntry, departures: readonly Debit[]): DraftRow[] {
  const { side, isReversal, transactions, currency, unusual } = entry;
  if (side === 'DBIT' && !takesBack(entry))
    return departures.map((one) => departureRow(draft, one));
  return transactions.flatMap((transaction, index) => {
    if (transaction.units === 0n) return [];
    // What came back of a payment of ours is no customer's, whatever reference it bears.
    const isBack = side === 'CRDT' && (isReversal || transaction.isReturn);
    const back = departures.find(({ position }) => position === index);
    const remark = isBack && back !== undefined ? backRemark(back) : unusual;
    const { units, endToEndId, servicerReference } = transaction;
    const reference = isBack ? undefined : transaction.reference;
    const kind = side === 'CRDT' ? 'CREDIT' : 'REVERSAL';
    const row = { ...draft, kind, currency, units, reference, endToEndId, remark } as const;
    const name = servicerReference ?? draft.entryReference ?? endToEndId;
    const transferId = isBack ? back?.transferId : undefined;
    return [{ ...row, ...NO_PAYMENT, transferId, ...namedRow(draft, index, name) }];
  });
}

function takesBack({ isReversal, transactions }: BankEntry): boolean {
  return isReversal || transactions.some(({ isReturn }) => isReturn);
}

const NO_PAYMENT = { receiver: undefined, transferId: undefined, chargeUnits: 0n };

function departureRow(draft: KnownEntry, departure: Debit): DraftRow {
  const { kind, currency, units, chargeUnits, endToEndId, transferId, position } = departure;
  const name = departure.entryReference ?? endToEndId;
  return {
    ...draft,
    kind: kind === 'CHARGE' ? 'CHARGE' : 'PAYMENT',
    currency,
    // A charge is one, however the bank divides it.
    ...(kind === 'CHARGE'
      ? { ...NO_PAYMENT, units: units + chargeUnits }
      : { units, chargeUnits, transferId, receiver: departure.counterparty.account }),
    reference: undefined,
    endToEndId,
    remark: departure.unusual,
    ...namedRow(draft, position, name),
  };
}

function namedRow({ entryKey }: KnownEntry, index: number, name: string | undefined) {
  const creditKey = `${entryKey} ${index + 1}`;
  return { creditKey, transaction: name ?? creditKey };
}

function backRemark({ transferId, reason }: Debit): string {
  const what = transferId === undefined ? 'a payment of ours' : `transfer ${transferId}`;
  const why = reason === undefined ? '' : reasonText(reason);
  return [`${what} came back`, ...(why === '' ? [] : [why])].join(': ');
}

function joinReversals(rows: readonly NewEntry[], facts: LogFacts) {
  const ofKind = (kind: NewEntry['kind']) => rows.filter((row) => row.kind === kind);
  const credits: OpenEntry[] = [...facts.credits, ...ofKind('CREDIT')];
  const undone: { credit: bigint; reversal: bigint }[] = [];
  for (const reversal of [...facts.reversals, ...ofKind('REVERSAL')]) {
    const credit = findMeant(credits, reversal);
    if (credit === undefined) continue;
    credits.splice(credits.indexOf(credit), 1);
    undone.push({ credit: credit.height, reversal: reversal.height });
  }
  return undone;
}

/** By the bank's reference, else the payer's, else ours: whichever names exactly one. */
function findMeant(credits: readonly OpenEntry[], reversal: OpenEntry): OpenEntry | undefined {
  const sameUnits = credits.filter(
    ({ units, currency }) => units === reversal.units && currency === reversal.currency,
  );
  for (const name of ['transaction', 'endToEndId', 'reference'] as const) {
    const named = sameUnits.filter(
      (credit) => reversal[name] !== undefined && credit[name] === reversal[name],
    );
    if (named.length === 1) return named[0];
  }
  return undefined;
}

function digestOf(texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\n')).digest('hex');
}
