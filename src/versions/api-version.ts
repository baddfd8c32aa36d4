// The dated versions of the API: each is the shape of requests, answers and events from its day on.
// A key and a receiver of webhooks keep the one that was the newest when they were made.
import { acceptedText, Refusal } from '#base/refusal.ts';
import { VERSION_CHANGES } from './version-changes.ts';

/** Of a request, of its answer, and of a webhook. */
export const VERSION_HEADER = 'quittance-version';

export const FIRST_VERSION = '2026-11-24';

/** Oldest first. */
export const API_VERSIONS: readonly string[] = [
  FIRST_VERSION,
  ...VERSION_CHANGES.map(({ version }) => version),
];

export const LATEST_VERSION = API_VERSIONS.at(-1) ?? FIRST_VERSION;

/** @throws Refusal invalid `version_unknown` */
export function readApiVersion(named: string): string {
  if (API_VERSIONS.includes(named)) return named;
  const said = acceptedText(named, API_VERSIONS, '/docs/changelog');
  throw new Refusal('invalid', 'version_unknown', `Quittance-Version names none; ${said}`);
}

/** As it is kept: one that a later program wrote counts as the newest that is known here. */
export function keptApiVersion(text: string): string {
  return API_VERSIONS.includes(text) ? text : LATEST_VERSION;
}

const CHANGES_SINCE = new Map(
  API_VERSIONS.map((version, index) => [version, VERSION_CHANGES.slice(index)]),
);

/** What the version has not, oldest first: each request asks several times. */
export function changesSince(version: string): typeof VERSION_CHANGES {
  return CHANGES_SINCE.get(version) ?? [];
}
