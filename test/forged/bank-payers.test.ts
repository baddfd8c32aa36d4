// Whatever a payer can write into the texts of a transfer: the file it stands in is read, and what
// was paid beside it is matched as ever.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { creditorReference } from '#networks/bank/bank-references.ts';
import { readStatements } from '#networks/bank/read-statement.ts';
import {
  type FakeEntry,
  type FakeTransaction,
  statementBytes,
} from '#test/fakes/bank-statement.ts';
import { EUR, openBankWorld } from '#test/fakes/bank-world.ts';
import { byLength } from '#test/support/run-length.ts';

/** What XML can hold, as the bank writes it. */
const written = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.constantFrom('', 'RF', 'NOTPROVIDED', ']]>', '<Ntry>', '&#x0;', '0'.repeat(140), '\u202e'),
  )
  .map((text) =>
    text
      .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
      .replace(/[&<>]/g, (letter) => `&#${letter.charCodeAt(0)};`),
  );

test('nothing a payer can write into a transfer stops the file or the payments beside it', () => {
  const reference = creditorReference(7n);
  fc.assert(
    fc.property(fc.array(written, { maxLength: 5 }), written, written, (lines, id, extra) => {
      const raw = `<AddtlTxInf>${extra}</AddtlTxInf>`;
      const odd = { structured: extra, unstructured: lines, endToEndId: id, raw };
      const entries = [
        { cents: 5n, transactions: [odd] },
        {
          cents: 12n,
          transactions: [
            { cents: 5n, ...odd },
            { cents: 7n, structured: reference },
          ],
        },
      ];
      const [first, second] = readStatements(statementBytes({ entries }))[0]?.entries ?? [];
      assert.deepEqual(
        [first, second].map((entry) => entry?.transactions.map(({ units }) => units)),
        [[5n], [5n, 7n]],
      );
      assert.equal(first?.transactions[0]?.reference, undefined);
      assert.equal(second?.transactions[1]?.reference, reference);
    }),
    { numRuns: 500 },
  );
});

const CENTS = 1990n;
const RUNS = byLength({ short: 4, long: 40 });

/** Who he says that he is, for whom he pays, from where, and what for. */
const parties = fc
  .record({
    name: written,
    lines: fc.array(written, { maxLength: 3 }),
    account: written,
    ultimate: written,
  })
  .map(({ name, lines, account, ultimate }) => {
    const address = lines.map((line) => `<AdrLine>${line}</AdrLine>`).join('');
    const party = `<Pty><Nm>${name}</Nm><PstlAdr>${address}</PstlAdr></Pty>`;
    const held = `<DbtrAcct><Id><Othr><Id>${account}</Id></Othr></Id></DbtrAcct>`;
    return `<Dbtr>${party}</Dbtr>${held}<UltmtDbtr><Pty><Nm>${ultimate}</Nm></Pty></UltmtDbtr>`;
  });
const behind = fc
  .record({ purpose: written, text: written })
  .map(
    ({ purpose, text }) => `<Purp><Prtry>${purpose}</Prtry></Purp><AddtlTxInf>${text}</AddtlTxInf>`,
  );
const transfer = fc.record({
  cents: fc.oneof(fc.constantFrom(1n, CENTS, 10n ** 15n), fc.bigInt(1n, 10n ** 9n)),
  structured: written,
  unstructured: fc.array(written, { maxLength: 4 }),
  endToEndId: written,
  parties,
  raw: behind,
  /** Beside all that, what another customer was asked to write. */
  namesEarlier: fc.boolean(),
});
const schedule = fc.record({
  before: fc.array(transfer, { maxLength: 3 }),
  own: transfer,
  after: fc.array(transfer, { maxLength: 3 }),
  isBatch: fc.boolean(),
});

test('nor does it delay or fake anything in the books', async () => {
  const world = await openBankWorld();
  let [credited, suspended, number] = [0n, 0n, 0];
  let earlier = (await world.open(CENTS)).reference;
  const transactionOf = (
    one: typeof transfer extends fc.Arbitrary<infer Value> ? Value : never,
  ) => {
    const { namesEarlier, ...fields } = one;
    if (namesEarlier) credited += one.cents;
    else suspended += one.cents;
    return namesEarlier ? { ...fields, structured: earlier } : fields;
  };
  const entryOf = (transactions: readonly FakeTransaction[]): FakeEntry => {
    number += 1;
    const cents = transactions.reduce((sum, one) => sum + (one.cents ?? 0n), 0n);
    return { cents, servicerReference: `B-${number}`, transactions };
  };
  try {
    await fc.assert(
      fc.asyncProperty(schedule, async ({ before, own, after, isBatch }) => {
        const { id, reference } = await world.open(CENTS);
        const { namesEarlier: _, ...fields } = own;
        const honest = { ...fields, cents: CENTS, structured: reference };
        const all = [...before.map(transactionOf), honest, ...after.map(transactionOf)];
        credited += CENTS;
        const entries = isBatch ? [entryOf(all)] : all.map((one) => entryOf([one]));
        await world.import({ id: `S-${number}`, entries });
        await world.follow();
        assert.equal((await world.read(id)).state, 'COMPLETED');
        assert.deepEqual(
          [await world.credited(EUR), await world.suspended(EUR)],
          [credited, suspended],
        );
        assert.equal(await world.custody('SEPA', EUR), credited + suspended);
        earlier = reference;
      }),
      { numRuns: RUNS },
    );
    assert.deepEqual(await world.brokenInvariants(), []);
  } finally {
    await world.close();
  }
});
