// Which backup a command is to open, and with which identities.

import { readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import process from 'node:process';
import { SEALED, SHOWN } from '#backup/backup-place.ts';
import { findBackup, openPlace } from '#backup/find-backup.ts';
import { parseShown } from '#backup/manifest.ts';
import type { restoreBackup } from '#backup/restore-backup.ts';
import { Refusal } from '#base/refusal.ts';
import { recoverChain } from '#increment/recover-chain.ts';
import { type Command, type PlaceContext, textOption, type Values } from './command.ts';

type SealedInput = {
  readonly name: string;
  readonly source: Parameters<typeof restoreBackup>[0];
};

export const FROM_OPTIONS: Command['options'] = {
  from: { type: 'string' },
  identity: { type: 'string' },
  wal: { type: 'boolean' },
  scratch: { type: 'string' },
  postgres: { type: 'string' },
};
export const FROM_USAGE =
  '--identity FILE [--from FOLDER|s3://BUCKET/PREFIX|FILE|-] [--wal] [--scratch DIR] ' +
  '[--postgres FOLDER]';

const STDIN = '-';
const IDENTITIES_MOST = 20;

/**
 * The newest of the place, unless one is named; with `--wal` of the chains of increments, brought
 * to its last moment first. @throws Refusal
 */
export async function openSealed(
  context: PlaceContext,
  values: Values,
  [name, ...rest]: readonly string[],
): Promise<SealedInput> {
  if (rest.length > 0) throw new Refusal('invalid', 'usage', [`too many: ${rest.join(' ')}`]);
  const config = context.readConfig();
  const identities = readIdentities(context, values);
  const from = textOption(values, 'from') ?? config.backup.to;
  if (from === undefined) {
    throw new Refusal('invalid', 'usage', ['--from: say where from, or set BACKUP_TO']);
  }
  if (from === STDIN) {
    const sealed = process.stdin as AsyncIterable<Uint8Array>;
    return { name: 'what is piped in', source: { sealed, sha256: undefined, identities } };
  }
  const path = inDirectory(context, from);
  if (values.wal === true) {
    const scratch = resolve(context.directory, textOption(values, 'scratch') ?? tmpdir());
    const { clock, onProgress } = context;
    const place = openPlace({ ...context, s3: config.backup.s3 }, path);
    const named = textOption(values, 'postgres');
    const programs = named === undefined ? undefined : resolve(context.directory, named);
    return recoverChain(place, name, { clock, identities, scratch, programs, onProgress });
  }
  if (isFile(path)) {
    const folder = openPlace({ ...context, s3: config.backup.s3 }, dirname(path));
    const sealed = await folder.read(basename(path));
    const source = { sealed, sha256: readBeside(path), identities };
    return { name: basename(path, SEALED), source };
  }
  const place = openPlace({ ...context, s3: config.backup.s3 }, path);
  const found = await findBackup(place, name);
  const sealed = await place.read(found.name + SEALED);
  return { name: found.name, source: { sealed, sha256: found.sha256, identities } };
}

/** A relative path begins where the command was typed. */
export function inDirectory({ directory }: Pick<PlaceContext, 'directory'>, from: string): string {
  return from.includes('://') ? from : resolve(directory, from);
}

function isFile(from: string): boolean {
  return !from.includes('://') && statSync(from, { throwIfNoEntry: false })?.isFile() === true;
}

/** A file that was carried alone has nothing beside it; what is sealed proves itself. */
function readBeside(from: string): string | undefined {
  const beside = `${from.replace(/\.age$/, '')}${SHOWN}`;
  if (!from.endsWith(SEALED) || !isFile(beside)) return undefined;
  return parseShown(readFileSync(beside, 'utf8')).sha256;
}

/** As age writes them: a line each, and remarks. */
function readIdentities(context: PlaceContext, values: Values): string[] {
  const named = textOption(values, 'identity');
  if (named === undefined) {
    throw new Refusal('invalid', 'usage', ['--identity: name the file with the identity of age']);
  }
  const file = inDirectory(context, named);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new Refusal('invalid', 'backup_identity', [`${file} cannot be read (${code})`]);
  }
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (identities.length === 0 || identities.length > IDENTITIES_MOST) {
    throw new Refusal('invalid', 'backup_identity', [`${file} holds no identity of age`]);
  }
  return identities;
}
