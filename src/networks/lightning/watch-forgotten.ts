// Invoices that were made here and that the database does not know: a backup was restored, and
// their buyers pay all the same. Guarantees: each invoice of the node that bears our mark is looked
// at once a process, some at a time, and as long as it can be paid; what was paid is given until it
// is recorded; what the database knows is never given. Not guaranteed: invoices of another
// installation that works with the same credentials of the same node, which bear the same mark.

import type { ChainId } from '#catalog/chain.ts';
import { listReceiptsByTransaction } from '#chain/receipt.ts';
import type { Reader } from '#db/db.ts';
import { findWatched } from '#deposit/deposit-instruction.ts';
import type { InvoiceFact, LightningBackend } from './lightning-backend.ts';
import type { SettledInvoice } from './settlement-block.ts';

type ForgottenOptions = {
  readonly backend: Pick<LightningBackend, 'listOwn' | 'findInvoice'>;
  readonly db: Reader;
  readonly chain: ChainId;
};

type ForgottenWatch = { look(): Promise<readonly SettledInvoice[]> };

const PAGES_AT_ONCE = 5;
const SEARCHES_AT_ONCE = 20;

export function watchForgotten({ backend, db, chain }: ForgottenOptions): ForgottenWatch {
  /** Where the list of the node goes on; undefined once it has been seen to its end. */
  let from: bigint | undefined = 0n;
  let open = new Set<string>();
  let settled: readonly SettledInvoice[] = [];

  async function list(): Promise<InvoiceFact[]> {
    const facts: InvoiceFact[] = [];
    for (let page = 0; page < PAGES_AT_ONCE && from !== undefined; page += 1) {
      const { facts: more, next, isLast } = await backend.listOwn(from);
      facts.push(...more);
      from = isLast ? undefined : next;
    }
    return facts;
  }

  /** Some of those that may still be paid; who was asked for comes last the next time. */
  async function search(): Promise<InvoiceFact[]> {
    const facts: InvoiceFact[] = [];
    for (const paymentHash of [...open].slice(0, SEARCHES_AT_ONCE)) {
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
