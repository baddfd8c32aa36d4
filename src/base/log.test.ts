import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '#test/support/manual-clock.ts';
import { jsonLog, type LogFields } from './log.ts';

function openLog(level: 'debug' | 'info' | 'warn' | 'error' = 'debug') {
  const lines: string[] = [];
  const log = jsonLog((line) => lines.push(line), level, manualClock('2030-01-01T00:00:00Z'));
  return { log, lines };
}

function logged(fields: LogFields): LogFields {
  const { log, lines } = openLog();
  log.info('it', fields);
  return JSON.parse(lines[0] ?? '') as LogFields;
}

test('a line is one JSON object with time, level, message and fields', () => {
  const { log, lines } = openLog();
  log.with({ merchantId: 'm' }).warn('two\nlines', { units: 12n, level: 'forged' });
  assert.deepEqual(lines, [
    '{"at":"2030-01-01T00:00:00Z","level":"warn","message":"two\\nlines","merchantId":"m","units":"12"}',
  ]);
});

test('levels below the chosen one are not written', () => {
  const { log, lines } = openLog('warn');
  log.debug('a');
  log.info('b');
  log.warn('c');
  log.with({}).error('d');
  assert.equal(lines.length, 2);
});

const secretFields: LogFields[] = [
  { apiSecret: 'hunter2' },
  { PASSWORD: 'hunter2' },
  { headers: { Authorization: 'Bearer hunter2' } },
  { list: [{ webhookSignature: 'hunter2' }] },
  { map: new Map([['access_token', 'hunter2']]) },
  { mnemonic: ['hunter2'] },
  { kek: { part: 'hunter2' } },
  { privateKey: 'hunter2' },
  { error: new Error('outer', { cause: { password: 'hunter2' } }) },
  { url: 'postgres://user:hunter2@localhost/x' },
  { error: new Error('cannot open postgres://user:hunter2@localhost/x') },
  { key: new TextEncoder().encode('hunter2') },
];
for (const fields of secretFields) {
  test(`the secret in ${Object.keys(fields)[0]} is not written`, () => {
    const line = logged(fields);
    assert.doesNotMatch(JSON.stringify(line), /hunter2|104,("1":)?117/);
    assert.ok(Object.keys(fields).every((name) => name in line));
  });
}

test('an error is written with its chain of causes', () => {
  const error = new TypeError('outer', { cause: new Error('inner', { cause: 'root' }) });
  const { error: plain } = logged({ error }) as { error: Record<string, Record<string, unknown>> };
  assert.equal(plain.name, 'TypeError');
  assert.match(String(plain.stack), /log\.test\.ts/);
  assert.equal(plain.cause?.message, 'inner');
  assert.equal(plain.cause?.cause, 'root');
});

test('times, sets and absent values are written as themselves', () => {
  const line = logged({
    at: 'forged',
    when: Temporal.Instant.from('2031-01-01T00:00:00Z'),
    span: Temporal.Duration.from('PT5M'),
    set: new Set([1n]),
    none: null,
    token: undefined,
  });
  assert.equal(line.at, '2030-01-01T00:00:00Z');
  assert.equal(line.when, '2031-01-01T00:00:00Z');
  assert.equal(line.span, 'PT5M');
  assert.deepEqual(line.set, ['1']);
  assert.equal(line.none, null);
  assert.equal('token' in line, false);
});

test('nothing that is logged makes logging throw', () => {
  const circle: Record<string, unknown> = {};
  circle.circle = circle;
  const { log, lines } = openLog();
  log.info('circle', circle);
  log.info('getter', {
    broken: {
      toJSON() {
        throw new Error('no');
      },
    },
  });
  log.info('odd', { symbol: Symbol('s'), call: () => 1, not: Number.NaN });
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as LogFields).message),
    ['circle', 'getter', 'odd'],
  );
});
