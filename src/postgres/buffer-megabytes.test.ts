import assert from 'node:assert/strict';
import { totalmem } from 'node:os';
import { test } from 'node:test';
import { bufferMegabytes, memoryBytes } from './buffer-megabytes.ts';

test('an eighth of the memory, and not less than 128 MB nor more than 2 GB', () => {
  const gigabytes = [0, 0.5, 1, 2, 8, 16, 64];
  assert.deepEqual(
    gigabytes.map((size) => bufferMegabytes(size * 2 ** 30)),
    [128, 128, 128, 256, 1_024, 2_048, 2_048],
  );
});

test('memory is what the machine has, or less where a container is limited', () => {
  assert.ok(memoryBytes() > 2 ** 27, `${memoryBytes()}`);
  assert.ok(memoryBytes() <= totalmem());
});
