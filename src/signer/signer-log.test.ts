import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { manualClock } from '#test/support/manual-clock.ts';
import {
  evmOrder,
  LOG_KEY,
  openSignerWorld,
  type SignerWorld,
  stellarOrder,
  utxoOrder,
  xrplOrder,
} from '#test/support/signer-world.ts';
import { openSignerLog, verifySignerLog } from './signer-log.ts';

const worlds: SignerWorld[] = [];
after(() => {
  for (const world of worlds) world.close();
});

/** A signer that has signed once on every network, and refused something. */
function busyWorld(): SignerWorld {
  const world = openSignerWorld();
  worlds.push(world);
  for (const order of [evmOrder(), stellarOrder(), xrplOrder(), utxoOrder()]) {
    assert.equal(world.sign(order).answer, 'signed');
  }
  assert.equal(world.sign({ ...evmOrder({ id: 'x' }), feeUnits: 1n }).answer, 'refused');
  return world;
}

const linesOf = ({ logPath }: SignerWorld) => readFileSync(logPath, 'utf8').trimEnd().split('\n');
const write = ({ logPath }: SignerWorld, lines: readonly string[]) =>
  writeFileSync(logPath, lines.map((line) => `${line}\n`).join(''));
const verify = ({ logPath }: SignerWorld, key?: string) =>
  verifySignerLog(logPath, key, () => undefined);
const open = ({ logPath }: SignerWorld) =>
  openSignerLog(logPath, LOG_KEY, manualClock('2030-01-02T00:00:00Z'));

test('the log is proven, also without its key', () => {
  const world = busyWorld();
  assert.equal(verify(world).lines, 5);
  assert.deepEqual(verify(world, LOG_KEY), verify(world));
  assert.deepEqual(world.signer.signerLog.head(), verify(world));
  assert.throws(() => verify(world, '00'.repeat(32)), /line 1 is not what the signer wrote/);
});

test('a line that was changed, moved, taken out or put in stops the signer', () => {
  const world = busyWorld();
  const lines = linesOf(world);
  const [one = '', two = '', ...rest] = lines;
  const damages: Readonly<Record<string, readonly string[]>> = {
    'an amount': [one, two.replace(/"units":"(\d)/, '"units":"9$1'), ...rest],
    'a time': [one, two.replace('2030-', '2029-'), ...rest],
    moved: [two, one, ...rest],
    'taken out': [one, ...rest],
    'the first taken out': [two, ...rest],
    twice: [one, one, two, ...rest],
    'no line': [one, 'x', two, ...rest],
    'an empty line': [one, '', two, ...rest],
    'without its seal': [one, two.replace(/,"seal".*/, '}'), ...rest],
  };
  for (const [what, damaged] of Object.entries(damages)) {
    write(world, damaged);
    assert.throws(() => verify(world), { code: 'signer_log_changed' }, what);
    assert.throws(() => open(world), { code: 'signer_log_changed' }, what);
  }
  write(world, lines);
  assert.equal(verify(world, LOG_KEY).lines, 5);
});

test('any single character that is changed is noticed', () => {
  const world = busyWorld();
  const text = readFileSync(world.logPath, 'utf8');
  for (let at = 0; at < text.length - 1; at += 97) {
    const changed = text.slice(0, at) + (text[at] === '7' ? '8' : '7') + text.slice(at + 1);
    writeFileSync(world.logPath, changed);
    assert.throws(() => verify(world, LOG_KEY), /is not what the signer wrote/, `character ${at}`);
  }
});

test('a chain that somebody made anew without the key is refused', () => {
  const world = busyWorld();
  const other = openSignerWorld();
  worlds.push(other);
  other.signer.signerLog.close();
  const forged = openSignerLog(other.logPath, '11'.repeat(32), manualClock('2030-01-01T00:00:00Z'));
  forged.append({ kind: 'started', settings: '' });
  forged.close();
  writeFileSync(world.logPath, readFileSync(other.logPath));
  assert.equal(verify(world).lines, 1, 'its chain is right');
  assert.throws(() => open(world), /line 1 is not what the signer wrote/);
  other.restart = () => undefined;
});

test('a line that a crash cut off is taken away, and nothing before it', () => {
  const world = busyWorld();
  const whole = readFileSync(world.logPath, 'utf8');
  const [last = ''] = linesOf(world).slice(-1);
  for (const part of [last.slice(0, 1), last.slice(0, 200), last]) {
    appendFileSync(world.logPath, part);
    open(world).close();
    assert.equal(readFileSync(world.logPath, 'utf8'), whole);
  }
});

test('lines that are missing at the end are seen by whoever remembers the last one', () => {
  const world = busyWorld();
  const { digest } = verify(world);
  write(world, linesOf(world).slice(0, -1));
  assert.notEqual(verify(world).digest, digest);
});

test('a log that others may read is refused', () => {
  const world = busyWorld();
  chmodSync(world.logPath, 0o644);
  assert.throws(() => open(world), /is open to others/);
});
