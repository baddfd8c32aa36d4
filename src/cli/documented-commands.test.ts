// What the documents tell a person to type: each command line exists, with the options it is given,
// and a test runs it; each setting exists.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { before, test } from 'node:test';
import type { RemoteContext } from '#remote/remote-command.ts';
import { runRemoteCommand } from '#remote/remote-commands.ts';
import { SETTINGS } from '#server/settings.ts';
import { runCommandLine, SERVICE_COMMANDS } from './run-command-line.ts';
import { runSignCommand } from './sign.ts';
import type { SignContext } from './sign-context.ts';

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENTS = [
  'README.md',
  'SECURITY.md',
  'docs/*.md',
  'docs/operate/*.md',
  'docs/recipes/*.md',
];
/** They hold keys, and are programs of their own. */
const APART = ['sign', 'trade'];
/** Of those programs, of Node, and of what measures and tests this one. */
const OTHER_SETTINGS = [
  ...['SIGNER_DIRECTORY', 'TRADER_DIRECTORY', 'NODE_EXTRA_CA_CERTS'],
  ...['UPDATE_GOLDEN', 'BENCH_SERVER_FLAGS'],
];

type Typed = { readonly where: string; readonly line: string };

let typed: readonly Typed[];
/** The usage of each command by its name. */
let usages: ReadonlyMap<string, string>;
let remoteNames: readonly string[];
before(async () => {
  typed = globSync(DOCUMENTS, { cwd: ROOT }).flatMap((path) =>
    linesTyped(readFileSync(join(ROOT, path), 'utf8')).map((line) => ({ where: path, line })),
  );
  const own = SERVICE_COMMANDS.map(({ name }) => name);
  const ofSigner = namesIn(await helpOfSigner(['sign']));
  const ofTrader = namesIn(helpOfTrader(['trade']));
  // What is folded after these belongs to the other programs.
  const [ofRemoteText = ''] = (await helpOfRemote([])).split('\n\nOf whoever');
  const ofRemote = namesIn(ofRemoteText);
  remoteNames = ofRemote;
  usages = new Map([
    ...(await Promise.all(
      ofRemote.map(async (name) => [name, await helpOfRemote(name.split(' '))] as const),
    )),
    ...(await Promise.all(own.map(async (name) => [name, await help(name.split(' '))] as const))),
    ...(await Promise.all(
      ofSigner.map(async (name) => [name, await helpOfSigner(name.split(' '))] as const),
    )),
    ...ofTrader.map((name) => [name, helpOfTrader(name.split(' '))] as const),
  ]);
});

test('each command that the documents name exists, and takes the options they give it', () => {
  assert.ok(typed.length > 200, `${typed.length} command lines were found`);
  const faults = typed.flatMap(({ where, line }) => {
    const name = commandOf(line);
    if (name === undefined) return [`${where}: no such command: ${line}`];
    const usage = usages.get(name) ?? '';
    return [...line.matchAll(/(?<=\s)--[a-z-]+/g)]
      .filter(([flag]) => !['--json', '--help'].includes(flag))
      .filter(([flag]) => !new RegExp(`${flag}(?![a-z-])`).test(usage))
      .map(([flag]) => `${where}: ${name} has no ${flag}: ${line}`);
  });
  assert.deepEqual(faults, []);
});

test('each command is given to the program that has it', async () => {
  const file = new URL('../../scripts/choose-program.mjs', import.meta.url).href;
  const { chooseProgram } = (await import(file)) as {
    chooseProgram(words: readonly string[], environment: object): string;
  };
  const programOf = (name: string, ...more: string[]) =>
    chooseProgram([...name.split(' '), ...more], {});
  for (const { name } of SERVICE_COMMANDS) assert.equal(programOf(name), 'src/cli/main.ts', name);
  for (const name of remoteNames) {
    assert.equal(programOf(name, '--profile', 'x'), 'src/remote/remote-main.ts', name);
  }
  assert.equal(programOf('sign key add'), 'src/cli/sign-main.ts');
  assert.equal(programOf('trade log'), 'src/cli/trade-main.ts');
  // Whatever nobody knows gets the help of all.
  assert.equal(programOf('listn'), 'src/remote/remote-main.ts');
});

