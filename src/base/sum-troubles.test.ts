import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '#test/support/manual-clock.ts';
import { type LogFields, summingLog } from './log.ts';

function openLog() {
  const clock = manualClock('2030-01-01T00:00:00Z');
  const lines: LogFields[] = [];
  const { log, tell } = summingLog((line) => lines.push(JSON.parse(line)), 'info', clock);
  /** What was written since it was asked last, without times of day. */
  const said = () => lines.splice(0).map(({ at: _at, level: _level, ...rest }) => rest);
  return { clock, log, tell, said };
}

test('a trouble is said once, and after ten minutes how often it was there since', async () => {
  const { clock, log, tell, said } = openLog();
  for (let times = 0; times < 100; times += 1) {
    log.warn('loop step met an outage', { loop: 'watch', consecutiveFailures: times });
    await clock.advance(5_000);
    tell();
  }
  const first = { message: 'loop step met an outage', loop: 'watch', consecutiveFailures: 0 };
  assert.deepEqual(said(), [first]);
  await clock.advance(100_000);
  tell();
  const sum = { times: 99, since: '2030-01-01T00:00:05Z' };
  assert.deepEqual(said(), [{ ...first, consecutiveFailures: 99, ...sum }]);
});

test('one that goes on is summed again and again, and one that is over is forgotten', async () => {
  const { clock, log, tell, said } = openLog();
  for (let minute = 0; minute < 35; minute += 1) {
    log.error('settling failed', { id: 'a' });
    await clock.advance(60_000);
    tell();
  }
  assert.deepEqual(
    said().map(({ times }) => times),
    [undefined, 9, 10, 10],
  );
  await clock.advance(1_200_000);
  tell();
  assert.deepEqual(
    said().map(({ times }) => times),
    [5],
  );
  await clock.advance(1_200_000);
  tell();
  log.error('settling failed', { id: 'a' });
  assert.deepEqual(said(), [{ message: 'settling failed', id: 'a' }]);
});

test('one that comes again before it was summed says it itself', async () => {
  const { clock, log, said } = openLog();
  log.warn('it');
  log.warn('it');
  log.warn('it');
  await clock.advance(600_000);
  log.warn('it');
  assert.deepEqual(said(), [
    { message: 'it' },
    { message: 'it', times: 3, since: '2030-01-01T00:00:00Z' },
  ]);
});

const different: readonly (readonly [string, LogFields, LogFields])[] = [
  ['of another chain', { chain: 'live:BITCOIN' }, { chain: 'live:LITECOIN' }],
  ['of another thing', { id: 'a1' }, { id: 'a2' }],
  ['of another payment', { units: 5n, vout: 0 }, { units: 5n, vout: 1 }],
  ['of another amount', { units: 5n }, { units: 6n }],
  ['with another reason', { reason: 'refused' }, { reason: 'no answer' }],
  ['of another kind', { error: new TypeError('x') }, { error: new RangeError('x') }],
  ['with another code', { error: coded('ECONNREFUSED') }, { error: coded('ETIMEDOUT') }],
  ['of other sources', { failures: { kraken: 'away' } }, { failures: { coinbase: 'away' } }],
];
for (const [what, one, other] of different) {
  test(`a trouble ${what} is another one`, () => {
    const { log, said } = openLog();
    log.warn('it', one);
    log.warn('it', other);
    log.warn('it', one);
    assert.equal(said().length, 2);
  });
}

const same: readonly (readonly [string, LogFields, LogFields])[] = [
  ['of another request', { requestId: 'a' }, { requestId: 'b' }],
  ['with another count', { count: 3, height: 7n }, { count: 4, height: 8n }],
  ['after another time', { reason: 'no answer in 5003 ms' }, { reason: 'no answer in 5017 ms' }],
  ['with another trace', { error: new Error('at 1') }, { error: new Error('at 2') }],
  [
    'of sources that took another time',
    { failures: { kraken: 'no answer in 5003 ms' } },
    { failures: { kraken: 'no answer in 4999 ms' } },
  ],
];
for (const [what, one, other] of same) {
  test(`a trouble ${what} is the same`, () => {
    const { log, said } = openLog();
    log.warn('it', one);
    log.warn('it', other);
    assert.equal(said().length, 1);
  });
}

test('of a flood of different ones twenty are said, and how many more there were', async () => {
  const { clock, log, tell, said } = openLog();
  for (let id = 0; id < 500; id += 1) log.error('webhook attempt failed', { eventId: `e${id}` });
  log.error('another', { eventId: 'e1' });
  assert.equal(said().length, 21);
  await clock.advance(600_000);
  tell();
  assert.deepEqual(said(), [
    {
      message: 'webhook attempt failed',
      eventId: 'e499',
      times: 480,
      since: '2030-01-01T00:00:00Z',
    },
  ]);
});

test('what is no trouble is always said', () => {
  const { log, said } = openLog();
  log.info('happened', { type: 'X' });
  log.info('happened', { type: 'X' });
  assert.equal(said().length, 2);
});

test('a log with fields of its own shares what was said, and the end says what was not', () => {
  const { log, tell, said } = openLog();
  log.with({ loop: 'deliver' }).warn('it');
  log.with({ loop: 'deliver' }).warn('it');
  log.with({ loop: 'watch' }).warn('it');
  assert.equal(said().length, 2);
  tell(true);
  assert.deepEqual(said(), [
    { message: 'it', loop: 'deliver', times: 1, since: '2030-01-01T00:00:00Z' },
  ]);
  tell(true);
  assert.deepEqual(said(), []);
});

test('what is summed is written as carefully as what is said', () => {
  const { log, tell, said } = openLog();
  const fields = {
    url: 'http://user:hunter2@node/',
    apiSecret: 'hunter2',
    error: new Error('postgres://user:hunter2@localhost/x', { cause: { password: 'hunter2' } }),
  };
  for (let times = 0; times < 3; times += 1) log.error('at http://user:hunter2@node/', fields);
  tell(true);
  const lines = said();
  assert.equal(lines.length, 2);
  assert.doesNotMatch(JSON.stringify(lines), /hunter2/);
});

test('what throws when it is looked at is said all the same', () => {
  const { log, said } = openLog();
  const bad = Object.defineProperty({}, 'it', {
    enumerable: true,
    get: () => {
      throw new Error('no');
    },
  });
  log.error('it', { bad });
  assert.equal(said().length, 1);
});

function coded(code: string): Error {
  return Object.assign(new Error('x'), { code });
}
