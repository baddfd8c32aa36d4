// Faults of the program that a soak has to find, each a small change of one source file, made while a
// process reads it: QUITTANCE_TEST_BUG names one. `npm run test:soak -- --bug leak` loads this first.
import { registerHooks } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const COUNTED = 'const known = HTTP_METHODS.has(method)';

type Bug = {
  readonly what: string;
  readonly file: string;
  /** Stands in it exactly once. */
  readonly from: string;
  readonly to: string;
};

export const SOAK_BUGS: Readonly<Record<string, Bug>> = {
  leak: {
    what: 'each answer leaves 64 KB behind',
    file: 'src/server/meters.ts',
    from: COUNTED,
    to: `(globalThis.left ??= []).push(new Array(8192).fill(status)); ${COUNTED}`,
  },
  descriptors: {
    what: 'each answer leaves a file open',
    file: 'src/server/meters.ts',
    from: COUNTED,
    to: `process.getBuiltinModule('fs').openSync('/dev/null'); ${COUNTED}`,
  },
  'webhook-lost': {
    what: 'a webhook that was refused counts as delivered',
    file: 'src/event/decide-delivery.ts',
    from: 'status >= 200 && status <= 299)',
    to: 'status >= 200 && status <= 599)',
  },
  dies: {
    what: 'a process ends when its database does',
    file: 'src/db/db.ts',
    from: "log.warn('database connection lost', { error: error.message })",
    to: 'process.exit(1)',
  },
};

const name = process.env.QUITTANCE_TEST_BUG;
const bug = name === undefined ? undefined : SOAK_BUGS[name];
if (bug !== undefined) {
  const wanted = pathToFileURL(path.join(import.meta.dirname, '..', '..', bug.file)).href;
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (url !== wanted) return loaded;
      return { ...loaded, source: withBug(bug, String(loaded.source)) };
    },
  });
}

function withBug({ file, from, to }: Bug, source: string): string {
  const parts = source.split(from);
  if (parts.length !== 2) throw new Error(`${file} does not hold this once: ${from}`);
  return parts.join(to);
}
