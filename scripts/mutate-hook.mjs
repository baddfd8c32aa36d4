// Loaded before everything else in a thread that runs with a bug: the source of one file is changed
// while it is read, and no file of the tree is. QUITTANCE_BUG names the bug.
import { registerHooks } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { findBug, withBug } from './mutate-bugs.mjs';

const bug = findBug(process.env.QUITTANCE_BUG ?? '');
const wanted = pathToFileURL(path.join(import.meta.dirname, '..', bug.file)).href;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (url !== wanted) return loaded;
    return { ...loaded, source: withBug(bug, String(loaded.source)) };
  },
});
