// What an account was agreed to hold: kept only once the step is recorded, stored when it changed or
// grew old, and forgotten where the database knows less.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Agreed, keepAgreed } from './agreed-state.ts';

const recorded = (height: bigint) => ({ height, hash: `ledger ${height}` });

function open(found?: Agreed<string>) {
  const saved: Agreed<string>[] = [];
  let finds = 0;
  const state = keepAgreed<string>({
    async find() {
      finds += 1;
      return found;
    },
    async save(agreed) {
      saved.push(agreed);
    },
    isSame: (one, other) => one === other,
  });
  return { state, saved, finds: () => finds };
}

test('what was stored is read once', async () => {
  const stored = { ledger: 5n, held: 'five' };
  const { state, finds } = open(stored);
  assert.deepEqual(await state.at(recorded(7n)), stored);
  assert.deepEqual(await state.at(recorded(8n)), stored);
  assert.equal(finds(), 1);
});

test('what a step found counts when the step is recorded, and is nothing when it is not', async () => {
  const { state, saved } = open();
  state.propose({ ledger: 9n, held: 'lost' });
  assert.equal(await state.at(recorded(8n)), undefined);
  assert.equal(await state.at(recorded(9n)), undefined, 'the step was taken again');
  state.propose({ ledger: 9n, held: 'nine' });
  assert.deepEqual(await state.at(recorded(9n)), { ledger: 9n, held: 'nine' });
  assert.deepEqual(saved, [{ ledger: 9n, held: 'nine' }]);
});

test('it is stored when it changed, and once in a while when it did not', async () => {
  const { state, saved } = open({ ledger: 100n, held: 'same' });
  for (const [ledger, held] of [
    [101n, 'same'],
    [299n, 'same'],
    [300n, 'same'],
    [301n, 'other'],
  ] as const) {
    await state.at(recorded(ledger - 1n));
    state.propose({ ledger, held });
    assert.deepEqual(await state.at(recorded(ledger)), { ledger, held });
  }
  assert.deepEqual(
    saved.map(({ ledger }) => ledger),
    [300n, 301n],
  );
});

test('a database that was set back knows less than was agreed on', async () => {
  const { state } = open({ ledger: 50n, held: 'later' });
  assert.equal(await state.at(recorded(49n)), undefined);
});
