// Secrets come from the cluster as files that a group may read; the service refuses what anybody but
// its user may read. They are copied into memory, and the key file is linked to where it is looked
// for: beside the records that outlive the database.
const fs = require('node:fs');
const path = require('node:path');
const [given, kept, keys] = process.argv.slice(1);
for (const name of fs.readdirSync(given)) {
  // Links that the cluster makes for itself.
  if (name.startsWith('..')) continue;
  const file = path.join(kept, name);
  fs.rmSync(file, { force: true });
  fs.writeFileSync(file, fs.readFileSync(path.join(given, name)), { mode: 0o600 });
}
fs.mkdirSync(keys, { recursive: true, mode: 0o700 });
const key = path.join(keys, 'quittance.key');
fs.rmSync(key, { force: true });
fs.symlinkSync(path.join(kept, 'quittance.key'), key);
