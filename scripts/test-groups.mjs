// Which test files there are and which group each belongs to. A file in no other group is a unit test,
// so that no file is ever left out.
import fs from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

/**
 * `under`: folders whose tests belong to the group; `needs`: parts of the system (system-parts.mjs);
 * `first`: files that take longest, so that no one of them is left over at the end: each has a process
 * of its own, or `together` of them one. `bundled`: so many of the others share one
 * (test-bundles.mjs), and what `shared` names ends when all of them have.
 */
export const groups = [
  {
    name: 'Unit',
    under: [],
    needs: [],
    bundled: 24,
    first: [
      'test/fakes/stellar-lies.test.ts',
      'test/fakes/xrpl-lies.test.ts',
      'src/postgres/embedded-database.test.ts',
      'test/fakes/first-start.test.ts',
    ],
  },
  {
    name: 'Scenarios',
    under: ['test/scenarios'],
    needs: [],
    bundled: 6,
    together: 2,
    first: [
      'test/scenarios/soak.test.ts',
      'test/scenarios/backup-pipes.test.ts',
      'test/scenarios/rolling-restart.test.ts',
      'test/scenarios/killed-mails.test.ts',
      'test/scenarios/bank-by-hand.test.ts',
      'test/scenarios/bank-stories.test.ts',
      'test/scenarios/api-fuzz.test.ts',
      'test/scenarios/bad-starts.test.ts',
      'test/scenarios/add-a-network.test.ts',
      'test/scenarios/sandbox-stories.test.ts',
      'test/scenarios/second-start.test.ts',
      'test/scenarios/trade-commands.test.ts',
      'test/scenarios/treasury.test.ts',
      'test/scenarios/treasury-trades.test.ts',
      'test/scenarios/command-line.test.ts',
      'test/scenarios/sandbox-networks.test.ts',
      'test/scenarios/brake.test.ts',
    ],
  },
  {
    name: 'Forged deposits',
    under: ['test/forged'],
    needs: [],
    bundled: 6,
  },
  {
    name: 'Races',
    under: ['test/races'],
    needs: [],
    bundled: 6,
    first: ['test/races/signer-process.test.ts'],
  },
  {
    name: 'Simulation',
    under: ['test/simulation'],
    needs: [],
    first: ['test/simulation/simulation.test.ts'],
  },
  {
    name: 'Nodes',
    under: ['test/nodes'],
    needs: ['litecoind', 'electrum', 'anvil', 'safe', 'chromium'],
    bundled: 3,
    together: 2,
    // One Chromium for the files of a bundle.
    shared: ['test/browser/browser.ts'],
    first: [
      'test/nodes/litecoin-crashes.test.ts',
      'test/nodes/xrpl-crashes.test.ts',
      'test/nodes/litecoin-stories.test.ts',
      'test/nodes/separate-processes.test.ts',
      'test/nodes/restore-drill.test.ts',
      'test/nodes/litecoin-replaced-by-esplora.test.ts',
      'test/nodes/evm-safe-carried.test.ts',
      'test/nodes/restored.test.ts',
      'test/nodes/lightning-stories.test.ts',
      'test/nodes/evm-crashes.test.ts',
      'test/nodes/evm-sweep.test.ts',
      'test/nodes/evm-sent-by-signer.test.ts',
      'test/nodes/litecoin-by-hand.test.ts',
      'test/nodes/evm-by-hand.test.ts',
      'test/nodes/litecoin-by-esplora.test.ts',
      'test/nodes/evm-reorganisations.test.ts',
      'test/nodes/evm-stories.test.ts',
      'test/nodes/stellar-crashes.test.ts',
      'test/nodes/evm-safe.test.ts',
      'test/nodes/first-start.test.ts',
      'test/nodes/litecoin-sent-by-signer.test.ts',
    ],
  },
  {
    name: 'Browser',
    under: ['test/browser'],
    needs: ['chromium', 'noto', 'arimo', 'anvil'],
    bundled: 4,
    together: 2,
    // One Chromium for the files of a bundle.
    shared: ['test/browser/browser.ts'],
    first: [
      'test/browser/dashboard.test.ts',
      'test/browser/live.test.ts',
      'test/browser/pos.test.ts',
      'test/browser/layout.test.ts',
      'test/browser/hostile.test.ts',
      'test/browser/accessible.test.ts',
      'test/browser/branding.test.ts',
      'test/browser/embed.test.ts',
    ],
  },
];

/**
 * Said by a file that only a long run plays, because another one tells the same of something alike in
 * `npm test`. Whoever names it runs it all the same: `npm test -- rolling-restart`.
 */
const IN_LONG_RUN = /^\/\/ In a long run alone/m;

/** How the file that tells the length of a run is imported. */
const RUN_LENGTH = "/run-length.ts'";

const folders = ['src', 'scripts', 'test', 'bench', 'clients/typescript/test', 'shops/common'];

/**
 * Each group with its files, those without any left out. A filter is a part of a path. `isLong`: only
 * those that play more in a long run; else none that a long run alone plays, unless a filter names it.
 */
export function selectGroups(filters, isLong = false) {
  const files = folders
    .flatMap((folder) => listTests(folder))
    .filter((file) => filters.length === 0 || filters.some((filter) => matches(file, filter)))
    .filter((file) => (isLong ? asksForLength(file) : filters.length > 0 || !isLeftOut(file)))
    .sort();
  return groups
    .map((group) => ({ ...group, files: inOrder(group, files) }))
    .filter((group) => group.files.length > 0);
}

function inOrder({ name, first = [] }, files) {
  const own = files.filter((file) => groupOf(file) === name);
  return [
    ...first.filter((file) => own.includes(file)),
    ...own.filter((file) => !first.includes(file)),
  ];
}

function isLeftOut(file) {
  return IN_LONG_RUN.test(fs.readFileSync(path.join(root, file), 'utf8'));
}

/** Itself, or through a file that it shares with others: both load test/support/run-length.ts. */
function asksForLength(file) {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  if (text.includes(RUN_LENGTH) || IN_LONG_RUN.test(text)) return true;
  const imported = [...text.matchAll(/from '(\.[^']+|#test\/[^']+)'/g)].map(([, name]) =>
    name.startsWith('#test/')
      ? path.join(root, name.slice(1))
      : path.join(root, path.dirname(file), name),
  );
  // Some are text of a test: programs that it writes.
  return imported.some(
    (name) => fs.existsSync(name) && fs.readFileSync(name, 'utf8').includes(RUN_LENGTH),
  );
}

/**
 * One list of several: each is spread evenly over the whole, so that what computes (a browser, stories
 * from a seed) runs beside what waits (nodes, servers that start).
 */
export function mixLists(lists) {
  return lists
    .flatMap((list) => list.map((entry, at) => ({ entry, place: (at + 0.5) / list.length })))
    .sort((one, other) => one.place - other.place)
    .map(({ entry }) => entry);
}

function matches(file, filter) {
  return file.includes(filter.replaceAll('\\', '/').replace(/^\.\//, ''));
}

function groupOf(file) {
  const group = groups.find(({ under }) => under.some((folder) => file.startsWith(`${folder}/`)));
  return group?.name ?? 'Unit';
}

function listTests(folder) {
  const directory = path.join(root, folder);
  if (!fs.existsSync(directory)) return [];
  return fs.readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return listTests(name);
    return /\.test\.(ts|mjs)$/.test(entry.name) ? [name] : [];
  });
}
