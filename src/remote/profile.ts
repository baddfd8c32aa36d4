// Installations that a developer works with, and the key for each, in one file of his own that
// nobody else may read. A secret is in the file and in what signs; it is in no answer of a command.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Refusal } from '#base/refusal.ts';
import { makeDirectory, readPrivateFile, replacePrivateFile } from '#runtime/private-file.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

export type Profile = {
  /** Undefined: of the environment variables. */
  readonly name: string | undefined;
  /** Of the installation, without `/api/v1`. */
  readonly url: string;
  readonly key: string;
  readonly secret: string;
};

/** As it lies in the file. */
type KeptProfile = Omit<Profile, 'name'> & {
  /** What `listen` signs with, the same each time so that a shop need not learn a new one. */
  readonly listenSecret?: string;
  /** Where `listen --resume` goes on. */
  readonly listenedAfter?: string;
};

type ProfileFile = {
  readonly chosen: string | undefined;
  readonly profiles: Readonly<Record<string, KeptProfile>>;
};

const BYTES_MOST = 1024 * 1024;
const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;
const LOOPBACK = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** XDG_CONFIG_HOME, or .config at home; APPDATA on Windows. @throws Refusal without a home */
function profilesPath({ XDG_CONFIG_HOME, APPDATA, HOME }: Variables): string {
  const directory = XDG_CONFIG_HOME || APPDATA || (HOME && join(HOME, '.config'));
  if (directory) return join(directory, 'quittance', 'profiles.json');
  throw new Refusal('invalid', 'usage', [
    'there is no home directory to keep profiles in: set HOME',
  ]);
}

export function readProfiles(environment: Variables): ProfileFile {
  const path = profilesPath(environment);
  if (!existsSync(path)) return { chosen: undefined, profiles: {} };
  try {
    return JSON.parse(readPrivateFile(path, BYTES_MOST)) as ProfileFile;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Refusal('conflict', 'profiles_unreadable', [
      `${path} is no JSON: repair or remove it`,
    ]);
  }
}

function writeProfiles(environment: Variables, file: ProfileFile): void {
  const path = profilesPath(environment);
  makeDirectory(dirname(path), 0o700);
  replacePrivateFile(path, `${JSON.stringify(file, undefined, 2)}\n`);
}

/** Keeps it, and chooses it where it is the first. */
export function keepProfile(environment: Variables, name: string, kept: KeptProfile): string {
  if (!NAME.test(name)) {
    throw new Refusal('invalid', 'usage', [
      '--profile: lower case letters, digits and - only, at most 40',
    ]);
  }
  const { chosen, profiles } = readProfiles(environment);
  const all = { ...profiles, [name]: kept };
  writeProfiles(environment, { chosen: chosen ?? name, profiles: all });
  return profilesPath(environment);
}

/** @throws Refusal when there is none of this name */
export function chooseProfile(environment: Variables, name: string): void {
  const { profiles } = readProfiles(environment);
  getKept(profiles, name);
  writeProfiles(environment, { chosen: name, profiles });
}

/** @throws Refusal when there is none of this name */
export function forgetProfile(environment: Variables, name: string | undefined): string {
  const { chosen, profiles } = readProfiles(environment);
  const gone = name ?? chosen ?? '';
  getKept(profiles, gone);
  const { [gone]: _, ...rest } = profiles;
  const next = chosen === gone ? Object.keys(rest)[0] : chosen;
  writeProfiles(environment, { chosen: next, profiles: rest });
  return gone;
}

/**
 * The one named, else QUITTANCE_URL, QUITTANCE_KEY and QUITTANCE_SECRET together, else the chosen
 * one. @throws Refusal when there is none
 */
export function findProfile(environment: Variables, name: string | undefined): Profile {
  const { QUITTANCE_URL: url, QUITTANCE_KEY: key, QUITTANCE_SECRET: secret } = environment;
  if (name === undefined && url !== undefined) {
    if (key !== undefined && secret !== undefined) {
      return { name: undefined, url: baseUrl(url), key, secret };
    }
    throw new Refusal('invalid', 'usage', [
      'QUITTANCE_URL is set: QUITTANCE_KEY and QUITTANCE_SECRET go with it',
    ]);
  }
  const { chosen, profiles } = readProfiles(environment);
  const wanted = name ?? chosen;
  if (wanted === undefined) {
    throw new Refusal('missing', 'profile_missing', [
      'no installation is known: npx quittance login, or set QUITTANCE_URL, QUITTANCE_KEY and ' +
        'QUITTANCE_SECRET',
    ]);
  }
  const { url: keptUrl, key: keptKey, secret: keptSecret } = getKept(profiles, wanted);
  return { name: wanted, url: keptUrl, key: keptKey, secret: keptSecret };
}

/** What `listen` keeps of a profile; of the environment variables nothing is kept. */
export function keptOfListen(environment: Variables, { name }: Profile) {
  if (name === undefined) return undefined;
  const kept = readProfiles(environment).profiles[name];
  return kept && { secret: kept.listenSecret, after: kept.listenedAfter };
}

export function keepOfListen(
  environment: Variables,
  { name }: Profile,
  { secret, after }: { readonly secret: string; readonly after: string | undefined },
): void {
  const { chosen, profiles } = readProfiles(environment);
  const kept = name === undefined ? undefined : profiles[name];
  // Logged out meanwhile.
  if (name === undefined || kept === undefined) return;
  const next = { ...kept, listenSecret: secret, ...(after && { listenedAfter: after }) };
  writeProfiles(environment, { chosen, profiles: { ...profiles, [name]: next } });
}

/**
 * Origin and path that `/api/v1` follows. What a key reads must not lie open on the way: plain http
 * is for this machine alone. @throws Refusal
 */
export function baseUrl(text: string): string {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Refusal('invalid', 'usage', ['the URL must be like https://pay.example']);
  }
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw new Refusal('invalid', 'usage', ['the URL must begin with https:// unless it is local']);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
}

function getKept(profiles: ProfileFile['profiles'], name: string): KeptProfile {
  const kept = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (kept !== undefined) return kept;
  const known = Object.keys(profiles).join(', ') || 'none';
  throw new Refusal('missing', 'profile_missing', [`no profile ${name}; there are: ${known}`]);
}
