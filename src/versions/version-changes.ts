// The table of versions: what each one after the first changed, oldest first.
// docs/recipes/change-the-api.md says how one is added.
import { NAMES_MADE_ALIKE } from './names-made-alike.ts';
import type { VersionChange } from './version-change.ts';

export const VERSION_CHANGES: readonly VersionChange[] = [NAMES_MADE_ALIKE];
