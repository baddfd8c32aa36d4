import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { KEY_FAMILIES } from '#networks/signing/signing-keys.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { EVM_ADDRESS, EVM_SECRET, WEAK_SEAL } from '#test/support/signer-world.ts';
import { approve, isApproval } from './approval.ts';
import { openApproverSecret, openSignerKeys } from './key-file.ts';
import {
  addApprover,
  addKey,
  changePassphrase,
  listApprovers,
  listKeys,
  removeApprover,
  removeKey,
  setUpSigner,
} from './manage-keys.ts';

const PASSPHRASE = 'correct horse battery';
const folder = mkdtempSync(join(tmpdir(), 'quittance-keys-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;

function signerWithKey() {
  made += 1;
  const directory = join(folder, `signer-${made}`);
  const opened = {
    directory,
    passphrase: PASSPHRASE,
    random: seededRandom(made),
    families: KEY_FAMILIES,
    cost: WEAK_SEAL,
  };
  setUpSigner(opened);
  const key = { name: 'hot', environment: 'live', network: 'ETHEREUM', chain: 'main' } as const;
  addKey(opened, { ...key, secret: EVM_SECRET });
  return { opened, path: join(directory, 'keys.json') };
}

test('a key comes back as it was given, and nothing of it stands in the file', () => {
  const { opened, path } = signerWithKey();
  const [key] = openSignerKeys(path, PASSPHRASE).keys;
  assert.equal(key?.secret, EVM_SECRET);
  assert.deepEqual(
    listKeys(opened).map(({ name, address }) => [name, address]),
    [['hot', EVM_ADDRESS]],
  );
  const text = readFileSync(path, 'utf8');
  for (const spelling of [
    EVM_SECRET,
    Buffer.from(EVM_SECRET, 'hex').toString('base64'),
    EVM_ADDRESS,
    'hot',
  ]) {
    assert.equal(text.includes(spelling), false);
  }
  removeKey(opened, 'hot');
  assert.deepEqual(listKeys(opened), []);
  assert.throws(() => removeKey(opened, 'hot'), /there is no key hot/);
});

test('another passphrase opens nothing, and does not say more than that', () => {
  const { path } = signerWithKey();
  for (const wrong of ['', 'correct horse batterz', `${PASSPHRASE} `, 'x'.repeat(100_000)]) {
    assert.throws(() => openSignerKeys(path, wrong), { code: 'passphrase_wrong' });
  }
  assert.equal(openSignerKeys(path, PASSPHRASE).keys.length, 1);
});

test('the passphrase is changed, and the old one opens nothing any more', () => {
  const { opened, path } = signerWithKey();
  assert.throws(() => changePassphrase(opened, 'too short'), { code: 'passphrase_weak' });
  changePassphrase(opened, 'another one with words');
  assert.throws(() => openSignerKeys(path, PASSPHRASE), { code: 'passphrase_wrong' });
  assert.equal(openSignerKeys(path, 'another one with words').keys[0]?.secret, EVM_SECRET);
});

test('every byte of the file that is changed is noticed', () => {
  const { path } = signerWithKey();
  const text = readFileSync(path, 'utf8');
  const step = Math.max(1, Math.floor(text.length / 200));
  for (let at = 0; at < text.length; at += step) {
    const other = text[at] === 'A' ? 'B' : 'A';
    const changed = text.slice(0, at) + other + text.slice(at + 1);
    // White space and the last bits of base64 mean nothing.
    if (isSameContent(changed, text)) continue;
    writeFileSync(path, changed);
    assert.throws(() => openSignerKeys(path, PASSPHRASE), { name: 'Refusal' }, `byte ${at}`);
  }
});

function isSameContent(one: string, other: string): boolean {
  const bytesOf = (text: string) =>
    JSON.stringify(JSON.parse(text), (_, value) =>
      typeof value === 'string' && /^[\w+/]+=*$/.test(value)
        ? Buffer.from(value, 'base64').toString('hex')
        : value,
    );
  try {
    return bytesOf(one) === bytesOf(other);
  } catch {
    return false;
  }
}

test('a file that group or others may read is refused, and so is one that is none', () => {
  const { path } = signerWithKey();
  for (const mode of [0o640, 0o604, 0o620, 0o601, 0o777]) {
    chmodSync(path, mode);
    assert.throws(() => openSignerKeys(path, PASSPHRASE), /is open to others .*chmod 600/);
  }
  chmodSync(path, 0o600);
  assert.equal(openSignerKeys(path, PASSPHRASE).keys.length, 1);
  assert.throws(() => openSignerKeys(join(folder, 'none'), PASSPHRASE), /cannot be opened/);
  assert.throws(() => openSignerKeys(folder, PASSPHRASE), { name: 'Refusal' });
  for (const text of ['', '{}', '[]', 'null', '{"version":2}', '\0'.repeat(100)]) {
    writeFileSync(path, text);
    assert.throws(() => openSignerKeys(path, PASSPHRASE), /is no key file of the signer/);
  }
});

test('a second key file is never written over the first one', () => {
  const { opened } = signerWithKey();
  assert.throws(() => setUpSigner(opened), /there is a key file already/);
  assert.equal(listKeys(opened).length, 1);
});

test('a second person has a passphrase of their own, which the first one does not open', () => {
  const { opened, path } = signerWithKey();
  assert.throws(() => addApprover(opened, 'bob', PASSPHRASE), /must be another one/);
  addApprover(opened, 'bob', 'the words of bob');
  assert.throws(() => addApprover(opened, 'bob', 'again words of bob'), /there is an approver bob/);
  assert.deepEqual(listApprovers(opened), ['bob']);
  assert.throws(() => openApproverSecret(path, 'bob', PASSPHRASE), { code: 'passphrase_wrong' });
  const secret = openApproverSecret(path, 'bob', 'the words of bob');
  const [bob] = openSignerKeys(path, PASSPHRASE).approvers;
  assert.equal(isApproval(approve('digest', secret), 'digest', bob?.publicKey ?? ''), true);
  assert.equal(isApproval(approve('digest', secret), 'other', bob?.publicKey ?? ''), false);
  assert.equal(JSON.stringify(openSignerKeys(path, PASSPHRASE)).includes(secret), false);
  removeApprover(opened, 'bob');
  assert.throws(() => openApproverSecret(path, 'bob', 'the words of bob'), /there is no approver/);
});
