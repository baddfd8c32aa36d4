// Loaded before everything else in a service or signer that runs with a bug: the source of its files
// is changed while it is read, and no file of the tree is. QUITTANCE_TEST_BUG names the bug.
import { registerHooks } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { findKillBug, withChanges } from './kill-bugs.ts';

const { changes } = findKillBug(process.env.QUITTANCE_TEST_BUG ?? '');
const root = path.join(import.meta.dirname, '..', '..');

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const own = changes.filter(({ file }) => pathToFileURL(path.join(root, file)).href === url);
    if (own.length === 0) return loaded;
    return { ...loaded, source: withChanges(own, String(loaded.source)) };
  },
});
