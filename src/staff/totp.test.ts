import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base32 } from '@scure/base';
import { stepOfCode } from './totp.ts';

/** RFC 6238, appendix B, SHA-1, cut to six digits. */
const SEED = base32.encode(new TextEncoder().encode('12345678901234567890'));
for (const [seconds, code] of [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
] as const) {
  test(`the code of RFC 6238 at ${seconds} s is ${code}`, () => {
    const at = Temporal.Instant.fromEpochMilliseconds(seconds * 1000);
    assert.equal(stepOfCode(SEED, code, at), BigInt(Math.floor(seconds / 30)));
    assert.equal(
      stepOfCode(SEED, ` ${code.slice(0, 3)} ${code.slice(3)} `, at) !== undefined,
      true,
    );
    const step = { seconds: 30 };
    assert.notEqual(stepOfCode(SEED, code, at.add(step)), undefined);
    assert.notEqual(stepOfCode(SEED, code, at.subtract(step)), undefined);
    assert.equal(stepOfCode(SEED, code, at.add({ seconds: 90 })), undefined);
  });
}

test('what is no code of six digits is none', () => {
  const at = Temporal.Instant.fromEpochMilliseconds(59_000);
  for (const typed of ['', '28708', '2870822', 'abcdef', '２８７０８２']) {
    assert.equal(stepOfCode(SEED, typed, at), undefined, typed);
  }
});
