// docs/recipes/add-a-network.md, followed: a family of one network in a folder of its own, and what
// the recipe says to write elsewhere, in a copy of the program. The copy compiles, and money sent
// on the new network completes a checkout.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { runLength } from '#test/support/run-length.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const OUTSIDE_MOST = 3;

type Insertion = { readonly file: string; readonly before: string; readonly text: string };

/** In the order of the recipe. */
const INSERTIONS: readonly Insertion[] = [
  {
    file: 'src/catalog/network.ts',
    before: "  bank: { knownBy: 'reference' },",
    text: "  pigeon: { knownBy: 'address' },",
  },
  {
    file: 'src/catalog/network.ts',
    before: "  {\n    id: 'BITCOIN',",
    text: `  {
    id: 'PIGEON',
    name: 'Pigeon post',
    family: 'pigeon',
    hexColor: '#7a7a7a',
    assets: ['CORN:NATIVE'],
    targetBlockSeconds: 60,
    uriScheme: 'pigeon',
    live: always(1),
    test: always(1),
    simulatedBlockSeconds: 1,
  },`,
  },
  {
    file: 'src/catalog/asset.ts',
    before: "  BTC: {\n    name: 'Bitcoin',",
    text: `  CORN: {
    name: 'Corn',
    group: 'CORN',
    hexColor: '#7a7a7a',
    riskLevel: 'LOW',
    issuer: openNetwork('Pigeon post', 'pigeon.example'),
  },`,
  },
  { file: 'src/catalog/asset.ts', before: "  ['BTC:NATIVE', 8],", text: "  ['CORN:NATIVE', 2]," },
  {
    file: 'src/networks/families.ts',
    before: "import { openStellarNetworks } from './stellar/open-stellar-networks.ts';",
    text: `import { openPigeonNetworks } from './pigeon/open-pigeon-networks.ts';
import { pigeonAddress, simulatedPigeonPayee } from './pigeon/pigeon-payee.ts';
import {
  PIGEON_SETTINGS,
  type PigeonSettings,
  readPigeonSettings,
} from './pigeon/pigeon-settings.ts';`,
  },
  {
    file: 'src/networks/families.ts',
    before: '  readonly bank: readonly BankAccount[];',
    text: '  readonly pigeon: PigeonSettings | undefined;',
  },
  {
    file: 'src/networks/families.ts',
    before: '  bank: {\n    settings: BANK_SETTINGS,',
    text: `  pigeon: {
    settings: PIGEON_SETTINGS,
    read: readPigeonSettings,
    open: openPigeonNetworks,
    isMain: () => false,
    simulate: simulatedPigeonPayee,
    simulatedFeeUnits: () => 1n,
    addressOf: pigeonAddress,
  },`,
  },
];

const copy = mkdtempSync(join(tmpdir(), 'quittance-recipe-'));
after(() => rmSync(copy, { recursive: true, force: true }));

function run(...parameters: string[]): string {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const options = { cwd: copy, env, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, options);
  assert.equal(status, 0, `${stdout}${stderr}`);
  return stdout;
}

function follow(): void {
  // The manual reads names and code of the client libraries.
  const ofClients = ['clients/vectors', 'clients/snippets'];
  for (const part of ['src', 'migrations', 'package.json', 'tsconfig.json', ...ofClients]) {
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  }
  for (const part of ['test/support', 'test/nodes', 'test/fakes', 'test/scenarios/pigeon']) {
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  cpSync(join(ROOT, 'test/scenarios/pigeon'), join(copy, 'src/networks/pigeon'), {
    recursive: true,
    filter: (path) => !path.endsWith('-story.ts'),
  });
  for (const { file, before, text } of INSERTIONS) {
    const path = join(copy, file);
    const source = readFileSync(path, 'utf8');
    assert.equal(source.split(before).length, 2, `${file} has once: ${before}`);
    writeFileSync(
      path,
      source.replace(before, () => `${text}\n${before}`),
    );
  }
}

test('the recipe names each file outside the folder, and there are three at most', () => {
  const recipe = readFileSync(join(ROOT, 'docs/recipes/add-a-network.md'), 'utf8');
  const [, family = ''] = recipe.split('## A new family');
  const named = new Set(family.match(/`src\/[\w./-]+\.ts`/g)?.map((path) => path.slice(1, -1)));
  const files = new Set(INSERTIONS.map(({ file }) => file));
  assert(files.size <= OUTSIDE_MOST, [...files].join(', '));
  for (const file of files) assert(named.has(file), `${file} is not in the recipe`);
});

before(follow);

/** The compiler reads the whole program once more: that costs more than the rest. */
if (runLength === 'long') {
  test('with the steps of the recipe the program compiles', () => {
    writeFileSync(
      join(copy, 'tsconfig.src.json'),
      JSON.stringify({
        extends: './tsconfig.json',
        include: ['src'],
        exclude: ['src/**/*.test.ts'],
      }),
    );
    const compiler = join(copy, 'node_modules/typescript/bin/tsc');
    // What it would keep for the next time lies where that of the program itself does.
    const alone = ['--incremental', 'false', '--singleThreaded'];
    run(compiler, '--project', 'tsconfig.src.json', ...alone);
  });
}

test('with the steps of the recipe the new network is paid', () => {
  const told = run('--test', '--test-reporter=tap', 'test/scenarios/pigeon/pigeon-story.ts');
  assert.match(told, /# pass 2\n# fail 0\n/);
});
