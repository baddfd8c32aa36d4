import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBatch } from './batch.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

function gatedBatch(options: { most?: number; atOnce?: number } = {}) {
  const batches: number[][] = [];
  const gates: (() => void)[] = [];
  const call = createBatch<number, number>({
    most: options.most ?? 100,
    atOnce: options.atOnce ?? 1,
    async run(inputs) {
      batches.push([...inputs]);
      await new Promise<void>((open) => gates.push(open));
      if (inputs.includes(13) && inputs.length > 1) throw new Error('the whole batch');
      if (inputs.includes(13)) throw new Error('thirteen');
      return inputs.map((input) => input * 10);
    },
  });
  const open = async () => {
    gates.shift()?.();
    await turn();
  };
  return { call, batches, open };
}

test('what arrives in the same turn goes together, each with its own outcome', async () => {
  const { call, batches, open } = gatedBatch();
  const outputs = Promise.all([call(1), call(2), call(3)]);
  await open();
  await open();
  assert.deepEqual(await outputs, [10, 20, 30]);
  assert.deepEqual(batches, [[1, 2, 3]]);
});

test('a call made while a batch is under way is served by a later one', async () => {
  const { call, batches, open } = gatedBatch();
  const first = call(1);
  await open();
  const later = Promise.all([call(2), call(3)]);
  await open();
  assert.equal(await first, 10);
  await open();
  assert.deepEqual(await later, [20, 30]);
  assert.deepEqual(batches, [[1], [2, 3]]);
});

test('what waits is under way before the callers of the batch before go on', async () => {
  const order: string[] = [];
  let open: () => void = () => undefined;
  const call = createBatch<number, number>({
    most: 100,
    atOnce: 1,
    async run(inputs) {
      order.push(`asked ${inputs}`);
      // A statement leaves some turns after it was made.
      process.nextTick(() => order.push(`${inputs} left`));
      await new Promise<void>((resolve) => {
        open = resolve;
      });
      return [...inputs];
    },
  });
  const first = call(1).then(() => order.push('1 goes on'));
  await turn();
  const second = call(2).then(() => order.push('2 goes on'));
  open();
  await first;
  open();
  await second;
  assert.deepEqual(order, ['asked 1', '1 left', 'asked 2', '2 left', '1 goes on', '2 goes on']);
});

test('a batch holds no more than it may', async () => {
  const { call, batches, open } = gatedBatch({ most: 2 });
  const all = Promise.all([1, 2, 3, 4, 5].map((input) => call(input)));
  for (let opened = 0; opened < 4; opened += 1) await open();
  await all;
  assert.deepEqual(
    batches.map(({ length }) => length),
    [2, 2, 1],
  );
});

test('one bad input fails alone', async () => {
  const { call, open } = gatedBatch();
  const settled = Promise.allSettled([call(1), call(13), call(2)]);
  for (let opened = 0; opened < 6; opened += 1) await open();
  const outcomes = await settled;
  assert.deepEqual(
    outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason),
    ),
    [10, 'Error: thirteen', 20],
  );
});

test('a second batch begins when half of those who are there wait for it', async () => {
  const { call, batches, open } = gatedBatch({ atOnce: 2 });
  const all = [call(1), call(2)];
  await turn();
  all.push(call(3));
  await turn();
  assert.deepEqual(batches, [[1, 2]]);
  all.push(call(4));
  await turn();
  assert.deepEqual(batches, [
    [1, 2],
    [3, 4],
  ]);
  for (let opened = 0; opened < 2; opened += 1) await open();
  assert.deepEqual(await Promise.all(all), [10, 20, 30, 40]);
});

test('of three batches at a time each has a third of those who are there', async () => {
  const { call, batches, open } = gatedBatch({ atOnce: 3 });
  const all = [1, 2, 3, 4].map((input) => call(input));
  await turn();
  all.push(call(5));
  await turn();
  assert.equal(batches.length, 1, 'one of five is less than a third');
  all.push(call(6));
  await turn();
  all.push(call(7));
  await turn();
  assert.equal(batches.length, 2, 'one of seven is less than a third');
  all.push(call(8), call(9));
  await turn();
  assert.deepEqual(batches, [
    [1, 2, 3, 4],
    [5, 6],
    [7, 8, 9],
  ]);
  for (let opened = 0; opened < 3; opened += 1) await open();
  await Promise.all(all);
});

test('a batch that is full waits for nobody', async () => {
  const { call, batches, open } = gatedBatch({ most: 1, atOnce: 2 });
  const all = [1, 2, 3, 4, 5].map((input) => call(input));
  await turn();
  await turn();
  assert.deepEqual(batches, [[1], [2]]);
  await open();
  assert.deepEqual(batches, [[1], [2], [3]]);
  for (let opened = 0; opened < 8; opened += 1) await open();
  assert.deepEqual(await Promise.all(all), [10, 20, 30, 40, 50]);
});

test('those who left are no longer waited for', async () => {
  const { call, batches, open } = gatedBatch({ atOnce: 2 });
  const many = [1, 2, 3].map((input) => call(input));
  await turn();
  many.push(...[4, 5, 6].map((input) => call(input)));
  await turn();
  await open();
  await open();
  await Promise.all(many);
  await new Promise((resolve) => setTimeout(resolve, 60));
  const last = [call(7)];
  await turn();
  last.push(call(8));
  await turn();
  assert.deepEqual(batches, [[1, 2, 3], [4, 5, 6], [7], [8]]);
  await open();
  await open();
  assert.deepEqual(await Promise.all(last), [70, 80]);
});

test('few who wait go when the batch before them comes back', async () => {
  const { call, batches, open } = gatedBatch({ atOnce: 2 });
  const first = Promise.all([call(1), call(2), call(3)]);
  await turn();
  const later = call(4);
  await open();
  assert.deepEqual(await first, [10, 20, 30]);
  await open();
  assert.equal(await later, 40);
  assert.deepEqual(batches, [[1, 2, 3], [4]]);
});

test('nobody waits long for a batch that is stuck', async () => {
  const { call, batches, open } = gatedBatch({ atOnce: 2 });
  const first = Promise.all([call(1), call(2), call(3)]);
  await turn();
  const later = call(4);
  while (batches.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  await open();
  await open();
  assert.equal(await later, 40);
  await first;
});
