// Loaded before every test file of a run: a run that is killed says nothing to its test files, which
// would go on by themselves, each with its servers and its browser.
import process, { env } from 'node:process';

const LOOK_EVERY_MS = 500;

// The run says who it is: one that is gone before this is loaded has left the file to another.
const run = Number(env.QUITTANCE_TEST_RUN ?? process.ppid);
// What the file itself starts is a child of the file.
delete env.QUITTANCE_TEST_RUN;
const timer = setInterval(endWithRun, LOOK_EVERY_MS);
timer.unref();
endWithRun();

function endWithRun(): void {
  if (process.ppid === run) return;
  process.stderr.write('the run of the tests is gone, and this file ends with it\n');
  process.exit(1);
}
