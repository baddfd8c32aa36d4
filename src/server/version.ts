// The release that runs.

import { readFileSync } from 'node:fs';

const PACKAGE = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
export const VERSION = String((JSON.parse(PACKAGE) as { readonly version?: unknown }).version);
