// Backups from the command line: made, listed, and proven by restoring them somewhere else.

import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import process from 'node:process';
import { doNoted } from '#audit/act.ts';
import type { BackupPlace } from '#backup/backup-place.ts';
import { listBackups, openPlace } from '#backup/find-backup.ts';
import { backupSource, makeBackup, removeOld } from '#backup/make-backup.ts';
import type { ShownManifest } from '#backup/manifest.ts';
import { newIdentity } from '#backup/seal-archive.ts';
import { Refusal } from '#base/refusal.ts';
import { counted } from '#base/text.ts';
import { findGap, listChains } from '#increment/chain.ts';
import { replacePrivateFile } from '#runtime/private-file.ts';
import { VERSION } from '#server/config.ts';
import {
  BY_OPTION,
  BY_USAGE,
  type Command,
  onePositional,
  type PlaceContext,
  textOption,
  type Values,
  whoOf,
} from './command.ts';
import { FROM_OPTIONS, FROM_USAGE, inDirectory, openSealed } from './sealed-input.ts';
import { verifyBackup } from './verify-backup.ts';

const STDOUT = '-';
const HOUR_MS = 3_600_000;

export const backup: Command = {
  name: 'backup',
  summary: 'make a backup beside the running service, sealed with age',
  usage: `[--to FOLDER|s3://BUCKET/PREFIX|-] [--recipients age1…,…] [--with-key] ${BY_USAGE}`,
  options: {
    to: { type: 'string' },
    recipients: { type: 'string' },
    'with-key': { type: 'boolean' },
    ...BY_OPTION,
  },
  async run(context, { values, positionals }) {
    if (positionals.length > 0) {
      throw new Refusal('invalid', 'usage', [`there is no backup ${positionals.join(' ')}`]);
    }
    const app = await context.openApp();
    const settings = app.config.backup;
    const to = textOption(values, 'to') ?? settings.to;
    if (to === undefined) {
      throw new Refusal('invalid', 'usage', ['--to: say where to, or set BACKUP_TO']);
    }
    const recipients = textOption(values, 'recipients')?.split(',') ?? settings.recipients;
    const withKey = values['with-key'] === true;
    const place =
      to === STDOUT
        ? stdoutPlace()
        : openPlace({ ...app, s3: settings.s3 }, inDirectory(context, to));
    const act = { actor: whoOf(values), verb: 'backup', subject: 'database:this' };
    const details = { to: place.name, withKey: `${withKey}` };
    await doNoted(app, { ...act, details }, async () => undefined);
    const { connection } = await context.openDatabase();
    const source = backupSource(app, { connection, version: VERSION, withKey });
    const { onProgress } = context;
    const made = await makeBackup(source, place, { recipients, onProgress });
    // What is made elsewhere by hand stays until a person takes it away.
    const isKept = to !== settings.to || settings.keep === undefined;
    const removed = isKept
      ? []
      : await removeOld(
          openPlace({ ...app, s3: settings.s3 }, to),
          settings.keep,
          app.installationId,
        );
    const text = [
      `${made.name}: ${made.rows} rows, ${sizeText(made.bytes)}, sealed for ` +
        `${counted(made.recipients, 'recipient')}, in ${place.name}`,
      ...removed.map((name) => `${name} is removed: newer ones of its day, week or month stay`),
      ...apartText(made),
    ].join('\n');
    const isPiped = to === STDOUT;
    return { text, json: { ...shownJson(made), removed }, isPiped };
  },
};

export const backupList: Command<PlaceContext> = {
  name: 'backup list',
  summary: 'backups in a place, the oldest first',
  usage: '[--from FOLDER|s3://BUCKET/PREFIX]',
  options: { from: { type: 'string' } },
  async run(context, { values }) {
    const place = openNamed(context, values);
    const { backups, unfinished } = await listBackups(place);
    const now = context.clock.now();
    const lines = backups.map((one) => {
      const hours = Math.floor(now.since(one.createdAt).total('milliseconds') / HOUR_MS);
      const head = one.ledgerHead === null ? 'no seal' : `seal ${one.ledgerHead.number}`;
      return (
        `${one.name}  ${counted(hours, 'hour')} old, ${sizeText(one.bytes)}, ${one.rows} rows, ` +
        `${head}, version ${one.version}, ${one.migration}`
      );
    });
    const chains = [...(await listChains(place)).entries()].map(([name, links]) => {
      const gap = findGap(links) ?? null;
      return { name, increments: links.length, to: links.at(-1)?.createdAt ?? null, gap };
    });
    lines.push(
      ...chains.map(({ name, increments, to, gap }) => {
        const state = gap === null ? 'whole' : `not whole: ${gap}`;
        return `${name}  ${counted(increments, 'increment')}, the last of ${to}, ${state}`;
      }),
    );
    if (lines.length === 0) lines.push(`There is no backup in ${place.name}.`);
    lines.push(
      ...unfinished.map((name) => `${name}  unfinished: it has no manifest, or that alone`),
    );
    return {
      text: lines.join('\n'),
      json: { backups: backups.map(shownJson), chains, unfinished },
    };
  },
};

