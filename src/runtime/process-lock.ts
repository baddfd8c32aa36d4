// A lock file between processes of one machine that outlives nobody: the file names its holder, and
// a holder that is dead (or whose number now belongs to another process) is no holder.
import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { kill, pid } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { Refusal } from '#base/refusal.ts';

/** A process number with the moment it started (where the system tells), so that reuse shows. */
type ProcessIdentity = { readonly pid: number; readonly startedAt: string };

const POLL_MILLISECONDS = 20;

export function isProcessAlive(process: number): boolean {
  if (!Number.isSafeInteger(process) || process <= 0) return false;
  try {
    kill(process, 0);
  } catch (error) {
    // EPERM: it lives and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return processState(process) !== 'Z';
}

export function identifyProcess(process: number = pid): ProcessIdentity {
  return { pid: process, startedAt: processField(process, 19) };
}

export function isSameProcessAlive(identity: ProcessIdentity): boolean {
  if (!isProcessAlive(identity.pid)) return false;
  return identifyProcess(identity.pid).startedAt === identity.startedAt;
}

export function parseIdentity(text: string): ProcessIdentity {
  const [process = '', startedAt = ''] = text.trim().split(' ');
  return { pid: Number(process), startedAt };
}

export function formatIdentity(identity: ProcessIdentity): string {
  return `${identity.pid} ${identity.startedAt}`;
}

/**
 * Waits until the lock at `path` is free, holds it while `act` runs. Refuses after `waitSeconds`
 * with the holder's process number.
 */
export async function withProcessLock<T>(
  path: string,
  waitSeconds: number,
  act: () => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + waitSeconds * 1000;
  while (!tryLock(path)) {
    if (performance.now() > deadline) {
      throw new Refusal(
        'conflict',
        'locked',
        `${path} is held by process ${readText(path)}; try again later`,
      );
    }
    await wait(POLL_MILLISECONDS);
  }
  try {
    return await act();
  } finally {
    rmSync(path, { force: true });
  }
}

/** The file appears whole or not at all: it is written aside and linked into place. */
function tryLock(path: string): boolean {
  const draft = `${path}.${pid}-${randomUUID()}`;
  writeFileSync(draft, formatIdentity(identifyProcess()), { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    removeDeadLock(path);
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

function removeDeadLock(path: string): void {
  const holder = readText(path);
  if (holder === '' || isSameProcessAlive(parseIdentity(holder))) return;
  const aside = `${path}.dead-${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch {
    return; // somebody else removed it first
  }
  // Between reading and renaming somebody may have removed the dead lock and made a living one.
  if (readText(aside) !== holder && !existsSync(path)) renameSync(aside, path);
  else rmSync(aside, { force: true });
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function processState(process: number): string {
  return processField(process, 0);
}

/**
 * A field of /proc/<pid>/stat behind the name (which may hold spaces); '' where there is no /proc.
 */
function processField(process: number, index: number): string {
  const stat = readText(`/proc/${process}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[index] ?? '';
}
