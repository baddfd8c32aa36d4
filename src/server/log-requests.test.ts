import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answered } from '#api/http/server.ts';
import { jsonLog } from '#base/log.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { createRequestLines } from './log-requests.ts';

function openLines(linesASecond: number) {
  const clock = manualClock('2030-01-01T00:00:00Z');
  const lines: Record<string, unknown>[] = [];
  const log = jsonLog((line) => lines.push(JSON.parse(line)), 'info', clock);
  const note = createRequestLines({ log, clock }, linesASecond);
  const answer = (more: Partial<Answered> = {}) =>
    note({
      method: 'GET',
      route: '/api/v1/checkout/{id}',
      status: 200,
      requestId: 'r1',
      milliseconds: 3.6,
      isStream: false,
      ...more,
    });
  return { clock, lines, answer };
}

test('a request is a line with its route, and nothing that a caller wrote', () => {
  const { lines, answer } = openLines(20);
  answer();
  answer({ route: undefined, status: 404 });
  const at = '2030-01-01T00:00:00Z';
  const known = { at, level: 'info', message: 'request', method: 'GET', ms: 4, requestId: 'r1' };
  assert.deepEqual(lines, [
    { ...known, route: '/api/v1/checkout/{id}', status: 200 },
    { ...known, route: 'other', status: 404 },
  ]);
});

test('a busy second has as many lines as it may, and the next line says how many had none', async () => {
  const { clock, lines, answer } = openLines(3);
  for (let turn = 0; turn < 10; turn += 1) answer();
  assert.equal(lines.length, 3);
  await clock.advance(1_000);
  answer();
  answer();
  assert.deepEqual(
    lines.map(({ unsaid }) => unsaid),
    [undefined, undefined, undefined, 7, undefined],
  );
});

test('a fault of ours has its line always', () => {
  const { lines, answer } = openLines(0);
  answer();
  answer({ status: 500 });
  assert.deepEqual(
    lines.map(({ status }) => status),
    [500],
  );
});

test('who probes every second is not in the log while all is well', () => {
  const { lines, answer } = openLines(20);
  for (const route of ['/live', '/ready', '/health', '/metrics']) answer({ route });
  assert.deepEqual(lines, []);
  answer({ route: '/ready', status: 503 });
  assert.equal(lines.length, 1);
});
