import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readExposition } from '#test/support/read-exposition.ts';
import { createRegistry } from './metric.ts';

test('what is counted, shown and measured is read back as it was', () => {
  const registry = createRegistry();
  const requests = registry.counter({ name: 'asked_total', help: 'Asked.', labels: ['route'] });
  const depth = registry.gauge({ name: 'depth', help: 'How deep.' });
  const held = registry.gauge({ name: 'held', help: 'Held.', labels: ['asset'] });
  const times = registry.histogram({
    name: 'time_seconds',
    help: 'How long.',
    labels: ['route'],
    buckets: [0.1, 1],
  });
  requests.add({ route: '/a' });
  requests.add({ route: '/a' }, 2);
  requests.add({ route: '/b' });
  held.set('123456789012345678.000000000000000001', { asset: 'ETH' });
  for (const seconds of [0.05, 0.1, 0.5, 30]) times.observe(seconds, { route: '/a' });

  const text = registry.write();
  // An amount is no float until somebody reads it.
  assert.ok(text.includes('held{asset="ETH"} 123456789012345678.000000000000000001\n'));
  const families = readExposition(text);
  const values = (name: string) =>
    families.get(name)?.samples.map(({ labels, value }) => [...Object.values(labels), value]);
  assert.deepEqual(values('asked_total'), [
    ['/a', 3],
    ['/b', 1],
  ]);
  assert.deepEqual(values('depth'), [[0]]);
  depth.set(7n);
  assert.ok(registry.write().includes('\ndepth 7\n'));
  assert.deepEqual(values('time_seconds'), [
    ['/a', '0.1', 2],
    ['/a', '1', 3],
    ['/a', '+Inf', 4],
    ['/a', 30.65],
    ['/a', 4],
  ]);
});

test('a text cannot break out of its label', () => {
  const registry = createRegistry();
  const gauge = registry.gauge({ name: 'said', help: 'A \\ and\na line.', labels: ['why'] });
  const hostile = 'a"} 1\nforged{x="\\';
  gauge.set(1, { why: hostile });
  const families = readExposition(registry.write());
  assert.deepEqual([...families.keys()], ['said']);
  assert.equal(families.get('said')?.samples[0]?.labels.why, hostile);
});

test('a metric has a bounded number of rows, whatever its labels are given', () => {
  const registry = createRegistry();
  const counter = registry.counter({ name: 'many_total', help: 'Many.', labels: ['who'] });
  for (let turn = 0; turn < 5_000; turn += 1) counter.add({ who: `${turn}` });
  const samples = readExposition(registry.write()).get('many_total')?.samples ?? [];
  assert.equal(samples.length, 2_001);
  assert.equal(samples.find(({ labels }) => labels.who === 'other')?.value, 3_000);
  assert.equal(
    samples.reduce((sum, { value }) => sum + value, 0),
    5_000,
  );
});

test('what is shown no more is told no more', () => {
  const registry = createRegistry();
  const gauge = registry.gauge({ name: 'lag', help: 'Lag.', labels: ['chain'] });
  gauge.set(1, { chain: 'a' });
  gauge.clear();
  gauge.set(2, { chain: 'b' });
  assert.deepEqual(
    readExposition(registry.write())
      .get('lag')
      ?.samples.map(({ labels }) => labels.chain),
    ['b'],
  );
});

test('a name that Prometheus would complain of is a bug', () => {
  const registry = createRegistry();
  const help = 'Help.';
  assert.throws(() => registry.counter({ name: 'asked', help }));
  assert.throws(() => registry.gauge({ name: 'depth_total', help }));
  assert.throws(() => registry.gauge({ name: 'with-dash', help }));
  assert.throws(() => registry.gauge({ name: 'labelled', help, labels: ['le'] }));
  registry.gauge({ name: 'once', help });
  assert.throws(() => registry.gauge({ name: 'once', help }));
});

test('the reader of tests refuses what a scraper refuses', () => {
  const head = '# HELP a_total A.\n# TYPE a_total counter\n';
  for (const wrong of [
    'a_total 1\n',
    `${head}a_total 1`,
    `${head}a_total one\n`,
    `${head}a_total{x="1} 1\n`,
    `${head}a_total{x="1",x="2"} 1\n`,
    `${head}a_total 1\na_total 2\n`,
    `${head}b_total 1\n`,
    '# HELP a A.\n# TYPE a counter\na 1\n',
    '# HELP a A.\n# TYPE a histogram\na_bucket{le="1"} 1\na_sum 1\na_count 1\n',
  ]) {
    assert.throws(() => readExposition(wrong), wrong);
  }
});
