// Which releases have left their data here, as `scripts/keep-release-data.mjs` took them: a backup, what
// opens it, the key file of that installation, and what was true in it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BusyFacts } from './busy-installation.ts';

export type KeptFacts = BusyFacts & {
  readonly version: string;
  /** The last one of that program. */
  readonly migration: string;
};

export type KeptRelease = { readonly folder: string; readonly facts: KeptFacts };

export const RELEASES = join(import.meta.dirname, '..', 'fixtures', 'releases');
export const FACTS_FILE = 'facts.json';
export const IDENTITY_FILE = 'identity';
export const KEY_FILE = 'quittance.key';

/** The oldest first. */
export function listReleases(): KeptRelease[] {
  const kept = readdirSync(RELEASES).map((name) => {
    const folder = join(RELEASES, name);
    const facts = JSON.parse(readFileSync(join(folder, FACTS_FILE), 'utf8')) as KeptFacts;
    return { folder, facts };
  });
  return kept.sort((one, other) => (one.facts.migration < other.facts.migration ? -1 : 1));
}
