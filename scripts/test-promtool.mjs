// npm run test:promtool: a running service is scraped and judged by Prometheus' own promtool, which is
// taken from Debian where it is not installed. Then Prometheus itself runs with the settings, alerts and
// charts that compose.yaml mounts. Ends with an error when promtool has anything to say, an alert does not
// fire in its test, or a chart shows nothing.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { root, setUp } from './setup.mjs';

const node = await setUp();
const main = path.join(root, 'test', 'promtool', 'main.ts');
process.exit(spawnSync(node, [main], { stdio: 'inherit' }).status ?? 1);