test('each command that the documents name is run by a test', () => {
  const tests = globSync(['src/**/*.test.ts', 'test/**/*.ts'], { cwd: ROOT })
    .filter((path) => !path.endsWith('documented-commands.test.ts'))
    .map((path) => readFileSync(join(ROOT, path), 'utf8').replace(/['"`],\s*['"`]/g, ' '));
  const named = new Set(typed.flatMap(({ line }) => commandOf(line) ?? []));
  const neverRun = [...named].filter((name) => {
    const words = name.split(' ');
    const isApart = APART.includes(words[0] ?? '');
    const run = new RegExp(`['"\`](?:[^'"\`]* )?${name}(?=['"\` ,])`);
    // Tests of a program of its own name it once.
    const within = new RegExp(
      `(?:\\b${words[0]}\\(|\\[)\\[?['"\`]${words.slice(1).join(' ')}(?=['"\` ,])`,
    );
    return !tests.some((text) => run.test(text) || (isApart && within.test(text)));
  });
  assert.deepEqual(neverRun, []);
});

test('each setting that the documents write exists', () => {
  const known = new Set([...SETTINGS.map(({ name }) => name), ...OTHER_SETTINGS]);
  const faults = globSync(DOCUMENTS, { cwd: ROOT }).flatMap((path) =>
    codeOf(readFileSync(join(ROOT, path), 'utf8'))
      .flatMap((code) => [...code.matchAll(/^(?:\S+ )?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)=/gm)])
      .flatMap(([, name = '']) => (known.has(name) ? [] : [`${path}: ${name}`])),
  );
  assert.deepEqual(faults, []);
});

/** Code of a document: fenced blocks with continued lines joined, and what stands in a line. */
function codeOf(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^ *```\w*\n([\s\S]*?)^ *```/gm)].map(([, code = '']) => code);
  const rest = text.replace(/^ *```[\s\S]*?^ *```/gm, '');
  const spans = [...rest.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  return [...blocks.map((block) => block.replace(/\\\n\s*/g, ' ')), ...spans];
}

/** What stands after `npx quittance`, without a comment behind it. */
function linesTyped(text: string): readonly string[] {
  return codeOf(text)
    .flatMap((code) => code.split('\n'))
    .flatMap((line) => [
      ...line.matchAll(/(?:npx |^|&& |sudo )quittance ([a-z].*?)(?= +# |$| \|)/g),
    ])
    .map(([, words = '']) => words);
}

/** The longest name that the line begins with; options may stand between its words. */
function commandOf(line: string): string | undefined {
  const words = line.split(/\s+/).filter((word) => !word.startsWith('-'));
  for (let count = 4; count > 0; count -= 1) {
    const name = words.slice(0, count).join(' ');
    if (usages.has(name)) return name;
  }
  return undefined;
}

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/^ {2}([a-z][a-z -]*?) {2,}\S/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name.length > 0);
}

async function help(words: readonly string[]): Promise<string> {
  const said: string[] = [];
  const say = (text: string) => void said.push(text);
  const terminal = { say, complain: say, environment: {}, directory: ROOT, onProgress: () => {} };
  assert.equal(await runCommandLine([...words, '--help'], terminal), 0);
  return said.join('\n');
}

/** What holds keys: nothing of it is opened for its help. */
async function helpOfSigner(words: readonly string[]): Promise<string> {
  const said: string[] = [];
  const say = (text: string) => void said.push(text);
  const unopened = undefined as unknown as SignContext;
  assert.equal(await runSignCommand([...words, '--help'], { say, complain: say }, unopened), 0);
  return said.join('\n');
}

/** What asks an installation over HTTP: nobody is asked for its help. */
async function helpOfRemote(words: readonly string[]): Promise<string> {
  const said: string[] = [];
  const say = (text: string) => void said.push(text);
  const nobody = undefined as unknown as RemoteContext;
  assert.equal(await runRemoteCommand([...words, '--help'], { say, complain: say }, nobody), 0);
  return said.join('\n');
}

function helpOfTrader(words: readonly string[]): string {
  const file = join(ROOT, 'src/cli/trade-main.ts');
  return execFileSync(process.execPath, [file, ...words, '--help'], { encoding: 'utf8' });
}
