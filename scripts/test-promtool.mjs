// npm run test:promtool: a running service is scraped and judged by Prometheus' own promtool, which is
// taken from Debian where it is not installed. Then Prometheus itself runs with the settings, alerts and
// charts that compose.yaml mounts. Ends with an error when promtool has anything to say, an alert does not
// fire in its test, or a chart shows nothing. Where Go is installed the dashboards are read by the schema of
// Grafana first.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { root, setUp } from './setup.mjs';

const node = await setUp();
if (spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0) {
  const folder = path.join(root, 'packaging', 'compose', 'grafana', 'dashboards');
  const boards = fs.readdirSync(folder).map((name) => path.join(folder, name));
  const cwd = path.join(root, 'test', 'promtool', 'charts');
  const { status } = spawnSync('go', ['run', '.', ...boards], { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
} else {
  console.error('Go is missing: the dashboards are not read by the schema of Grafana.');
}
const main = path.join(root, 'test', 'promtool', 'main.ts');
process.exit(spawnSync(node, [main], { stdio: 'inherit' }).status ?? 1);
