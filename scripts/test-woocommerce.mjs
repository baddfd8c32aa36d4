// npm run test:woocommerce -- --woocommerce PATH: the plugin as shops install it, in a WordPress with MariaDB and
// PHP's own server in a scratch folder, over a fresh service: stories inside WooCommerce, then purchases
// and a refund in headless Chromium. PATH is an unpacked WooCommerce (the folder that holds
// woocommerce.php), which no registry has: without it only what needs none is tested, and that is
// said. --wordpress PATH: another WordPress than Debian's; --themes PATH: its themes; --orders tables or posts: only
// with orders in tables of their own, or only in the table of posts. Needs Debian's php-cli, php-curl, php-mysql, php-xml, php-mbstring, gettext, mariadb-server and wordpress. Not part of npm test.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { withLiveService } from './live-service.mjs';
import { fail, root, setUp } from './setup.mjs';

const shop = path.join(root, 'shops', 'woocommerce');
const output = path.join(root, 'test-output', 'woocommerce');
const { values } = parseArgs({
  options: {
    wordpress: { type: 'string', default: '/usr/share/wordpress' },
    woocommerce: { type: 'string' },
    themes: { type: 'string' },
    orders: { type: 'string', default: 'tables,posts' },
  },
});

const node = await setUp();
if (process.execPath !== node) {
  const words = [import.meta.filename, ...process.argv.slice(2)];
  process.exit(spawnSync(node, words, { stdio: 'inherit' }).status ?? 1);
}
for (const [program, install] of [
  ['php', 'php-cli php-curl php-mysql php-xml php-mbstring'],
  ['msgfmt', 'gettext'],
]) {
  if (spawnSync(program, ['--version']).status !== 0) fail(`not here: ${program} (${install})`);
}

fs.mkdirSync(output, { recursive: true });
const { buildPlugin } = await import('../shops/woocommerce/build.mjs');
const { listFaults } = await import('../shops/woocommerce/languages.mjs');
const first = buildPlugin(output);
const bytes = fs.readFileSync(first.archive);
const again = buildPlugin(output);
if (!bytes.equals(fs.readFileSync(again.archive))) fail('the same sources gave another zip');
console.log(`ok  ${path.basename(again.archive)}: ${bytes.length} bytes, twice the same`);
const faults = listFaults();
if (faults.length > 0) fail(faults.join('\n'));
console.log('ok  all is translated');
checkSyntax(again.folder);
const unit = spawnSync('php', [path.join(shop, 'tests', 'unit.php')], {
  env: { ...process.env, QUITTANCE_PLUGIN: again.folder },
  stdio: 'inherit',
});
if (unit.status !== 0) process.exit(1);

if (values.woocommerce === undefined) {
  console.log('left out: the shop itself. --woocommerce PATH names an unpacked WooCommerce.');
  process.exit(0);
}
if (!fs.existsSync(path.join(values.woocommerce, 'woocommerce.php'))) fail('no WooCommerce there');
if (!fs.existsSync(path.join(values.wordpress, 'wp-includes'))) {
  fail(`no WordPress in ${values.wordpress} (apt-get install wordpress)`);
}
const { testShop } = await import('../shops/woocommerce/tests/main.mjs');
const paths = { ...values, plugin: again.folder };
await withLiveService(node, (env, command) => testShop(paths, env, command));
console.log('All passed.');

function checkSyntax(folder) {
  const files = fs
    .readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.php'))
    .map((name) => path.join(folder, name));
  const wrong = files.filter((file) => spawnSync('php', ['-l', file]).status !== 0);
  if (wrong.length > 0) fail(`no right PHP: ${wrong.join(', ')}`);
  console.log(`ok  ${files.length} files are right PHP`);
}
