import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SANDBOX_WORDS, sandboxStepsOf } from './sandbox-steps.ts';

test('each word makes a test payer act, and no live one', () => {
  for (const [word, steps] of Object.entries(SANDBOX_WORDS)) {
    const meta = JSON.stringify({ order: 1, sandbox: word });
    assert.deepEqual(sandboxStepsOf('test', meta), steps, word);
    assert.ok(steps.length > 0, word);
    assert.deepEqual(sandboxStepsOf('live', meta), [], word);
  }
});

test('what is no such word is the own data of the shop', () => {
  const others = ['{}', '{"sandbox":true}', '{"sandbox":"constructor"}', '{"sandbox":["paid"]}'];
  for (const meta of [undefined, ...others, '{"sandbox":"PAID"}', '{"other":"paid"}']) {
    assert.deepEqual(sandboxStepsOf('test', meta), [], String(meta));
  }
});
