// A node that keeps invoices in pages, and a watch that must account for each.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { UnpaidDestination } from '#chain/receipt.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import type { InvoiceFact } from './lightning-backend.ts';
import { lookAtInvoices, watchInvoices } from './watch-invoices.ts';

const clock = manualClock('2026-01-10T12:00:00Z');
const PAGE = 3;
const settled = {
  kind: 'settled',
  receivedMillisatoshis: 1000n,
  settledAt: clock.now(),
} as const;

class Node {
  facts: InvoiceFact[] = [];
  /** Left out of lists, and found when asked for. */
  omitted = new Set<string>();
  pages = 0;
  searches = 0;

  add(state: InvoiceFact['state'] = { kind: 'open' }): UnpaidDestination {
    const index = BigInt(this.facts.length + 1);
    this.facts.push({ paymentHash: `hash ${index}`, index, state });
    return { destination: `hash ${index}`, createdAt: clock.now() };
  }

  set(hash: string, state: InvoiceFact['state']): void {
    this.facts = this.facts.map((fact) => (fact.paymentHash === hash ? { ...fact, state } : fact));
  }

  async listInvoices(from: bigint, wanted: ReadonlySet<string>) {
    this.pages += 1;
    const list = this.facts.filter(({ index = 0n }) => index >= from);
    const page = list.slice(0, PAGE);
    const shown = page.filter(
      ({ paymentHash: hash }) => wanted.has(hash) && !this.omitted.has(hash),
    );
    const last = page.at(-1)?.index ?? from - 1n;
    return { facts: shown, next: last + 1n, isLast: list.length <= PAGE };
  }

  async findInvoice(hash: string) {
    this.searches += 1;
    return this.facts.find(({ paymentHash }) => paymentHash === hash);
  }
}

const hashes = (list: readonly { readonly paymentHash: string }[]) =>
  list.map(({ paymentHash }) => paymentHash).sort();

test('what is settled is found until it is recorded, what is closed is asked for no more', async () => {
  const node = new Node();
  const [paid, over, open] = [node.add(), node.add(), node.add()];
  const watch = watchInvoices(node, clock);
  assert.deepEqual((await lookAtInvoices(watch, [paid, over, open])).settled, []);
  node.set(paid.destination, settled);
  node.set(over.destination, { kind: 'closed' });
  for (let look = 0; look < 2; look += 1) {
    const seen = await lookAtInvoices(watch, [paid, over, open]);
    assert.deepEqual(hashes(seen.settled), [paid.destination]);
    assert.deepEqual(seen.open, [open]);
  }
  const pages = node.pages;
  assert.deepEqual(await lookAtInvoices(watch, [over]), { settled: [], open: [], complete: true });
  assert.equal(node.pages, pages);
});

test('pages begin at the lowest open invoice', async () => {
  const node = new Node();
  for (let made = 0; made < 30; made += 1) node.add({ kind: 'closed' });
  const open = node.add();
  const watch = watchInvoices(node, clock);
  await lookAtInvoices(watch, [open]);
  assert.equal(node.pages, 11);
  await lookAtInvoices(watch, [open]);
  assert.equal(node.pages, 12);
});

test('a list that does not end in one step goes on where it was', async () => {
  const node = new Node();
  const first = node.add(settled);
  for (let made = 0; made < 60 * PAGE; made += 1) node.add({ kind: 'closed' });
  const [omitted, last] = [node.add(settled), node.add(settled)];
  node.omitted.add(omitted.destination);
  const watch = watchInvoices(node, clock);
  const begun = await lookAtInvoices(watch, [first, omitted, last]);
  assert.deepEqual([hashes(begun.settled), begun.complete], [[first.destination], false]);
  assert.deepEqual([node.pages, node.searches], [50, 0]);
  // The first was recorded in between.
  const ended = await lookAtInvoices(watch, [omitted, last]);
  assert.deepEqual(hashes(ended.settled), [omitted.destination, last.destination].sort());
  assert.deepEqual([ended.complete, node.searches], [true, 1]);
});

test('an invoice that a list leaves out is asked for by its hash', async () => {
  const node = new Node();
  const paid = node.add(settled);
  node.omitted.add(paid.destination);
  const { settled: found } = await lookAtInvoices(watchInvoices(node, clock), [paid]);
  assert.deepEqual(hashes(found), [paid.destination]);
});

test('one that the node does not know is looked for during a week', async () => {
  const node = new Node();
  const watch = watchInvoices(node, clock);
  const createdAt = clock.now().subtract({ hours: 24 * 6 });
  const young = { destination: 'young', createdAt };
  const old = { destination: 'old', createdAt: createdAt.subtract({ hours: 48 }) };
  const { open } = await lookAtInvoices(watch, [old, young]);
  assert.deepEqual(open, [young]);
});

test('however invoices come and end, each payment is found', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('add', 'pay', 'close', 'omit', 'look'), { maxLength: 60 }),
      async (acts) => {
        const node = new Node();
        const watch = watchInvoices(node, clock);
        let unpaid: UnpaidDestination[] = [];
        const found = new Set<string>();
        const look = async () => {
          for (let isDone = false; !isDone; ) {
            const seen = await lookAtInvoices(watch, unpaid);
            for (const { paymentHash } of seen.settled) {
              assert.ok(!found.has(paymentHash), 'found after it was recorded');
              found.add(paymentHash);
            }
            unpaid = unpaid.filter(({ destination }) => !found.has(destination));
            isDone = seen.complete;
          }
        };
        const paid = new Set<string>();
        for (const [turn, act] of acts.entries()) {
          const open = node.facts.filter(({ state }) => state.kind === 'open');
          const chosen = open[turn % Math.max(1, open.length)]?.paymentHash;
          if (act === 'add') unpaid.push(node.add());
          else if (act === 'look') await look();
          else if (chosen !== undefined && act === 'pay') {
            node.set(chosen, settled);
            paid.add(chosen);
          } else if (chosen !== undefined && act === 'close') node.set(chosen, { kind: 'closed' });
          else if (chosen !== undefined) node.omitted.add(chosen);
        }
        await look();
        assert.deepEqual([...found].sort(), [...paid].sort());
      },
    ),
    { numRuns: 200 },
  );
});
