// Which of the invoices we handed out were settled since. Guarantees: every invoice without a
// receipt is accounted for at each look: it is in the node's list, or it is asked for by its
// payment hash; nothing is taken for settled or forgotten because a list left it out.
// What was found settled is found again until it is recorded, because the database says what is not
// yet paid. Not guaranteed: an end of the first look within one step, on a node with many invoices.
//
// Costs what is open, not what was ever handed out: pages begin at the lowest open invoice.

import type { Clock } from '#base/clock.ts';
import type { ChainId } from '#catalog/chain.ts';
import { listReceiptsByTransaction, type UnpaidDestination } from '#chain/receipt.ts';
import type { Reader } from '#db/db.ts';
import { findWatched } from '#deposit/deposit-instruction.ts';
import { NodeLie } from '#networks/answer-fields.ts';
import type { InvoiceFact, LightningBackend } from './lightning-backend.ts';
import type { SettledInvoice } from './settlement-block.ts';

type InvoiceLook = {
  readonly settled: readonly SettledInvoice[];
  /** Handed out, and still to be looked for after this look; in the order they were given. */
  readonly open: readonly UnpaidDestination[];
  /** False when the list goes on: look again at once. */
  readonly complete: boolean;
};

const PAGES_AT_ONCE = 50;
const SEARCHES_AT_ONCE = 50;
/** An invoice that the node has not known for so long can never be paid. */
const DAYS_UNKNOWN = 7;

export type InvoiceWatch = {
  readonly backend: Pick<LightningBackend, 'listInvoices' | 'findInvoice'>;
  readonly clock: Clock;
  /** The indexes of unpaid invoices that the node has shown: its list must begin at the lowest. */
  indexes: ReadonlyMap<string, bigint>;
  /** Cancelled or expired: unpaid for ever. */
  closed: Set<string>;
  /** Where a list that did not end in one step goes on, and what it has shown so far. */
  resumeAt: bigint | undefined;
  shownBefore: ReadonlySet<string>;
  /** The first index that no list has shown yet. */
  unseenFrom: bigint;
  searchTurn: number;
};

export function watchInvoices(backend: InvoiceWatch['backend'], clock: Clock): InvoiceWatch {
  return {
    backend,
    clock,
    indexes: new Map(),
    closed: new Set(),
    resumeAt: undefined,
    shownBefore: new Set(),
    unseenFrom: 0n,
    searchTurn: 0,
  };
}

export async function lookAtInvoices(
  watch: InvoiceWatch,
  unpaid: readonly UnpaidDestination[],
): Promise<InvoiceLook> {
  const candidates = unpaid.filter(({ destination }) => !watch.closed.has(destination));
  watch.closed = new Set(unpaid.flatMap(({ destination }) => keep(watch.closed, destination)));
  if (candidates.length === 0) return { settled: [], open: [], complete: true };
  const wanted = new Set(candidates.map(({ destination }) => destination));
  const { facts, from, isLast } = await list(watch, wanted);
  const isShown = (hash: string) => facts.has(hash) || watch.shownBefore.has(hash);
  const missing = candidates.filter(({ destination }) => !isShown(destination));
  const listed = [...watch.shownBefore, ...facts.keys()];
  if (isLast) await search(watch, missing, facts);
  const shown = [...facts.values()];
  watch.indexes = new Map(
    [...wanted].flatMap((hash) => {
      const index = facts.get(hash)?.index ?? watch.indexes.get(hash);
      return index === undefined ? [] : [[hash, index] as const];
    }),
  );
  for (const { paymentHash, state } of shown) {
    if (state.kind === 'closed') watch.closed.add(paymentHash);
  }
  if (isLast) watch.unseenFrom = from;
  watch.resumeAt = isLast ? undefined : from;
  watch.shownBefore = new Set(isLast ? [] : listed);
  const settled = shown.filter((fact): fact is SettledInvoice => fact.state.kind === 'settled');
  const paid = new Set(settled.map(({ paymentHash }) => paymentHash));
  return {
    settled,
    open: candidates.filter(
      ({ destination }) => !watch.closed.has(destination) && !paid.has(destination),
    ),
    complete: isLast,
  };
}

