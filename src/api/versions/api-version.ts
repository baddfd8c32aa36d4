// The dated versions of the API: each is the shape of requests, answers and events from its day on.
// A program that names the one it was written for is told, instead of surprised, when that is gone.
import { acceptedText, Refusal } from '#base/refusal.ts';

/** Of a request, and of its answer. */
export const VERSION_HEADER = 'quittance-version';

/** Oldest first. */
const LATEST_VERSION = '2026-11-24';
const API_VERSIONS: readonly string[] = [LATEST_VERSION];

/** The newest where none is named. @throws Refusal invalid `version_unknown` */
export function readApiVersion(named: string | null): string {
  if (named === null) return LATEST_VERSION;
  const known = API_VERSIONS.find((version) => version === named);
  if (known !== undefined) return known;
  const said = acceptedText(named, API_VERSIONS, '/docs/versioning');
  throw new Refusal('invalid', 'version_unknown', `Quittance-Version names none; ${said}`);
}