export const backupVerify: Command<PlaceContext> = {
  name: 'backup verify',
  summary: 'restore a backup into a database made for it, prove its ledger, and remove it again',
  usage: `[NAME] ${FROM_USAGE}`,
  options: FROM_OPTIONS,
  async run(context, { values, positionals }) {
    const { source, name } = await openSealed(context, values, positionals);
    const scratch = resolve(context.directory, textOption(values, 'scratch') ?? tmpdir());
    const startedMs = context.clock.monotonicMs();
    const proven = await verifyBackup(context, source, scratch);
    const seconds = Math.round((context.clock.monotonicMs() - startedMs) / 1000);
    const { rows, entries, faults } = proven;
    const ok = faults.length === 0;
    const createdAt = proven.createdAt.toString();
    const text = [
      `${name}, of ${createdAt}: ${rows} rows restored in ${seconds} s, ` +
        counted(entries, 'entry', 'entries'),
      ok ? 'The ledger is right.' : `The ledger has ${counted(faults.length, 'fault')}:`,
      ...faults.map((fault) => `  ${fault}`),
    ].join('\n');
    const json = { ok, name, createdAt, rows: `${rows}`, entries: `${entries}`, seconds, faults };
    return { text, json, exitCode: ok ? 0 : 1 };
  },
};

export const backupKey: Command = {
  name: 'backup key',
  summary: 'make an identity of age that opens backups, and say its recipient',
  usage: 'FILE',
  options: {},
  async run({ directory }, { positionals }) {
    const file = resolve(
      directory,
      onePositional(positionals, 'the file to write the identity to'),
    );
    const { identity, recipient } = await newIdentity();
    refuseThere(file);
    replacePrivateFile(file, `# public key: ${recipient}\n${identity}\n`);
    const text = [
      `BACKUP_RECIPIENTS=${recipient}`,
      `The identity is in ${file}. Whoever has it opens every backup made for it, and without it`,
      'none opens: keep two copies away from this machine, and remove it here.',
    ].join('\n');
    return { text, json: { recipient, file } };
  },
};

function refuseThere(file: string): void {
  if (!existsSync(file)) return;
  throw new Refusal('conflict', 'private_file', `${file} is there: nothing was made`);
}

function openNamed(context: PlaceContext, values: Values): BackupPlace {
  const config = context.readConfig();
  const from = textOption(values, 'from') ?? config.backup.to;
  if (from === undefined) {
    throw new Refusal('invalid', 'usage', ['--from: say where from, or set BACKUP_TO']);
  }
  return openPlace({ ...context, s3: config.backup.s3 }, inDirectory(context, from));
}

/** The sealed file alone: what stands beside it is said on stderr. */
function stdoutPlace(): Pick<BackupPlace, 'name' | 'write'> {
  const { stdout } = process;
  if (stdout.isTTY) {
    throw new Refusal('invalid', 'usage', ['--to -: pipe it somewhere, a terminal shows nothing']);
  }
  return {
    name: 'the pipe',
    async write(file, source) {
      if (!file.endsWith('.age')) return;
      await writeTo(stdout, source);
    },
  };
}

async function writeTo(
  stdout: NodeJS.WriteStream,
  source: AsyncIterable<Uint8Array>,
): Promise<void> {
  // Whoever wrote is told of each failure; the event of it, without a listener, ends the process.
  stdout.on('error', () => undefined);
  for await (const chunk of source) {
    const { promise, resolve: written, reject } = Promise.withResolvers<void>();
    stdout.write(chunk, (error) => (error ? reject(pipeRefusal(error)) : written()));
    await promise;
  }
}

function pipeRefusal(error: NodeJS.ErrnoException): Refusal {
  const what = error.code === 'ENOSPC' ? 'where it goes has no space left' : 'the pipe was closed';
  return new Refusal('conflict', 'backup_place', `${what} (${error.code ?? error.message})`);
}

function apartText({ keyFile }: ShownManifest): string[] {
  if (keyFile.isIncluded) {
    return ['The key file is in it: whoever opens this backup opens every secret of the shop.'];
  }
  return [
    `Not in it, and without it nothing sealed opens again: the key file ${keyFile.path}. Keep a`,
    'copy of it apart from the backups, and the identity apart from both.',
  ];
}

function shownJson(shown: ShownManifest): Record<string, unknown> {
  return { ...shown, createdAt: shown.createdAt.toString() };
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.ceil(bytes / 1000)} kB`
    : `${Math.ceil(bytes / 100_000) / 10} MB`;
}
