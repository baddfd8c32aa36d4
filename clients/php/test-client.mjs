// npm run test:clients -- php: the archive of the package, installed by Composer where nothing else is, by
// the vectors and over a fresh service.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { withLiveService } from '../../scripts/live-service.mjs';
import { buildArchives } from './build-archives.mjs';

export async function testClient({ node, root, output }) {
  const here = path.join(root, 'clients', 'php');
  for (const [program, install] of [
    ['php', 'apt-get install php-cli php-curl php-zip'],
    ['composer', 'apt-get install composer'],
  ]) {
    if (spawnSync(program, ['--version']).status === 0) continue;
    console.log(`not here: ${program} (${install})`);
    return false;
  }
  const failed = [];
  const step = (name, isPassed) => {
    console.log(`${isPassed ? 'ok' : 'FAILED'}  ${name}`);
    if (!isPassed) failed.push(name);
  };
  const autoload = installArchive(root, output);
  const vectors = path.join(root, 'clients', 'vectors');
  const env = { ...process.env, QUITTANCE_VECTORS: vectors, QUITTANCE_AUTOLOAD: autoload };
  const test = (name) => path.join(here, 'tests', `${name}.php`);
  step('every file is right PHP', isRightPhp(here));
  step('vectors', run([test('vectors')], env));
  step('a PSR-18 client', run([test('psr18')], env));
  step(
    'every endpoint over a fresh service',
    await withLiveService(node, (live) => run([test('live')], { ...env, ...live })),
  );
  step(
    'examples',
    await withLiveService(node, (live) =>
      run([path.join(here, 'examples', 'hosted-checkout.php')], { ...env, ...live }),
    ),
  );
  return failed.length === 0;
}

/** Returns the file that loads the classes of the installed package. */
function installArchive(root, output) {
  fs.rmSync(output, { recursive: true, force: true });
  fs.mkdirSync(output, { recursive: true });
  const [archive] = buildArchives({ root, output }).files;
  const shop = path.join(output, 'shop');
  fs.mkdirSync(shop);
  const manifest = {
    repositories: [{ type: 'artifact', url: output }, { packagist: false }],
    require: { 'quittance/client': '*' },
  };
  fs.writeFileSync(path.join(shop, 'composer.json'), JSON.stringify(manifest));
  composer(['install', '--quiet'], shop);
  console.log(`${path.basename(archive)}: ${fs.statSync(archive).size} bytes`);
  return path.join(shop, 'vendor', 'autoload.php');
}

function composer(words, cwd) {
  const env = { ...process.env, COMPOSER_ALLOW_SUPERUSER: '1' };
  const { status, stderr } = spawnSync('composer', [...words, '--no-interaction'], {
    ...{ cwd, env, encoding: 'utf8' },
  });
  if (status !== 0) throw new Error(`composer ${words[0]}: ${stderr}`);
}

function isRightPhp(here) {
  const files = fs
    .readdirSync(here, { recursive: true })
    .filter((name) => name.endsWith('.php'))
    .map((name) => path.join(here, name));
  return files.every((file) => spawnSync('php', ['-l', file]).status === 0);
}

function run(words, env) {
  const { status } = spawnSync('php', words, { env, stdio: 'inherit' });
  return status === 0;
}
