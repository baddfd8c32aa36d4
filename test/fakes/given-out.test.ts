// What is given out is written outside the database first; what cannot be written is given to nobody.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { Outage } from '#base/refusal.ts';
import { sql } from '#db/db.ts';
import { type BankWorld, EUR, openBankWorld } from './bank-world.ts';

let world: BankWorld;
let path: string;

before(async () => {
  world = await openBankWorld();
  path = join(dirname(world.app.config.keyFile), 'given-out.log');
});
after(() => world?.close());

async function countInstructions(): Promise<bigint> {
  const [row] = await world.app.db.query<{ count: bigint }>(
    sql`select count(*) as count from deposit_instruction`,
  );
  return row?.count ?? 0n;
}

test('each index stands in the record when it is shown', async () => {
  for (let count = 0; count < 3; count += 1) {
    const { instruction } = await world.createAndCommit('SEPA', EUR, 1990n);
    const [line = ''] = readFileSync(path, 'utf8').trim().split('\n').slice(-1);
    const kept = JSON.parse(line) as { source: string; next: string };
    assert.match(kept.source, /^live:SEPA references of DE/);
    assert.equal(kept.next, `${(instruction.sourceIndex ?? 0n) + 1n}`);
  }
});

test('while the record cannot be written nothing is given out, and afterwards it is', async () => {
  const given = await countInstructions();
  rmSync(path);
  mkdirSync(path);
  await assert.rejects(world.createAndCommit('SEPA', EUR, 1990n), Outage);
  assert.equal(await countInstructions(), given);
  rmSync(path, { recursive: true });
  await world.createAndCommit('SEPA', EUR, 1990n);
  assert.equal(await countInstructions(), given + 1n);
});
