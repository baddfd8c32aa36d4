// node scripts/measure-growth.mjs [20000]: what a checkout takes in the database, measured on so many of
// them through the service as it is (docs/operate/what-is-kept.md). Not part of npm test.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { root, setUp } from './setup.mjs';

const checkouts = process.argv[2] ?? '20000';
const node = await setUp();
const { status } = spawnSync(node, ['test/growth/measure.ts', checkouts], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);
