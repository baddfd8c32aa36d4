// What counts as growth, and what does not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideFlat, type Sample } from './decide-flat.ts';

const MB = 1_048_576;
const HOUR = 3_600;

/** A sample each five seconds; `resident` and `heap` in megabytes at each moment. */
function samplesOf(
  seconds: number,
  of: (atSeconds: number) => { readonly resident: number; readonly heap: number; fds?: number },
): Sample[] {
  return Array.from({ length: seconds / 5 }, (_, index) => {
    const atSeconds = index * 5;
    const { resident, heap, fds = 40 } = of(atSeconds);
    return { atSeconds, residentBytes: resident * MB, heapBytes: heap * MB, descriptors: fds };
  });
}

/** A heap rises until it is collected. */
const teeth = (atSeconds: number) => 60 + (atSeconds % 100) / 4;

const faultsOf = (samples: readonly Sample[], atRest = 40) =>
  decideFlat('serve 1', samples, atRest)?.faults;

test('a heap that is collected again and again is flat', () => {
  assert.deepEqual(faultsOf(samplesOf(HOUR, (at) => ({ resident: 200, heap: teeth(at) }))), []);
});

test('what fills in the first quarter is no growth', () => {
  const rising = (at: number) => ({ resident: 100 + Math.min(at, 900) / 6, heap: 60 });
  assert.deepEqual(faultsOf(samplesOf(HOUR, rising)), []);
});

test('an hour that leaves a megabyte each minute has grown, whatever the teeth of its heap', () => {
  const leaking = (at: number) => ({ resident: 200 + at / 60, heap: teeth(at) + at / 60 });
  const faults = faultsOf(samplesOf(HOUR, leaking)) ?? [];
  assert.equal(faults.length, 2);
  assert.match(faults[0] ?? '', /^memory of serve 1 grew by 4\d\.\d MB, allowed are 3\d\.\d$/);
  assert.match(faults[1] ?? '', /^heap of serve 1 grew by/);
});

test('in a minute a heap may find its size, and a gross leak is still seen', () => {
  const by = (perSecond: number) =>
    faultsOf(samplesOf(60, (at) => ({ resident: 150 + at * perSecond, heap: 50 })));
  assert.deepEqual(by(0.5), []);
  assert.equal(by(4)?.length, 1);
});

test('a few high samples say nothing', () => {
  const spiky = (at: number) => ({ resident: at % 500 === 0 ? 900 : 200, heap: 60 });
  assert.deepEqual(faultsOf(samplesOf(HOUR, spiky)), []);
});

test('memory that is given back and taken again is flat, however long it was away before', () => {
  const away = (at: number) => at < 2_200 && at % 100 < 50;
  const breathing = (at: number) => ({ resident: away(at) ? 180 : 280, heap: 60 });
  assert.deepEqual(faultsOf(samplesOf(HOUR, breathing)), []);
  const leaking = (at: number) => ({ resident: (away(at) ? 180 : 280) + at / 40, heap: 60 });
  assert.equal(faultsOf(samplesOf(HOUR, leaking))?.length, 1);
});

test('descriptors that stay open when nobody asks any more are told', () => {
  const steady = samplesOf(HOUR, () => ({ resident: 200, heap: 60, fds: 60 }));
  assert.deepEqual(faultsOf(steady, 84), []);
  assert.deepEqual(faultsOf(steady, 85), ['serve 1 had 60 descriptors and has 85']);
});

test('connections of customers who wait at a slow end are no leak', () => {
  const crowded = (at: number) => ({ resident: 200, heap: 60, fds: 40 + Math.floor(at / 60) });
  assert.deepEqual(faultsOf(samplesOf(HOUR, crowded), 40), []);
});

test('a process of which nothing was heard has no verdict', () => {
  assert.equal(decideFlat('serve 1', [], 40), undefined);
});
