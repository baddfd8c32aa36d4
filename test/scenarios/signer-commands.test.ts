// npx quittance sign: what an operator types, in the order of the manual (docs/operate/signer.md). In
// this process, where a guess at the passphrase costs nothing; once as the program that it is.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { jsonLog } from '#base/log.ts';
import { systemRandom } from '#base/random.ts';
import { runSignCommand } from '#cli/sign.ts';
import { KEY_FAMILIES } from '#networks/signing/signing-keys.ts';
import { STRONG_SEAL } from '#runtime/sealed-text.ts';
import { compiledOnce } from '#test/support/compiled-once.ts';
import { ROOT } from '#test/support/read-source.ts';
import { WEAK_SEAL, XRPL_ADDRESS, XRPL_SEED } from '#test/support/signer-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'quittance-sign-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const directory = join(folder, 'signer');
const PASSPHRASE = 'correct horse battery';
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), `${text}\n`, { mode: 0o600 });
  return join(folder, name);
};
const opened = ['--passphrase-file', file('passphrase', PASSPHRASE)];

type Said = { readonly stdout: string; readonly stderr: string; readonly code: number | null };

/** With what is typed at its questions, a line each. */
async function sign(words: readonly string[], typed: readonly string[] = []): Promise<Said> {
  const said = { stdout: '', stderr: '' };
  const lines = [...typed];
  const say = (text: string) => {
    said.stdout += `${text}\n`;
  };
  const complain = (text: string) => {
    said.stderr += `${text}\n`;
  };
  const code = await runSignCommand(
    ['sign', ...words],
    { say, complain },
    {
      environment: { SIGNER_DIRECTORY: directory },
      workingDirectory: folder,
      clock: systemClock,
      random: systemRandom,
      families: KEY_FAMILIES,
      cost: WEAK_SEAL,
      log: jsonLog(complain, 'info', systemClock),
      askSecret: async () => lines.shift() ?? assert.fail('nothing more is typed'),
      say,
      ended: () => Promise.resolve(),
    },
  );
  return { ...said, code };
}

/** The program itself, over a directory of its own. */
function signProcess(words: readonly string[], typed: readonly string[] = []): Promise<Said> {
  const program = join(ROOT, 'src', 'cli', 'sign-main.ts');
  const child = spawn(process.execPath, [program, 'sign', ...words], {
    env: { ...compiledOnce(), PATH: process.env.PATH, SIGNER_DIRECTORY: join(folder, 'own') },
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (bytes) => (said.stdout += bytes));
  child.stderr.on('data', (bytes) => (said.stderr += bytes));
  child.stdin.on('error', () => undefined);
  child.stdin.end(typed.map((line) => `${line}\n`).join(''));
  return new Promise((resolve) => child.once('close', (code) => resolve({ ...said, code })));
}

test('the program takes what is typed, seals it strongly, and lets nobody else read it', async () => {
  const made = await signProcess(['init'], [PASSPHRASE, PASSPHRASE]);
  assert.equal(made.code, 0, made.stderr);
  const own = join(folder, 'own');
  const modes = ['', 'keys.json', 'signer.toml'].map((name) => statSync(join(own, name)).mode);
  assert.deepEqual(
    modes.map((mode) => mode & 0o777),
    [0o700, 0o600, 0o600],
  );
  const { memoryKib, passes } = JSON.parse(readFileSync(join(own, 'keys.json'), 'utf8')).sealed;
  assert.deepEqual({ memoryKib, passes }, STRONG_SEAL);
  const added = await signProcess(
    ['key', 'add', 'xrp', '--environment', 'live', '--network', 'XRP_LEDGER', '--json'],
    [PASSPHRASE, XRPL_SEED],
  );
  assert.equal(JSON.parse(added.stdout).key.address, XRPL_ADDRESS, added.stderr);
  const none = await signProcess(['key', 'list'], []);
  assert.deepEqual(
    [none.code, none.stderr],
    [1, 'quittance sign key list: nothing more is given on the standard input\n'],
  );
});

test('a signer is made, gets keys and an approver, and another passphrase', async () => {
  const none = await sign(['key', 'list']);
  assert.match(none.stderr, /cannot be read: quittance sign init --directory .* makes one/);
  const differs = await sign(['init'], [PASSPHRASE, 'another one here']);
  assert.match(differs.stderr, /the two were not the same/);
  const made = await sign(['init'], [PASSPHRASE, PASSPHRASE]);
  assert.equal(made.code, 0, made.stderr);
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
  assert.deepEqual([wrong.code, /passphrase is wrong/.test(wrong.stderr)], [1, true], wrong.stderr);
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
