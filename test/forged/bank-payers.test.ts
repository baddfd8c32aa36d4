// Whatever a payer can write into the texts of a transfer: the file it stands in is read, and what
// was paid beside it is matched as ever.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { creditorReference } from '#networks/bank/creditor-reference.ts';
import { readStatements } from '#networks/bank/read-statement.ts';
import { statementBytes } from '#test/fakes/bank-statement.ts';

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
