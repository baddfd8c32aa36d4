// node scripts/measure-growth.mjs --increments 1400: what increments of the log cost (docs/proof.md).
// node scripts/measure-growth.mjs [20000]: what a checkout takes in the database, measured on so many of
// them through the service as it is (docs/operate/what-is-kept.md). Not part of npm test.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { root, setUp } from './setup.mjs';

const words = process.argv.slice(2).filter((word) => word !== '--increments');
const file = words.length === process.argv.length - 2 ? 'measure.ts' : 'measure-increments.ts';
const checkouts = words[0] ?? '20000';
const node = await setUp();
const { status } = spawnSync(node, [`test/growth/${file}`, checkouts], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);
