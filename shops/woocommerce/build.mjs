// node shops/woocommerce/build.mjs [FOLDER]: the plugin as shops install it, in FOLDER (test-output/woocommerce
// unless given): the folder, and the zip of it. The library for PHP comes along in lib, under a namespace
// of the plugin, so that another plugin with another version of it is not in the way. The same sources
// give the same bytes. Needs msgfmt (Debian: gettext).
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { crc32, deflateRawSync } from 'node:zlib';

const here = import.meta.dirname;
const root = path.dirname(path.dirname(here));
const name = 'quittance-for-woocommerce';
const own = ['quittance-for-woocommerce.php', 'uninstall.php', 'readme.txt', 'src', 'assets'];
/** 1980-01-01, the first day that a zip knows. */
const zipDate = 0x21;

/** Returns the folder of the plugin and its zip. */
export function buildPlugin(output) {
  const folder = path.join(output, name);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(path.join(folder, 'languages'), { recursive: true });
  for (const part of own) {
    fs.cpSync(path.join(here, part), path.join(folder, part), { recursive: true });
  }
  fs.copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE.txt'));
  takeClient(path.join(folder, 'lib'));
  compileLanguages(path.join(folder, 'languages'));
  const archive = path.join(output, `${name}.zip`);
  fs.writeFileSync(archive, zip(output, listFiles(folder, output)));
  return { folder, archive };
}

/** A class `Quittance\Webhooks` becomes `QuittanceWooCommerce\Client\Webhooks`, also where it is named. */
function takeClient(folder) {
  const source = path.join(root, 'clients', 'php', 'src');
  for (const file of listFiles(source, source)) {
    const text = fs.readFileSync(path.join(source, file), 'utf8');
    const renamed = text
      .replaceAll(/(?<![A-Za-z0-9_])Quittance\\(?=[A-Za-z])/g, 'QuittanceWooCommerce\\Client\\')
      .replaceAll(/^namespace Quittance;/gm, 'namespace QuittanceWooCommerce\\Client;');
    const to = path.join(folder, file);
    fs.mkdirSync(path.dirname(to), { recursive: true });
    fs.writeFileSync(to, renamed);
  }
}

function compileLanguages(folder) {
  const source = path.join(here, 'languages');
  for (const file of fs.readdirSync(source).sort()) {
    fs.copyFileSync(path.join(source, file), path.join(folder, file));
    if (!file.endsWith('.po')) continue;
    const to = path.join(folder, file.replace(/\.po$/, '.mo'));
    const words = ['--check', '--no-hash', '-o', to, path.join(source, file)];
    const { status, stderr, error } = spawnSync('msgfmt', words, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`msgfmt (apt-get install gettext): ${stderr ?? error}`);
  }
}

function listFiles(folder, from) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(from, path.join(entry.parentPath, entry.name)))
    .sort();
}

function zip(base, files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const file of files) {
    const data = fs.readFileSync(path.join(base, file));
    const packed = deflateRawSync(data, { level: 9 });
    const title = Buffer.from(file.split(path.sep).join('/'));
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0); // version that is needed
    common.writeUInt16LE(0x0800, 2); // names are UTF-8
    common.writeUInt16LE(8, 4); // deflated
    common.writeUInt16LE(zipDate, 8);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(title.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE((0o100644 << 16) >>> 0, 6);
    place.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, title, packed]);
    parts.push(local);
    directory.push(Buffer.from('PK\x01\x02\x14\x03'), common, place, title);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listed, Buffer.from('PK\x05\x06'), end]);
}

if (process.argv[1] === import.meta.filename) {
  const output = path.resolve(process.argv[2] ?? path.join(root, 'test-output', 'woocommerce'));
  fs.mkdirSync(output, { recursive: true });
  const { archive } = buildPlugin(output);
  console.log(`${archive}: ${fs.statSync(archive).size} bytes`);
}
