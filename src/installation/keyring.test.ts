import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { systemRandom } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { keyringOf, MAC_PURPOSES, openKeyring } from './keyring.ts';

const directory = mkdtempSync(join(tmpdir(), 'quittance-keyring-'));
after(() => rmSync(directory, { recursive: true }));

const keyring = keyringOf(new Uint8Array(32).fill(7), systemRandom);
const { dataKey, sealed: sealedDataKey } = keyring.newDataKey('merchant0001');
const failure = { name: 'UnsealFailure' };
const bytes = fc.uint8Array({ maxLength: 200 });
const label = fc.array(fc.string({ maxLength: 8 }), { maxLength: 4 });

test('what was sealed opens with the same key and label', () => {
  fc.assert(
    fc.property(bytes, label, (plaintext, parts) => {
      const sealed = keyring.seal(dataKey, parts, plaintext);
      assert.deepEqual(keyring.unseal(dataKey, parts, sealed), new Uint8Array(plaintext));
    }),
  );
});

test('under any other label it does not open: a value moved to another row is useless', () => {
  fc.assert(
    fc.property(bytes, label, label, (plaintext, parts, others) => {
      fc.pre(JSON.stringify(parts) !== JSON.stringify(others));
      const sealed = keyring.seal(dataKey, parts, plaintext);
      assert.throws(() => keyring.unseal(dataKey, others, sealed), failure);
    }),
  );
  const sealed = keyring.seal(dataKey, ['a', 'bc'], new Uint8Array(1));
  assert.throws(() => keyring.unseal(dataKey, ['ab', 'c'], sealed), failure);
});

test('with any bit changed, or cut short, it does not open', () => {
  fc.assert(
    fc.property(bytes, fc.nat(), fc.nat(7), (plaintext, position, bit) => {
      const sealed = keyring.seal(dataKey, ['x'], plaintext);
      const changed = sealed.slice();
      const index = position % sealed.length;
      changed[index] = (changed[index] ?? 0) ^ (1 << bit);
      assert.throws(() => keyring.unseal(dataKey, ['x'], changed), failure);
      assert.throws(() => keyring.unseal(dataKey, ['x'], sealed.subarray(0, index)), failure);
    }),
  );
});

test('the same text never seals to the same bytes', () => {
  const seals = Array.from({ length: 1000 }, () => keyring.seal(dataKey, [], new Uint8Array(8)));
  assert.equal(new Set(seals.map((sealed) => sealed.toHex())).size, 1000);
});

test('a data key opens for its owner and under its key file only', () => {
  const sealed = keyring.seal(dataKey, [], Uint8Array.of(1, 2, 3));
  const fresh = keyringOf(new Uint8Array(32).fill(7), systemRandom);
  const opened = fresh.openDataKey('merchant0001', sealedDataKey);
  assert.deepEqual(fresh.unseal(opened, [], sealed), Uint8Array.of(1, 2, 3));
  assert.throws(() => keyring.openDataKey('merchant0002', sealedDataKey), failure);
  const other = keyringOf(new Uint8Array(32).fill(8), systemRandom);
  assert.throws(() => other.openDataKey('merchant0001', sealedDataKey), failure);
  const second = keyring.newDataKey('merchant0001').dataKey;
  assert.throws(() => keyring.unseal(second, [], sealed), failure);
});

test('a failure to unseal does not tell what was sealed or by whom', () => {
  const sealed = keyring.seal(dataKey, ['owner', 'api-secret'], Buffer.from('hush'));
  assert.throws(
    () => keyring.unseal(dataKey, ['other', 'api-secret'], sealed),
    /^UnsealFailure: cannot unseal api-secret: changed, moved, or sealed under another key file$/,
  );
});

test('each purpose has its own MAC, 32 bytes, the same every time', () => {
  const text = Buffer.from('text');
  const macs = MAC_PURPOSES.map((purpose) => keyring.mac(purpose, text));
  assert.equal(new Set(macs.map((mac) => mac.toHex())).size, MAC_PURPOSES.length);
  assert.ok(macs.every((mac) => mac.length === 32));
  assert.deepEqual(keyring.mac('basic', text), macs[0]);
});

test('a key file is made only when told so, private to its owner, and read back the same', () => {
  const path = join(directory, 'made.key');
  assert.throws(() => openKeyring(path, systemRandom), oneLine(/does not exist$/));
  const made = openKeyring(path, systemRandom, { create: true });
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const again = openKeyring(path, seededRandom(1), { create: true });
  const text = Buffer.from('text');
  assert.deepEqual(again.mac('basic', text), made.mac('basic', text));
  assert.deepEqual(readdirSync(directory), ['made.key']);
});

test('a key file that others may read is refused', () => {
  const path = join(directory, 'open.key');
  openKeyring(path, systemRandom, { create: true });
  for (const mode of [0o640, 0o604, 0o660, 0o601]) {
    chmodSync(path, mode);
    assert.throws(() => openKeyring(path, systemRandom), oneLine(/is open to others .*chmod 600/));
  }
});

const malformed: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['no JSON', 'key'],
  ['null', 'null'],
  ['another version', JSON.stringify({ version: 2, key: Buffer.alloc(32).toString('base64') })],
  ['no key', '{"version":1}'],
  ['a short key', JSON.stringify({ version: 1, key: Buffer.alloc(31).toString('base64') })],
  ['a long key', JSON.stringify({ version: 1, key: Buffer.alloc(33).toString('base64') })],
  ['a key of another alphabet', JSON.stringify({ version: 1, key: `${'_'.repeat(43)}=` })],
  ['far too much', ' '.repeat(5000)],
];
for (const [what, content] of malformed) {
  test(`a key file with ${what} is refused without quoting it`, () => {
    const path = join(directory, 'malformed.key');
    writeFileSync(path, content, { mode: 0o600 });
    assert.throws(
      () => openKeyring(path, systemRandom, { create: true }),
      (error) => {
        assert.ok(oneLine(/^the key file /)(error));
        return content.length < 4 || !String(error).includes(content);
      },
    );
  });
}

test('a missing directory is made, private to its owner', () => {
  openKeyring(join(directory, 'new/place/key'), systemRandom, { create: true });
  assert.equal(statSync(join(directory, 'new/place')).mode & 0o777, 0o700);
});

test('a directory or a place that cannot be written is refused in one line', () => {
  mkdirSync(join(directory, 'folder'), { mode: 0o700 });
  const at = (name: string) => () =>
    openKeyring(join(directory, name), systemRandom, { create: true });
  assert.throws(at('folder'), oneLine(/is not an ordinary file$/));
  writeFileSync(join(directory, 'file'), '');
  assert.throws(at('file/below/it'), oneLine(/cannot be used \(ENOTDIR\)$/));
});

function oneLine(pattern: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Refusal, String(error));
    assert.match(error.message, pattern);
    assert.ok(!error.message.includes('\n'));
    return true;
  };
}
