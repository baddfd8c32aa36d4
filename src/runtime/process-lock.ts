// A lock file between processes of one machine that outlives nobody: the file names its holder, and
// a holder that is dead (or whose number now belongs to another process) is no holder. And a name
// for a process that says the same to processes of other machines, where nothing is known of it.
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  linkSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { kill, pid } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { Refusal } from '#base/refusal.ts';

/** A process number with the moment it started (where the system tells), so that reuse shows. */
type ProcessIdentity = { readonly pid: number; readonly startedAt: string };

const POLL_MILLISECONDS = 20;
/** A few: one for each thing that is done under a name. */
const ownNames = new Set<string>();

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
 * Of this process, in one line: where it runs, its number, when it started, and what no other one
 * has. For rows that several machines share.
 */
export function nameProcess(): string {
  const { startedAt } = identifyProcess();
  const name = [findMachine() || 'unknown', pid, startedAt || '-', randomUUID()].join(' ');
  ownNames.add(name);
  return name;
}

/** As a person finds it: the host, and its number there. What has no name of ours has neither. */
export function placeOfProcess(name: string): { readonly host: string; readonly pid: number } {
  const [machine = '', number] = name.split(' ');
  return { host: machine.split('/')[0] ?? '', pid: Number(number) };
}

/** Whether this process gave itself that name. */
export function isThisProcess(name: string): boolean {
  return ownNames.has(name);
}

/**
 * Whether the process of this name is known to be gone. Of another machine, or of one that does not
 * tell, nothing is known: false. Also false while somebody with its number lives whose start cannot
 * be read.
 */
export function hasEnded(name: string): boolean {
  const [machine, number, startedAt, ...rest] = name.split(' ');
  const process = Number(number);
  const isNamed = rest.length === 1 && Number.isSafeInteger(process) && process > 0;
  if (!isNamed || machine === '' || machine !== findMachine()) return false;
  if (!isProcessAlive(process)) return true;
  const { startedAt: now } = identifyProcess(process);
  return now !== '' && startedAt !== '-' && now !== startedAt;
}

/**
 * Equal only where a process has the same number and start: one start of one kernel, one name of
 * the host, and one namespace of numbers and of times. What ends takes its namespace with it, so a
 * number of a namespace that is used again still tells the truth. '' where the system does not say.
 */
function findMachine(): string {
  const bootId = readText('/proc/sys/kernel/random/boot_id').trim();
  // A /proc of another namespace knows us by another number, and would know others wrongly.
  const isOurs = readLink('/proc/self') === String(pid);
  const numbers = readLink('/proc/self/ns/pid');
  if (bootId === '' || !isOurs || numbers === '') return '';
  const times = readLink('/proc/self/ns/time');
  return [hostname(), bootId, numbers, times].join('/').replaceAll(/\s/g, '_');
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

function readLink(path: string): string {
  try {
    return readlinkSync(path);
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
