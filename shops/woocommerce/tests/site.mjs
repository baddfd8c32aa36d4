// A WordPress with WooCommerce and our plugin in a scratch folder: MariaDB on a socket, PHP's own server on
// loopback. It ends with what was run over it.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../../../scripts/live-service.mjs';

const startSeconds = 120;
const workers = 6;
const here = import.meta.dirname;

/**
 * `paths`: `wordpress`, `woocommerce` and `plugin`, folders, and `themes`, one that may be absent. `env`: as of
 * withLiveService. `act` is given the site: `url`, `php` (runs a file in it) and what set-up.php says.
 */
export async function withSite(paths, env, act) {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'quittance-woocommerce-'));
  const ends = [];
  try {
    const socket = await startDatabase(scratch, ends);
    const folder = path.join(scratch, 'site');
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    layOut(paths, folder);
    fs.writeFileSync(path.join(folder, 'wp-config.php'), configOf(socket, url));
    const php = (file, words = [], more = {}) =>
      runPhp([file, ...words], { ...env, SHOP_FOLDER: folder, SHOP_URL: url, ...more });
    const setUp = path.join(here, 'set-up.php');
    php(setUp, [folder, url], { SHOP_STEP: 'install' });
    const said = php(setUp, [folder, url]).trim().split('\n').at(-1);
    await startServer(folder, port, env, ends);
    return await act({ url, folder, php, ...JSON.parse(said) });
  } finally {
    for (const end of ends.reverse()) await end();
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

async function startDatabase(scratch, ends) {
  const data = path.join(scratch, 'database');
  const socket = path.join(scratch, 'mariadb.sock');
  const user = process.getuid() === 0 ? ['--user=root'] : [];
  const made = spawnSync(
    'mariadb-install-db',
    ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', ...user],
    { encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`mariadb-install-db: ${made.stdout}${made.stderr}`);
  const words = [
    '--no-defaults',
    `--datadir=${data}`,
    `--socket=${socket}`,
    '--skip-networking',
    ...user,
  ];
  const log = fs.openSync(path.join(scratch, 'mariadb.log'), 'w');
  const program = fs.existsSync('/usr/sbin/mariadbd') ? '/usr/sbin/mariadbd' : 'mariadbd';
  const child = spawn(program, words, { stdio: ['ignore', log, log] });
  ends.push(() => endOf(child));
  const ask = () =>
    spawnSync('mariadb', [
      '--no-defaults',
      '-uroot',
      `--socket=${socket}`,
      '-e',
      'create database shop',
    ]);
  await until('MariaDB', child, () => ask().status === 0);
  return socket;
}

/** Links would lead WordPress back to where it was copied from. */
function layOut({ wordpress, woocommerce, plugin, themes }, folder) {
  const core = (name) => /^(?:wp-admin|wp-includes)$|\.php$/.test(name) && name !== 'wp-config.php';
  fs.mkdirSync(path.join(folder, 'wp-content', 'plugins'), { recursive: true });
  fs.mkdirSync(path.join(folder, 'wp-content', 'themes'), { recursive: true });
  for (const name of fs.readdirSync(wordpress).filter(core)) {
    copy(path.join(wordpress, name), path.join(folder, name));
  }
  const plugins = path.join(folder, 'wp-content', 'plugins');
  copy(woocommerce, path.join(plugins, 'woocommerce'));
  copy(plugin, path.join(plugins, 'quittance-for-woocommerce'));
  const from = themes ?? path.join(wordpress, 'wp-content', 'themes');
  if (fs.existsSync(from)) copy(from, path.join(folder, 'wp-content', 'themes'));
}

/** Debian's WordPress takes scripts from other packages by links: without one of them a page draws nothing, and says nothing. */
function copy(from, to) {
  const isFolder = fs.statSync(from).isDirectory();
  const missing = isFolder
    ? fs
        .readdirSync(from, { recursive: true })
        .map((name) => path.join(from, name))
        .filter((name) => !fs.existsSync(name))
    : [];
  if (missing.length > 0) {
    const links = missing.map((name) => `${name}, a link to ${fs.readlinkSync(name)}`);
    throw new Error(`not here, install the package that has it: ${links.join('; ')}`);
  }
  const words = ['-RL', `${from}${isFolder ? '/.' : ''}`, to];
  const { status, stderr } = spawnSync('cp', words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

function configOf(socket, url) {
  const keys = ['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'].flatMap((name) => [
    `${name}_KEY`,
    `${name}_SALT`,
  ]);
  return `<?php
define('DB_NAME', 'shop');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:${socket}');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
define('WP_HOME', '${url}');
define('WP_SITEURL', '${url}');
define('WP_DEBUG', true);
define('WP_DEBUG_DISPLAY', false);
define('WP_DEBUG_LOG', __DIR__ . '/debug.log');
define('WP_DISABLE_FATAL_ERROR_HANDLER', true);
define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('WP_ACCESSIBLE_HOSTS', '127.0.0.1');
${keys.map((name) => `define('${name}', 'of-a-trial-shop-${name}');`).join('\n')}
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
// Mails go nowhere.
if (!function_exists('wp_mail')) { function wp_mail(...$mail) { error_log('mail: ' . json_encode($mail[1] ?? '')); return true; } }
require_once ABSPATH . 'wp-settings.php';
`;
}

async function startServer(folder, port, env, ends) {
  const log = fs.openSync(path.join(folder, 'server.log'), 'w');
  const limits = ['-d', 'memory_limit=512M', '-d', 'max_execution_time=120'];
  const child = spawn('php', [...limits, '-S', `127.0.0.1:${port}`, '-t', folder], {
    env: { ...env, PHP_CLI_SERVER_WORKERS: String(workers) },
    stdio: ['ignore', log, log],
    detached: true,
  });
  ends.push(() => endOf(child, true));
  await until('PHP', child, () =>
    fetch(`http://127.0.0.1:${port}/readme.html`).then(
      () => true,
      () => false,
    ),
  );
}

function runPhp(words, env) {
  const { status, stdout, stderr } = spawnSync('php', ['-d', 'memory_limit=512M', ...words], {
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (status === 0) return stdout;
  const log = path.join(env.SHOP_FOLDER, 'debug.log');
  const logged = fs.existsSync(log) ? fs.readFileSync(log, 'utf8') : '';
  const said = [stdout, stderr, logged].map((text) => text.slice(-4000)).join('\n');
  throw new Error(`php ${path.basename(words[0])}: ${said}`);
}

async function until(name, child, isThere) {
  const endsAtMs = Date.now() + startSeconds * 1000;
  while (child.exitCode === null && Date.now() < endsAtMs) {
    if (await isThere()) return;
    await wait(200);
  }
  throw new Error(`${name} does not start`);
}

/** Workers of PHP's server are of its group. */
async function endOf(child, isGroup = false) {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(isGroup ? -child.pid : child.pid, 'SIGTERM');
  await ended;
}
