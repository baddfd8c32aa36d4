// A running service is scraped, and Prometheus' own promtool reads what it says. Then Prometheus itself
// runs with the configuration, the alerts and the questions of the charts that `compose.yaml` mounts.
// Where they are not installed, Debian's package is fetched and unpacked beside the system.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { newIdentity } from '#backup/seal-archive.ts';
import { findFreePort } from '#test/support/free-port.ts';
import { openServerProcess } from '#test/support/server-process.ts';
import { openShop, waitUntil } from '#test/support/shop.ts';
import { type Programs, watchByPrometheus } from './watch-by-prometheus.ts';

function run(program: string, words: readonly string[], cwd: string): void {
  const ended = spawnSync(program, words, { cwd, encoding: 'utf8' });
  if (ended.status !== 0) throw new Error(`${program} ${words.join(' ')}: ${ended.stderr}`);
}

function findPrograms(directory: string): Programs {
  const names = { promtool: 'promtool', prometheus: 'prometheus' };
  const areThere = Object.values(names).every(
    (name) => spawnSync(name, ['--version']).status === 0,
  );
  if (areThere) return names;
  run('apt-get', ['download', 'prometheus'], directory);
  const [archive] = readdirSync(directory).filter((name) => name.endsWith('.deb'));
  run('dpkg', ['-x', archive ?? '', directory], directory);
  const bin = join(directory, 'usr', 'bin');
  return { promtool: join(bin, 'promtool'), prometheus: join(bin, 'prometheus') };
}

const directory = mkdtempSync(join(tmpdir(), 'quittance-promtool-'));
const port = await findFreePort();
const { recipient } = await newIdentity();
const server = await openServerProcess({
  settings: {
    ...{ METRICS_PORT: String(port), BACKUP_TO: join(directory, 'backups') },
    ...{ BACKUP_RECIPIENTS: recipient, BACKUP_WAL_MINUTES: '1' },
  },
});
const scrape = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
try {
  const programs = findPrograms(directory);
  await server.start();
  const shop = await openShop(server, 'test');
  const { checkoutId } = await shop.open({ currency: 'EUR', amount: '19.90' }, 'LITECOIN');
  await shop.client.post('/sandbox/pay', { checkoutId });
  await shop.client.waitForState(checkoutId, 'PENDING');
  let input = '';
  await waitUntil('an increment to be measured', async () => {
    input = await scrape();
    return input.includes('quittance_backup_age_seconds{kind="increments"}');
  });
  const judged = spawnSync(programs.promtool, ['check', 'metrics'], { input, encoding: 'utf8' });
  process.stdout.write(`${input.split('\n').length} lines\n${judged.stdout}${judged.stderr}`);
  // It answers 3 where it only has advice.
  process.exitCode = judged.status ?? 1;
  if (judged.status === 0) process.stdout.write('promtool has nothing to say against it.\n');
  await watchByPrometheus({
    programs,
    directory,
    metricsPort: port,
    stopService: async () => void (await server.stop()),
    say: (line) => void process.stdout.write(`${line}\n`),
  });
  await shop.close();
} finally {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
}
process.exit();
