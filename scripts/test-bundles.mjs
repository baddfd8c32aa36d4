// Many small test files in one process: the program is loaded and compiled once for all of them, which
// is more than half of what each costs. Each file is a suite of its own, so that what it says of
// before and after belongs to its own tests.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './setup.mjs';

/** Said by a file that changes, or lists, what a process has once: anchored assets for example. */
const ALONE = /^\/\/ Alone in its process/m;

/**
 * The files to run, each in a process of its own: bundles of `bundled` files, and as they are those among
 * `first` and those that say so.
 */
export function bundleFiles({ files, first, bundled }, directory) {
  const absolute = files.map((file) => path.resolve(root, file));
  if (bundled < 2 || files.length < 2) return absolute;
  fs.mkdirSync(directory, { recursive: true });
  const isAlone = (file) =>
    first.includes(file) || ALONE.test(fs.readFileSync(path.resolve(root, file), 'utf8'));
  const own = files.filter(isAlone).map((file) => path.resolve(root, file));
  const small = files.filter((file) => !isAlone(file));
  const bundles = Array.from({ length: Math.ceil(small.length / bundled) }, (_, index) => {
    const bundle = path.join(directory, `bundle-${index + 1}.test.mjs`);
    fs.writeFileSync(bundle, textOf(small.slice(index * bundled, (index + 1) * bundled)));
    return bundle;
  });
  return [...own, ...bundles];
}

/**
 * The support file is loaded first, so that its end is that of the bundle and not of one file. All
 * suites begin at once, and what loads CommonJS beside an import of the same modules fails: one file
 * is loaded after the other, each within its own suite, where Node looks for whose tests they are.
 */
function textOf(files) {
  const url = (file) => JSON.stringify(pathToFileURL(path.resolve(root, file)).href);
  const suites = files.map(
    (file) => `
suite(${JSON.stringify(file)}, async () => {
  after(closeTestDatabases);
  await load(${url(file)});
});`,
  );
  return `import { after, suite } from 'node:test';
import { closeTestDatabases } from ${url('test/support/test-database.ts')};

const waiting = [];
let isLoading = false;

function loadNext() {
  const go = waiting.shift();
  isLoading = go !== undefined;
  go?.();
}

async function load(url) {
  await new Promise((go) => {
    waiting.push(go);
    if (!isLoading) loadNext();
  });
  try {
    await import(url);
  } finally {
    loadNext();
  }
}
${suites.join('')}
`;
}
