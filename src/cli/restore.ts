// A backup back into an empty place, up to where the service may be started: rows, key file, what
// was given out since, the proof of the ledger, and what is lost.

import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KEY_ENTRY, SETTINGS_ENTRY } from '#backup/make-backup.ts';
import type { SealedManifest } from '#backup/manifest.ts';
import { restoreBackup } from '#backup/restore-backup.ts';
import { systemRandom } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { counted } from '#base/text.ts';
import { listChainReports } from '#chain/chain-report.ts';
import { keyCheckOf } from '#installation/installation.ts';
import { openKeyring } from '#installation/keyring.ts';
import { checkHeads, readHead } from '#ledger/head-record.ts';
import { readMigrations } from '#postgres/migrate.ts';
import { replacePrivateFile } from '#runtime/private-file.ts';
import type { App } from '#server/app.ts';
import type { Config } from '#server/config.ts';
import { MIGRATIONS, openEmptyPlace } from '#server/open-database.ts';
import { BY_OPTION, BY_USAGE, type Command, type PlaceContext, whoOf } from './command.ts';
import { afterRestore, leftOutJson, leftOutText, listLiveNetworks } from './installation.ts';
import { FROM_OPTIONS, FROM_USAGE, openSealed } from './sealed-input.ts';
import { proveAll } from './verify-backup.ts';

export const restore: Command<PlaceContext> = {
  name: 'restore',
  summary: 'restore a backup into an empty place, and give out nothing again that was given out',
  usage: `[NAME] ${FROM_USAGE} ${BY_USAGE}`,
  options: { ...FROM_OPTIONS, ...BY_OPTION },
  async run(context, { values, positionals }) {
    const config = context.readConfig();
    const { source, name } = await openSealed(context, values, positionals);
    const loaded = await load(context, config, source);
    const { createdAt, version } = loaded.manifest;
    // From here on it is an installation like any other: brought to this version, its key checked.
    const app = await context.openApp();
    const lost = await findLost(app, loaded.manifest);
    const away: string[] = [];
    const lines = await afterRestore(app, listLiveNetworks(app), whoOf(values), (chain, error) => {
      away.push(`${chain}: ${error.message}; when it answers: npx quittance restored`);
    });
    const { entries, faults } = await proveAll({ ...context, db: app.db });
    const chains = (await listChainReports(app, app.clock.now())).flatMap(({ chain, status }) =>
      status === undefined ? [] : [{ chain, height: `${status.height}` }],
    );
    const ok = faults.length === 0 && away.length === 0;
    const text = [
      `${name}, of ${createdAt}, made by version ${version}: ${loaded.rows} rows are restored`,
      ...settingsLine(loaded.settingsFile),
      ...lines.map(leftOutText),
      ...away,
      ...chains.map(({ chain, height }) => `${chain}: read again from block ${height} on`),
      faults.length === 0
        ? `The ledger is right: ${counted(entries, 'entry', 'entries')}.`
        : `The ledger has ${counted(faults.length, 'fault')}:`,
      ...faults.map((fault) => `  ${fault}`),
      ...lost.sentences,
    ].join('\n');
    const json = {
      ...{ ok, name, createdAt: createdAt.toString(), rows: `${loaded.rows}` },
      networks: lines.map(leftOutJson),
      ...{ away, chains, faults, lost: lost.json },
    };
    return { text, json, exitCode: ok ? 0 : 1 };
  },
};

type LoadedHere = {
  readonly manifest: SealedManifest;
  readonly rows: bigint;
  /** Where the settings of the backup are now. */
  readonly settingsFile: string;
};

async function load(
  { log, onProgress }: PlaceContext,
  config: Config,
  source: Parameters<typeof restoreBackup>[0],
): Promise<LoadedHere> {
  const place = await openEmptyPlace(config, log, onProgress);
  try {
    const { manifest, files, rows } = await restoreBackup(source, {
      connection: place.connection,
      migrations: await readMigrations(MIGRATIONS),
      onProgress,
      onManifest: (told, found) => putKeyFile(config, told, found),
    });
    const settingsFile = join(config.dataDirectory, 'quittance.conf.restored');
    mkdirSync(config.dataDirectory, { recursive: true });
    const settings = Buffer.from(files.get(SETTINGS_ENTRY) ?? []).toString('utf8');
    replacePrivateFile(settingsFile, settings);
    return { manifest, rows, settingsFile };
  } finally {
    await place.close();
  }
}

/** The one that the database was made with, or nothing is restored. */
function putKeyFile(
  { keyFile }: Config,
  { keyFile: known }: SealedManifest,
  files: ReadonlyMap<string, Uint8Array>,
): void {
  const key = files.get(KEY_ENTRY);
  if (!existsSync(keyFile)) {
    if (key === undefined) {
      throw new Refusal('conflict', 'key_file', [
        `the key file ${keyFile} is missing: put it there first, as it was at ${known.path}`,
      ]);
    }
    mkdirSync(dirname(keyFile), { recursive: true, mode: 0o700 });
    replacePrivateFile(keyFile, Buffer.from(key).toString('utf8'));
  }
  const check = keyCheckOf(openKeyring(keyFile, systemRandom)).toHex();
  if (check === known.check) return;
  throw new Refusal('conflict', 'key_file_mismatch', [
    `the key file ${keyFile} is not the one of this backup: put the right one there`,
  ]);
}

type Lost = { readonly sentences: readonly string[]; readonly json: Record<string, unknown> };

/** What this machine wrote down outside the database, beside what came back. */
async function findLost(app: App, { createdAt, ledgerHead }: SealedManifest): Promise<Lost> {
  const places = app.config.ledgerHead;
  const written = readHead(places.file);
  const json = { since: createdAt.toString(), entries: null, known: written !== undefined };
  const onChain = 'what was paid on chain since is read again when the service starts';
  if (written === undefined) {
    const sentence =
      `Lost: what was acknowledged after ${createdAt}, as far as there was any; no head of the ` +
      `ledger on this machine tells. Not lost: ${onChain}.`;
    return { sentences: [sentence], json };
  }
  if ((await checkHeads(app.db, places)).length === 0) {
    const sentence = `Lost: nothing of the ledger up to seal ${written.number}; ${onChain}.`;
    return { sentences: [sentence], json: { ...json, entries: '0' } };
  }
  const entries = written.lastEntry - BigInt(ledgerHead?.lastEntry ?? 0);
  const sentence =
    `Lost: what was acknowledged from ${createdAt} to ${written.writtenAt}, ` +
    `${counted(entries, 'entry', 'entries')} of the ledger among it. Not lost: ${onChain}, and ` +
    'credited where this database knows the checkout, else in suspense.';
  return { sentences: [sentence], json: { ...json, entries: `${entries}` } };
}

function settingsLine(file: string): string[] {
  return [`its settings are in ${file}: compare them with yours, and remove it`];
}
