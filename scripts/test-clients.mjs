// npm run test:clients -- typescript: a client library as it is published, installed in a clean place, by
// the vectors and over a fresh service. Without a name: all of them. Not part of npm test; what a language
// needs and this machine lacks is said. Each is tested by clients/<name>/test-client.mjs, which
// exports testClient({ node, root, output }) and returns whether all of it passed.
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { fail, root, setUp } from './setup.mjs';

const folder = path.join(root, 'clients');
const known = fs
  .readdirSync(folder)
  .filter((name) => fs.existsSync(path.join(folder, name, 'test-client.mjs')));
const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !known.includes(name));
if (unknown !== undefined) fail(`There is no ${unknown}: ${known.join(', ')}`);

const node = await setUp();
const failed = [];
for (const name of wanted.length > 0 ? wanted : known) {
  const output = path.join(root, 'test-output', 'clients', name);
  fs.mkdirSync(output, { recursive: true });
  const file = pathToFileURL(path.join(folder, name, 'test-client.mjs')).href;
  const { testClient } = await import(file);
  console.log(`\n== ${name}`);
  const isPassed = await testClient({ node, root, output }).catch((error) => {
    console.error(error);
    return false;
  });
  if (!isPassed) failed.push(name);
}
console.log(failed.length === 0 ? 'All passed.' : `Failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
