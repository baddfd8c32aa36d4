// npm run test:promtool: a running service is scraped and judged by Prometheus' own promtool, which is
// taken from Debian where it is not installed. Ends with an error when promtool has anything to say.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { root, setUp } from './setup.mjs';

const node = await setUp();
const main = path.join(root, 'test', 'promtool', 'main.ts');
process.exit(spawnSync(node, [main], { stdio: 'inherit' }).status ?? 1);
