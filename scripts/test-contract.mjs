// npm run test:contract: what other people's tools make of the OpenAPI document of a fresh service. One
// judges it, six make clients of it, whose code is compiled as strictly as their languages can; a document
// that makes a tool fail, or makes a language hold 150 types or more, ends with an error. Not part of npm
// test: it needs npm, Python, PHP, Java with Maven, and Go; what is lacking is said. `-- go,java`: some.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { withLiveService } from './live-service.mjs';
import { fail, root, setUp } from './setup.mjs';

const packages = {
  '@stoplight/spectral-cli': '6.16.3',
  'openapi-typescript': '7.13.0',
  '@hey-api/openapi-ts': '0.99.0',
  typescript: '5.9.3',
};
const pythonPackages = ['openapi-python-client==0.29.1', 'mypy==2.4.1', 'httpx==0.28.1'];
const generator = 'org.openapitools:openapi-generator-cli:7.25.0';
const copier = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
const typesLimit = 150;

// Not `exactOptionalPropertyTypes`: what hey-api puts beside the types, whatever the document says, is not
// written for it (hey-api/hey-api, issue 2363).
const compilerOptions = {
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
  module: 'esnext',
  moduleResolution: 'bundler',
};

const output = path.join(root, 'test-output', 'contract');
const tools = path.join(output, 'tools');
const document = path.join(output, 'openapi.json');

/** Each returns how many types it made, or undefined where it makes none. */
const kinds = {
  spectral: judge,
  'openapi-typescript': makeTypes,
  'hey-api': makeTypeScript,
  'openapi-python-client': makePython,
  php: makePhp,
  java: makeJava,
  go: makeGo,
};
const needs = {
  php: ['php', 'java', 'mvn'],
  java: ['java', 'javac', 'mvn'],
  go: ['go', 'java', 'mvn'],
};

const wanted = process.argv.slice(2).flatMap((word) => word.split(','));
const unknown = wanted.find((name) => !(name in kinds));
if (unknown !== undefined) fail(`There is no ${unknown}: ${Object.keys(kinds).join(', ')}`);
const chosen = wanted.length > 0 ? wanted : Object.keys(kinds);
refuseLacking();

const node = await setUp();
fs.mkdirSync(tools, { recursive: true });
await fetchDocument();
const faults = [];
for (const name of chosen) {
  try {
    const types = kinds[name](freshFolder(name));
    console.log(types === undefined ? `${name}: no warning` : `${name}: ${types} types, compiled`);
    if (types !== undefined && !(types > 0 && types < typesLimit)) {
      faults.push(`${name}: ${types} types, ${typesLimit} or more`);
    }
  } catch (error) {
    faults.push(`${name}: ${error.message}`);
  }
}
for (const fault of faults) console.error(fault);
console.log(faults.length === 0 ? 'All passed.' : `${faults.length} failed.`);
process.exitCode = faults.length === 0 ? 0 : 1;

function judge(folder) {
  const rules = path.join(folder, 'ruleset.yaml');
  fs.writeFileSync(rules, 'extends: ["spectral:oas"]\n');
  npmTool('spectral', ['lint', document, '--ruleset', rules, '--fail-severity', 'warn']);
  return undefined;
}

function makeTypes(folder) {
  const file = path.join(folder, 'types.ts');
  npmTool('openapi-typescript', [document, '--output', file]);
  checkTypes(folder);
  const [, schemas = ''] = fs.readFileSync(file, 'utf8').split('\n    schemas: {\n');
  return matches(schemas.split('\n    };\n')[0], /^ {8}\w+: /gm);
}

