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
 * The files of a group to run: `first` those that take longest, `rest` the others. Each has a process
 * of its own, but for those in bundles, `together` of the first ones and `bundled` of the others, which
 * do not say otherwise.
 */
export function bundleFiles(group, directory) {
  const { name, files, first = [], bundled = 1, together = 1, shared = [] } = group;
  const absolute = (list) => list.map((file) => path.resolve(root, file));
  const long = files.filter((file) => first.includes(file));
  const others = files.filter((file) => !first.includes(file));
  if (bundled < 2 || files.length < 2) return { first: absolute(long), rest: absolute(others) };
  fs.mkdirSync(directory, { recursive: true });
  const isAlone = (file) => ALONE.test(fs.readFileSync(path.resolve(root, file), 'utf8'));
  const bundle = (list, most, called) => {
    const sharing = list.filter((file) => !isAlone(file));
    const bundles = Array.from({ length: Math.ceil(sharing.length / most) }, (_, index) => {
      const place = path.join(directory, `${name}-${called}${index + 1}.test.mjs`);
      const own = sharing.slice(index * most, (index + 1) * most);
      fs.writeFileSync(place, textOf(own, shared, `bundle ${name}-${called}${index + 1}, loading`));
      return place;
    });
    return [...absolute(list.filter(isAlone)), ...bundles];
  };
  return {
    first: together < 2 ? absolute(long) : bundle(long, together, 'first-'),
    rest: bundle(others, bundled, ''),
  };
}

/**
 * What files share is loaded first, so that its end is that of the bundle and not of one file. All
 * suites begin at once, and what loads CommonJS beside an import of the same modules fails: one file
 * is loaded after the other, each within its own suite, where Node looks for whose tests they are. No
 * test runs before all are loaded: the first files would be charged with what the others load.
 */
function textOf(files, shared, loading) {
  const url = (file) => JSON.stringify(pathToFileURL(path.resolve(root, file)).href);
  const suites = files.map(
    (file) => `
suite(${JSON.stringify(file)}, async () => {
  after(closeTestDatabases);
  after(() => noteCost(${JSON.stringify(file)}));
  await load(${url(file)});
});`,
  );
  return `import { after, suite } from 'node:test';
import { noteCost } from ${url('test/support/note-cost.ts')};
import { closeTestDatabases } from ${url('test/support/test-database.ts')};
${shared.map((file) => `import ${url(file)};\n`).join('')}
const waiting = [];
let isLoading = false;
const allLoaded = Promise.withResolvers();

function loadNext() {
  const go = waiting.shift();
  isLoading = go !== undefined;
  if (isLoading) return go();
  // No file that runs meanwhile is charged with what all load.
  noteCost(${JSON.stringify(loading)});
  allLoaded.resolve();
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
  await allLoaded.promise;
}
${suites.join('')}
`;
}
