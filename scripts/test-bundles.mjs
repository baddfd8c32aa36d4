// Many small test files in one process: the program is loaded and compiled once for all of them, which
// is more than half of what each costs. Each file is a suite of its own, so that what it says of
// before and after belongs to its own tests.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './setup.mjs';

/**
 * The files to run, each in a process of its own: what is among `first` as it is, the others in
 * bundles of `bundled` files. A file that is alone is run as it is.
 */
export function bundleFiles({ files, first, bundled }, directory) {
  const absolute = files.map((file) => path.resolve(root, file));
  if (bundled < 2 || files.length < 2) return absolute;
  fs.mkdirSync(directory, { recursive: true });
  const own = files.filter((file) => first.includes(file)).map((file) => path.resolve(root, file));
  const small = files.filter((file) => !first.includes(file));
  const bundles = Array.from({ length: Math.ceil(small.length / bundled) }, (_, index) => {
    const bundle = path.join(directory, `bundle-${index + 1}.test.mjs`);
    fs.writeFileSync(bundle, textOf(small.slice(index * bundled, (index + 1) * bundled)));
    return bundle;
  });
  return [...own, ...bundles];
}

/** The support file is loaded first, so that its end is that of the bundle and not of one file. */
function textOf(files) {
  const url = (file) => JSON.stringify(pathToFileURL(path.resolve(root, file)).href);
  const suites = files.map(
    (file) => `
suite(${JSON.stringify(file)}, async () => {
  after(closeTestDatabases);
  await import(${url(file)});
});`,
  );
  return `import { after, suite } from 'node:test';
import { closeTestDatabases } from ${url('test/support/test-database.ts')};
${suites.join('')}
`;
}
