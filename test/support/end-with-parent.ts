// Loaded before every test file of a run: a run that is killed says nothing to its test files, which
// would go on by themselves, each with its servers and its browser.
import process from 'node:process';

const LOOK_EVERY_MS = 500;

const parent = process.ppid;
const timer = setInterval(() => {
  if (process.ppid === parent) return;
  process.stderr.write('the run of the tests is gone, and this file ends with it\n');
  process.exit(1);
}, LOOK_EVERY_MS);
timer.unref();
