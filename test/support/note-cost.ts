// Loaded before every test file of a run: notes what the file took of the processors, with all that
// it started and waited for (Linux alone says this; elsewhere nothing is noted).
import { appendFileSync, readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import process, { env } from 'node:process';

/** `sysconf(_SC_CLK_TCK)`, on every Linux that Node runs on. */
const TICKS_A_SECOND = 100;
/** utime, stime, cutime and cstime, counted behind the name of the program (proc_pid_stat(5)). */
const [FIRST, END] = [11, 15];

const { QUITTANCE_TEST_COSTS: notes } = env;
// Programs that a test starts note nothing: they belong to what it took.
delete env.QUITTANCE_TEST_COSTS;
let noted = 0;

/** What this process took since this was asked last belongs to `file`. */
export function noteCost(file: string): void {
  if (notes === undefined) return;
  const now = readSeconds();
  if (now === undefined) return;
  appendFileSync(notes, `${JSON.stringify({ file, seconds: now - noted })}\n`);
  noted = now;
}

function readSeconds(): number | undefined {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(FIRST, END).reduce((sum, one) => sum + Number(one), 0);
    return ticks / TICKS_A_SECOND;
  } catch {
    return undefined;
  }
}

const [, file = ''] = process.argv;
// A bundle tells it for each of its files (scripts/test-bundles.mjs), and at its end what they shared: a
// browser is counted when it has ended.
const isBundle = file.includes('/bundles/');
const name = isBundle ? `bundle ${basename(file, '.test.mjs')}` : relative(process.cwd(), file);
process.once('exit', () => noteCost(name));