function makeTypeScript(folder) {
  npmTool('openapi-ts', ['-i', document, '-o', folder, '-c', '@hey-api/client-fetch']);
  checkTypes(folder);
  const ofCalls = operationNames().flatMap((name) => [
    `${name}Data`,
    `${name}Errors`,
    `${name}Responses`,
  ]);
  const others = new Set([...ofCalls, 'ClientOptions']);
  const made = fs.readFileSync(path.join(folder, 'types.gen.ts'), 'utf8');
  const objects = [...made.matchAll(/^export type (\w+) = \{/gm)].map(([, name]) => name);
  return objects.filter(
    (name) => !others.has(name) && !/WebhookPayload$|WebhookRequest$/.test(name),
  ).length;
}

function makePython(folder) {
  const bin = installPython();
  const settings = path.join(folder, 'settings.yaml');
  fs.writeFileSync(settings, 'post_hooks: []\n');
  run(path.join(bin, 'openapi-python-client'), [
    ...['generate', '--path', document, '--config', settings],
    ...['--output-path', path.join(folder, 'made'), '--fail-on-warning'],
  ]);
  const made = path.join(folder, 'made');
  const python = path.join(bin, 'python');
  const everyModule =
    'import importlib, pkgutil, quittance_client as made\n' +
    'for one in pkgutil.walk_packages(made.__path__, "quittance_client."):\n' +
    '    importlib.import_module(one.name)\n';
  run(python, ['-m', 'compileall', '-q', made]);
  run(python, ['-c', everyModule], { cwd: made });
  run(python, ['-m', 'mypy', '--strict', 'quittance_client'], { cwd: made });
  return countFiles(
    made,
    (file, text) => /models[/\\]\w+\.py$/.test(file) && text.includes('@_attrs_define'),
  );
}

function makePhp(folder) {
  generate('php', folder);
  for (const file of listFiles(folder).filter((one) => one.endsWith('.php'))) {
    run('php', ['-l', file]);
  }
  return countFiles(folder, (file) => /lib[/\\]Model[/\\](?!ModelInterface)\w+\.php$/.test(file));
}

function makeJava(folder) {
  generate('java', folder);
  run('mvn', ['-B', '-q', 'compile'], { cwd: folder });
  return countFiles(folder, (file) =>
    /main[/\\].*model[/\\](?!AbstractOpenApi)\w+\.java$/.test(file),
  );
}

function makeGo(folder) {
  generate('go', folder);
  run('go', ['vet', '.'], { cwd: folder, env: { ...process.env, GOFLAGS: '-mod=mod' } });
  return countFiles(folder, (file) => /[/\\]model_\w+\.go$/.test(file));
}

/** As it names them in code: the first letter is a capital. */
function operationNames() {
  const { paths, webhooks } = JSON.parse(fs.readFileSync(document, 'utf8'));
  return [...Object.values(paths), ...Object.values(webhooks)]
    .flatMap((operations) => Object.values(operations))
    .map(({ operationId }) => `${operationId[0].toUpperCase()}${operationId.slice(1)}`);
}

function checkTypes(folder) {
  const file = path.join(folder, 'tsconfig.json');
  fs.writeFileSync(file, JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
  npmTool('tsc', ['--project', file]);
}

function npmTool(name, words) {
  const folder = path.join(tools, 'npm');
  const manifest = JSON.stringify({ private: true, dependencies: packages });
  const stamp = path.join(folder, 'installed.json');
  if (!fs.existsSync(stamp) || fs.readFileSync(stamp, 'utf8') !== manifest) {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'package.json'), manifest);
    run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
    fs.writeFileSync(stamp, manifest);
  }
  const { bin } = JSON.parse(fs.readFileSync(manifestOf(folder, name), 'utf8'));
  const file = typeof bin === 'string' ? bin : bin[name];
  run(node, [path.join(path.dirname(manifestOf(folder, name)), file), ...words]);
}

function manifestOf(folder, program) {
  const names = {
    spectral: '@stoplight/spectral-cli',
    'openapi-ts': '@hey-api/openapi-ts',
    tsc: 'typescript',
  };
  return path.join(folder, 'node_modules', names[program] ?? program, 'package.json');
}

/** Where its programs are. */
function installPython() {
  const folder = path.join(tools, 'python');
  const bin = path.join(folder, process.platform === 'win32' ? 'Scripts' : 'bin');
  if (!fs.existsSync(path.join(bin, 'mypy'))) {
    run('python3', ['-m', 'venv', folder]);
    run(path.join(bin, 'pip'), ['install', '--quiet', ...pythonPackages]);
  }
  return bin;
}

function generate(language, folder) {
  const words = ['-i', document, '-g', language, '-o', folder];
  const [, name, version] = generator.split(':');
  const program = path.join(tools, `${name}-${version}.jar`);
  if (!fs.existsSync(program)) {
    run('mvn', ['-B', '-q', copier, `-Dartifact=${generator}`, `-DoutputDirectory=${tools}`]);
  }
  // Without skeletons of tests: of those for PHP, each of a webhook has the same name.
  const without = ['--global-property', 'apiTests=false,modelTests=false'];
  run('java', ['-jar', program, 'generate', ...without, ...words]);
}

function run(command, words, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, words, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    ...options,
  });
  if (status === 0) return;
  const said = error?.message ?? `${stdout}${stderr}`.trim();
  throw new Error(`${path.basename(command)} ${words.slice(0, 3).join(' ')}\n${said.slice(-6000)}`);
}

function refuseLacking() {
  const programs = ['npm', 'python3', ...chosen.flatMap((name) => needs[name] ?? [])];
  const lacking = programs.filter(
    (name) => spawnSync(name, [name === 'go' ? 'version' : '--version']).error,
  );
  if (lacking.length > 0) fail(`Not on this machine: ${[...new Set(lacking)].join(', ')}`);
}

async function fetchDocument() {
  await withLiveService(node, async ({ QUITTANCE_URL: origin }) => {
    const answer = await fetch(`${origin}/api/v1/openapi.json`);
    if (!answer.ok) throw new Error(`openapi.json: ${answer.status}`);
    fs.writeFileSync(document, await answer.text());
  });
}

function freshFolder(name) {
  const folder = path.join(output, name);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  return folder;
}

function listFiles(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

function countFiles(folder, isType) {
  return listFiles(folder).filter((file) => isType(file, fs.readFileSync(file, 'utf8'))).length;
}

function matches(text, pattern) {
  return [...text.matchAll(pattern)].length;
}
