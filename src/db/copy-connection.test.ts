import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openTestDatabase } from '#test/support/test-database.ts';
import { openCopyConnection } from './copy-connection.ts';

const ROWS = 30_000;

test('what is taken slowly is what the server sent, however far the driver has read ahead', async () => {
  const { connection, close } = await openTestDatabase({ unsafeFast: true });
  const copy = await openCopyConnection(connection);
  try {
    const expected = createHash('sha256');
    const line = (row: number) => `${row} ${'abcdefghij'.repeat(20 + (row % 40))}\n`;
    for (let row = 1; row <= ROWS; row += 1) expected.update(line(row));
    const found = createHash('sha256');
    const rows = copy.copyOut(`copy (
      select n || ' ' || repeat('abcdefghij', 20 + n % 40) from generate_series(1, ${ROWS}) n
    ) to stdout`);
    for await (const chunk of rows) {
      // As long as a disk or a storage far away: more arrives meanwhile.
      await wait(2);
      found.update(chunk);
    }
    assert.equal(found.digest('hex'), expected.digest('hex'));
  } finally {
    await copy.close();
    await close();
  }
});
