// npm run test:ha: three nodes of PostgreSQL under Patroni with etcd and HAProxy on this machine; the
// primary is killed under load again and again (--kills 20). Debian packages: patroni, etcd-server,
// haproxy, postgresql. Not part of npm test.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import process from 'node:process';
import { fail, root, setUp } from './setup.mjs';

const needed = { patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy' };
const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin'];
const missing = Object.entries(needed)
  .filter(([name]) => !folders.some((folder) => fs.existsSync(`${folder}/${name}`)))
  .map(([, debian]) => debian);
const versions = fs.existsSync('/usr/lib/postgresql') ? fs.readdirSync('/usr/lib/postgresql') : [];
const bin = versions
  .sort((one, other) => Number(other) - Number(one))
  .map((version) => `/usr/lib/postgresql/${version}/bin`)
  .find((folder) => fs.existsSync(`${folder}/postgres`));
if (bin === undefined) missing.push('postgresql');
if (missing.length > 0) {
  fail(`Missing: apt-get install --no-install-recommends ${missing.join(' ')} python3-etcd`);
}
const node = await setUp();
const words = ['test/ha/main.ts', bin, ...process.argv.slice(2)];
const env = { ...process.env, PATH: folders.join(':') };
process.exitCode = spawnSync(node, words, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
