// Where backups go, for whom they are sealed, how often the service makes one, and which stay.
import { resolve } from 'node:path';
import type { KeepPolicy } from '#backup/decide-kept.ts';
import type { S3Account } from '#backup/s3-place.ts';
import { isHttpUrl } from '#base/text.ts';

export type BackupSettings = {
  /** Undefined: it has to be said each time. */
  readonly to: string | undefined;
  readonly recipients: readonly string[];
  /** Undefined: the service makes none by itself. */
  readonly everyHours: number | undefined;
  /** Undefined: all stay. */
  readonly keep: KeepPolicy | undefined;
  /** Between increments; undefined: the service makes none by itself. */
  readonly walMinutes: number | undefined;
  /** How many whole chains of increments stay after a new one was begun. */
  readonly walKeep: number;
  readonly s3: S3Account | undefined;
};

const HOURS_MOST = 744;
const WAL_MINUTES_MOST = 1_440;

export function backupSettings(
  directory: string,
  faults: string[],
  text: (name: string) => string,
): BackupSettings {
  const to = text('BACKUP_TO');
  const recipients = text('BACKUP_RECIPIENTS')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  for (const one of recipients.filter((given) => !/^age1[02-9ac-hj-np-z]{50,4000}$/.test(given))) {
    // A secret identity may have been put here by mistake: it is not said again.
    const shown = /^age1/.test(one) ? one : 'what is set';
    faults.push(`BACKUP_RECIPIENTS: ${shown} is no recipient of age (age1…)`);
  }
  const everyHours = numberOf('BACKUP_EVERY_HOURS', HOURS_MOST, faults, text);
  const walMinutes = numberOf('BACKUP_WAL_MINUTES', WAL_MINUTES_MOST, faults, text);
  const schedules = [
    everyHours !== undefined && 'BACKUP_EVERY_HOURS',
    walMinutes !== undefined && 'BACKUP_WAL_MINUTES',
  ].filter((name) => name !== false);
  for (const name of schedules) {
    if (to === '') faults.push(`BACKUP_TO: missing, while ${name} is set`);
    if (recipients.length === 0) {
      faults.push(`BACKUP_RECIPIENTS: missing, while ${name} is set`);
    }
  }
  return {
    to: to === '' ? undefined : placeOf(directory, to),
    recipients,
    everyHours,
    keep: keepOf(text('BACKUP_KEEP'), faults),
    walMinutes,
    walKeep: chainsOf(text('BACKUP_WAL_KEEP'), faults),
    s3: accountOf(directory, faults, text),
  };
}

/** A path begins where the settings do. */
function placeOf(directory: string, to: string): string {
  return to.includes('://') ? to : resolve(directory, to);
}

function numberOf(
  name: string,
  most: number,
  faults: string[],
  text: (name: string) => string,
): number | undefined {
  const value = text(name);
  if (value === 'off') return undefined;
  const number = /^\d{1,4}$/.test(value) ? Number(value) : 0;
  if (number >= 1 && number <= most) return number;
  faults.push(`${name}: must be 1 to ${most}, or off, not "${value}"`);
  return undefined;
}

function chainsOf(value: string, faults: string[]): number {
  if (!/^[1-9]\d{0,3}$/.test(value)) {
    faults.push(`BACKUP_WAL_KEEP: must be how many chains stay, 1 to 9999, not "${value}"`);
  }
  return Number(value);
}

function keepOf(value: string, faults: string[]): KeepPolicy | undefined {
  if (value === 'all') return undefined;
  const [, days, weeks, months] = /^(\d{1,3}),(\d{1,3}),(\d{1,3})$/.exec(value) ?? [];
  if (days === undefined) {
    faults.push(`BACKUP_KEEP: must be days,weeks,months (7,5,12), or all, not "${value}"`);
  }
  return { days: Number(days), weeks: Number(weeks), months: Number(months) };
}

function accountOf(
  directory: string,
  faults: string[],
  text: (name: string) => string,
): S3Account | undefined {
  const [endpoint, region] = [text('BACKUP_S3_ENDPOINT'), text('BACKUP_S3_REGION')];
  const [keyId, secretFile] = [text('BACKUP_S3_KEY_ID'), text('BACKUP_S3_SECRET_FILE')];
  if (keyId === '' && secretFile === '') return undefined;
  if (keyId === '') faults.push('BACKUP_S3_KEY_ID: missing, while BACKUP_S3_SECRET_FILE is set');
  if (secretFile === '') {
    faults.push('BACKUP_S3_SECRET_FILE: missing, while BACKUP_S3_KEY_ID is set');
  }
  if (!isHttpUrl(endpoint) || new URL(endpoint).pathname !== '/') {
    faults.push('BACKUP_S3_ENDPOINT: must be of the form https://s3.example, without a path');
  }
  return { endpoint, region, keyId, secretFile: resolve(directory, secretFile) };
}
