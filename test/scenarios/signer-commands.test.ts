// npx quittance sign: what an operator types, in the order of the manual (docs/operate/signer.md).
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, test } from 'node:test';
import { compiledOnce } from '#test/support/compiled-once.ts';
import { ROOT } from '#test/support/read-source.ts';
import { XRPL_ADDRESS, XRPL_SEED } from '#test/support/signer-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'quittance-sign-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const directory = join(folder, 'signer');
const PASSPHRASE = 'correct horse battery';
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), `${text}\n`, { mode: 0o600 });
  return join(folder, name);
};
const opened = ['--passphrase-file', file('passphrase', PASSPHRASE)];

/** With what is typed at its questions, a line each. */
function sign(words: readonly string[], typed: readonly string[] = []) {
  const program = join(ROOT, 'src', 'cli', 'sign-main.ts');
  const child = spawn(process.execPath, [program, 'sign', ...words], {
    env: { ...compiledOnce(), PATH: process.env.PATH, SIGNER_DIRECTORY: directory },
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (bytes) => (said.stdout += bytes));
  child.stderr.on('data', (bytes) => (said.stderr += bytes));
  child.stdin.on('error', () => undefined);
  child.stdin.end(typed.map((line) => `${line}\n`).join(''));
  return new Promise<typeof said & { code: number | null }>((resolve) =>
    child.once('close', (code) => resolve({ ...said, code })),
  );
}

test('a signer is made, gets keys and an approver, and another passphrase', async () => {
  const none = await sign(['key', 'list']);
  assert.match(none.stderr, /cannot be read: quittance sign init --directory .* makes one/);
  const differs = await sign(['init'], [PASSPHRASE, 'another one here']);
  assert.match(differs.stderr, /the two were not the same/);
  const made = await sign(['init'], [PASSPHRASE, PASSPHRASE]);
  assert.equal(made.code, 0, made.stderr);
  const modes = ['', 'keys.json', 'signer.toml'].map(
    (name) => statSync(join(directory, name)).mode & 0o777,
  );
  assert.deepEqual(modes, [0o700, 0o600, 0o600]);
  assert.match((await sign(['init', ...opened])).stderr, /there is a key file already/);

  const where = ['--environment', 'live', '--network', 'XRP_LEDGER'];
  const added = await sign(['key', 'add', 'xrp', ...where, ...opened, '--json'], [XRPL_SEED]);
  assert.equal(added.code, 0, added.stderr);
  assert.equal(JSON.parse(added.stdout).key.address, XRPL_ADDRESS);
  const bad = await sign(['key', 'add', 'bad', ...where, ...opened], ['sEdNone']);
  assert.match(bad.stderr, /no key of XRP_LEDGER \(main\): a family seed/);
  assert.equal(bad.stderr.includes('sEdNone'), false);
  const taken = ['--secret-file', file('secret', `0x${'4d'.repeat(32)}`)];
  const evm = ['key', 'add', 'eth', '--environment', 'live', '--network', 'ETHEREUM'];
  assert.equal((await sign([...evm, ...opened, ...taken])).code, 0);
  const made2 = [
    'key',
    'add',
    'btc',
    '--environment',
    'live',
    '--network',
    'BITCOIN',
    '--generate',
  ];
  assert.match(
    (await sign([...made2, ...opened])).stdout,
    /wpkh\(\[[0-9a-f]{8}\/84h\/0h\/0h\]xpub/,
  );

  const own = ['--approver-passphrase-file', file('anna', 'the words of anna')];
  assert.equal((await sign(['approver', 'add', 'anna', ...opened, ...own])).code, 0);
  assert.match((await sign(['approver', 'list', ...opened])).stdout, /^anna$/m);
  const next = ['--new-passphrase-file', file('next', 'another one with words')];
  assert.equal((await sign(['passphrase', ...opened, ...next])).code, 0);
  const old = await sign(['key', 'list', ...opened, '--json']);
  assert.equal(JSON.parse(old.stdout).error.code, 'passphrase_wrong');
  const listed = await sign(['key', 'list', '--passphrase-file', join(folder, 'next'), '--json']);
  const names = JSON.parse(listed.stdout).keys.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, ['xrp', 'eth', 'btc']);
  const text = readFileSync(join(directory, 'keys.json'), 'utf8');
  assert.equal(text.includes(XRPL_SEED), false);
});

test('what cannot start says why and ends', async () => {
  const next = ['--passphrase-file', join(folder, 'next')];
  const wrong = await sign(opened);
  assert.deepEqual([wrong.code, /passphrase is wrong/.test(wrong.stderr)], [1, true]);
  writeFileSync(join(directory, 'signer.toml'), 'signatures_per_minut = 1');
  const mistaken = await sign(next);
  assert.match(mistaken.stderr, /signer.toml: .*signatures_per_minut/);
  const unknown = await sign(['coffee', ...next]);
  assert.deepEqual([unknown.code, /there is no sign coffee/.test(unknown.stderr)], [2, true]);
  const away = await sign(['status']);
  assert.equal(away.code, 1);
});

test('the help lists the commands, and each says its arguments', async () => {
  const { stdout } = await sign(['--help']);
  const names = [...stdout.matchAll(/^ {2}(sign(?: [a-z]+)*) {2,}/gm)].map(([, name = '']) => name);
  assert.equal(names.length, 13);
  const help = await sign(['key', 'add', '--help']);
  assert.deepEqual(
    [help.code, /npx quittance sign key add NAME --env/.test(help.stdout)],
    [0, true],
  );
});
