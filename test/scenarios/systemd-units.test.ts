// The units that systemd starts the service and the signer by: how much they leave open, as
// systemd itself counts it, and that what they name is there.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { SETTINGS } from '#server/settings.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, 'packaging', 'systemd');
const UNITS = ['quittance.service', 'quittance-signer.service'];
/** In tenths, as systemd-analyze takes it: 10 is nothing closed, 0 everything. */
const EXPOSURE_MOST = 20;

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const skip = hasSystemd ? false : 'no systemd here';

test('what the units leave open is at most 2.0 of 10', { skip }, () => {
  for (const unit of UNITS) {
    const words = ['security', '--no-pager', '--offline=true', `--threshold=${EXPOSURE_MOST}`];
    const { status, stdout } = spawnSync('systemd-analyze', [...words, join(FOLDER, unit)], {
      encoding: 'utf8',
    });
    assert.equal(
      status,
      0,
      stdout
        .split('\n')
        .filter((line) => /✗|Overall/.test(line))
        .join('\n'),
    );
    assert.match(stdout, new RegExp(`Overall exposure level for ${unit}: [01]\\.\\d`));
  }
});

test('the units name programs and settings that there are', () => {
  const known = new Set([
    ...SETTINGS.map(({ name }) => name),
    'QUITTANCE_CONFIG',
    'SIGNER_DIRECTORY',
  ]);
  for (const unit of UNITS) {
    const text = readFileSync(join(FOLDER, unit), 'utf8');
    const programs = [...text.matchAll(/\/opt\/quittance\/((?:src|docs)\/[\w./-]+)/g)];
    assert.ok(programs.length > 1, unit);
    for (const [, path = ''] of programs) assert.ok(existsSync(join(ROOT, path)), path);
    for (const [, name = ''] of text.matchAll(/^Environment=(\w+)=/gm)) {
      assert.ok(known.has(name), name);
    }
  }
});

test('however the service is started, its runtime is given the same flags', () => {
  const starts: readonly (readonly [file: string, line: RegExp])[] = [
    ['scripts/start.mjs', /const words = \['(--[^']+)', program/],
    ['packaging/image/quittance-serve', /^#!\/usr\/local\/bin\/node (--\S+)\n/],
    ['packaging/systemd/quittance.service', /^ExecStart=\S+\/node (--\S+) \S+\/src\/main\.ts$/m],
    ['bench/server-process.ts', /START_FLAGS = \['(--[^']+)'\]/],
  ];
  const flags = starts.map(
    ([file, line]) => line.exec(readFileSync(join(ROOT, file), 'utf8'))?.[1],
  );
  assert.deepEqual(new Set(flags), new Set(['--max-semi-space-size=64']));
});

test('the installer puts every file where systemd looks, and users of the units are made', () => {
  const root = mkdtempSync(join(tmpdir(), 'quittance-units-'));
  try {
    execFileSync('sh', [join(FOLDER, 'install')], { env: { ...process.env, DESTDIR: root } });
    const users = readFileSync(join(root, 'etc/sysusers.d/quittance.conf'), 'utf8');
    for (const unit of UNITS) {
      const text = readFileSync(join(root, 'etc/systemd/system', unit), 'utf8');
      const user = /^User=(\S+)$/m.exec(text)?.[1] ?? '';
      assert.match(users, new RegExp(`^u ${user} `, 'm'));
    }
    const command = join(root, 'usr/local/bin/quittance');
    assert.equal(statSync(command).mode & 0o111, 0o111);
    assert.ok(existsSync(join(root, 'etc/tmpfiles.d/quittance.conf')));
    execFileSync('sh', ['-n', command]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
