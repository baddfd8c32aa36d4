// A running service is scraped, and Prometheus' own promtool reads what it says. Where promtool is
// not installed, Debian's package is fetched and unpacked beside the system.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { findFreePort } from '#test/support/free-port.ts';
import { openServerProcess } from '#test/support/server-process.ts';
import { openShop } from '#test/support/shop.ts';

function run(program: string, words: readonly string[], cwd: string): void {
  const ended = spawnSync(program, words, { cwd, encoding: 'utf8' });
  if (ended.status !== 0) throw new Error(`${program} ${words.join(' ')}: ${ended.stderr}`);
}

function findPromtool(directory: string): string {
  if (spawnSync('promtool', ['--version']).status === 0) return 'promtool';
  run('apt-get', ['download', 'prometheus'], directory);
  const [archive] = readdirSync(directory).filter((name) => name.endsWith('.deb'));
  run('dpkg', ['-x', archive ?? '', directory], directory);
  return join(directory, 'usr', 'bin', 'promtool');
}

const directory = mkdtempSync(join(tmpdir(), 'quittance-promtool-'));
const port = await findFreePort();
const server = await openServerProcess({ settings: { METRICS_PORT: String(port) } });
try {
  const promtool = findPromtool(directory);
  await server.start();
  const shop = await openShop(server, 'test');
  const { checkoutId } = await shop.open({ currency: 'EUR', amount: '19.90' }, 'LITECOIN');
  await shop.client.post('/sandbox/pay', { checkoutId });
  await shop.client.waitForState(checkoutId, 'PENDING');
  const input = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const judged = spawnSync(promtool, ['check', 'metrics'], { input, encoding: 'utf8' });
  process.stdout.write(`${input.split('\n').length} lines\n${judged.stdout}${judged.stderr}`);
  // It answers 3 where it only has advice.
  process.exitCode = judged.status ?? 1;
  if (judged.status === 0) process.stdout.write('promtool has nothing to say against it.\n');
  await shop.close();
} finally {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
}
process.exit();
