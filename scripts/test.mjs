// npm test: sets everything up, installs what the tests need from the system, runs them all.
// npm run test:long: of them those that play a short part of what is drawn by chance, now all of it.
import path from 'node:path';
import process from 'node:process';
import { runProgram } from './run-program.mjs';
import { fail, root, setUp } from './setup.mjs';
import { provideSystemParts } from './system-parts.mjs';
import { groups, selectGroups } from './test-groups.mjs';

const usage = `npm test                  everything: format, lint, types, all tests
npm test -- src/money     the test files whose path contains src/money
npm test -- --list        the files, by group
npm run test:long         what draws by chance, at full length (QUITTANCE_TEST_LENGTH=long); takes the same words
Groups: ${groups.map(({ name }) => name).join(', ')}. Ends with "N passed, M failed"; exit code 1 on any failure.`;

const parameters = process.argv.slice(2);
const filters = parameters.filter((parameter) => !parameter.startsWith('-'));
const unknown = parameters.find((parameter) => /^-/.test(parameter) && !isOption(parameter));
if (unknown !== undefined) fail(`Unknown option ${unknown}.\n${usage}`);
if (parameters.some((parameter) => parameter === '--help' || parameter === '-h')) {
  console.log(usage);
  process.exit(0);
}
const isLong = parameters.includes('--long');
const selected = selectGroups(filters, isLong);
if (selected.length === 0) fail(`No test file's path contains ${filters.join(' or ')}.`);
if (parameters.includes('--list')) {
  for (const { name, files } of selected) console.log(`${name}\n  ${files.join('\n  ')}`);
  process.exit(0);
}
// A full run needs every part even while no test asks for it: what is missing shows at once.
const isWhole = filters.length === 0 && !isLong;
const needs = (isWhole ? groups : selected).flatMap((group) => group.needs);
// Beside one another: both wait for others, and neither needs what the other brings.
const [node, systemParts] = await Promise.all([setUp(), provideSystemParts(needs)]);
const length = isLong ? { QUITTANCE_TEST_LENGTH: 'long' } : {};
const env = { ...process.env, ...length, ...systemParts };
const program = path.join(root, 'scripts', 'run-tests.mjs');
process.chdir(root);
process.exit(
  await runProgram(node, [program, ...(isLong ? ['--long'] : []), ...filters], {
    ownSession: true,
    env,
  }),
);

function isOption(parameter) {
  return ['--help', '-h', '--list', '--long'].includes(parameter);
}