async function list(watch: InvoiceWatch, wanted: ReadonlySet<string>) {
  const { backend, indexes, unseenFrom, resumeAt } = watch;
  const facts = new Map<string, InvoiceFact>();
  const known = [...wanted].flatMap((hash) => indexes.get(hash) ?? []);
  const lowest = known.reduce((low, index) => (index < low ? index : low), unseenFrom);
  let from = resumeAt ?? lowest;
  for (let pages = 1; ; pages += 1) {
    const page = await backend.listInvoices(from, wanted);
    for (const fact of page.facts) {
      if (facts.has(fact.paymentHash)) throw new NodeLie('an invoice is listed twice');
      facts.set(fact.paymentHash, fact);
    }
    from = page.next;
    if (page.isLast) return { facts, from, isLast: true };
    if (pages >= PAGES_AT_ONCE) return { facts, from, isLast: false };
  }
}

/** Asks for those that a whole list did not show, some at a time. */
async function search(
  watch: InvoiceWatch,
  missing: readonly UnpaidDestination[],
  facts: Map<string, InvoiceFact>,
) {
  const { backend, clock } = watch;
  const first = missing.length <= SEARCHES_AT_ONCE ? 0 : watch.searchTurn % missing.length;
  watch.searchTurn = first + SEARCHES_AT_ONCE;
  const turn = [...missing.slice(first), ...missing.slice(0, first)].slice(0, SEARCHES_AT_ONCE);
  const forgotten = clock.now().subtract({ hours: 24 * DAYS_UNKNOWN });
  for (const { destination, createdAt } of turn) {
    const fact = await backend.findInvoice(destination);
    if (fact !== undefined) facts.set(destination, fact);
    else if (Temporal.Instant.compare(createdAt, forgotten) < 0) watch.closed.add(destination);
  }
}

function keep(set: ReadonlySet<string>, value: string): string[] {
  return set.has(value) ? [value] : [];
}

// Invoices that were made here and that the database does not know: a backup was restored, and
// their buyers pay all the same. Guarantees: each invoice of the node that bears our mark is looked
// at once a process, some at a time, and as long as it can be paid; what was paid is given until it
// is recorded; what the database knows is never given. Not guaranteed: invoices of another
// installation that works with the same credentials of the same node, which bear the same mark.
type ForgottenOptions = {
  readonly backend: Pick<LightningBackend, 'listOwn' | 'findInvoice'>;
  readonly db: Reader;
  readonly chain: ChainId;
};

type ForgottenWatch = { look(): Promise<readonly SettledInvoice[]> };

const FORGOTTEN_PAGES_AT_ONCE = 5;
const FORGOTTEN_SEARCHES_AT_ONCE = 20;

export function watchForgotten({ backend, db, chain }: ForgottenOptions): ForgottenWatch {
  /** Where the list of the node goes on; undefined once it has been seen to its end. */
  let from: bigint | undefined = 0n;
  let open = new Set<string>();
  let settled: readonly SettledInvoice[] = [];

  async function list(): Promise<InvoiceFact[]> {
    const facts: InvoiceFact[] = [];
    for (let page = 0; page < FORGOTTEN_PAGES_AT_ONCE && from !== undefined; page += 1) {
      const { facts: more, next, isLast } = await backend.listOwn(from);
      facts.push(...more);
      from = isLast ? undefined : next;
    }
    return facts;
  }

  /** Some of those that may still be paid; who was asked for comes last the next time. */
  async function search(): Promise<InvoiceFact[]> {
    const facts: InvoiceFact[] = [];
    for (const paymentHash of [...open].slice(0, FORGOTTEN_SEARCHES_AT_ONCE)) {
      const fact = await backend.findInvoice(paymentHash);
      open.delete(paymentHash);
      if (fact !== undefined) facts.push(fact);
    }
    return facts;
  }

  async function isUnknown(facts: readonly InvoiceFact[]): Promise<InvoiceFact[]> {
    const hashes = facts.map(({ paymentHash }) => paymentHash);
    if (hashes.length === 0) return [];
    const [given, received] = await Promise.all([
      findWatched(db, [chain], hashes),
      listReceiptsByTransaction(db, hashes),
    ]);
    const known = new Set([
      ...given.map(({ destination }) => destination),
      ...received.flatMap((receipt) => (receipt.chain === chain ? [receipt.transaction] : [])),
    ]);
    return facts.filter(({ paymentHash }) => !known.has(paymentHash));
  }

  return {
    async look() {
      const before = from;
      const searched = new Set(open);
      try {
        const facts = await isUnknown([...settled, ...(await list()), ...(await search())]);
        for (const { paymentHash, state } of facts) {
          if (state.kind === 'open') open.add(paymentHash);
        }
        settled = facts.filter((fact): fact is SettledInvoice => fact.state.kind === 'settled');
        return settled;
      } catch (error) {
        // Nothing of this look counts. The next one asks again.
        from = before;
        open = searched;
        throw error;
      }
    },
  };
}
