import { readFileSync } from 'node:fs';
import { Refusal } from '#base/refusal.ts';

export const SETTINGS_FILE = 'quittance.conf';

/** Text of the settings file; undefined when there is none and none was named. @throws Refusal */
export function readSettingsFile(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const named = environment.QUITTANCE_CONFIG;
  const path = named ?? SETTINGS_FILE;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const isMissing = (error as { code?: string }).code === 'ENOENT';
    if (isMissing && named === undefined) return undefined;
    throw new Refusal('invalid', 'settings_invalid', [`the settings file ${path} cannot be read`]);
  }
}
