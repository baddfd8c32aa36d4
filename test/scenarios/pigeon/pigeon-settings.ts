import { isHttpUrl } from '#base/text.ts';
import type { Setting, SettingsReader } from '#networks/network-settings.ts';

export type PigeonSettings = { readonly url: string; readonly loft: string };

export const PIGEON_SETTINGS: readonly Setting[] = [
  { name: 'PIGEON_URL', about: 'where the book of letters is read', initial: '' },
  { name: 'PIGEON_LOFT', about: 'name of our loft', initial: '' },
];

export function readPigeonSettings(settings: SettingsReader): PigeonSettings | undefined {
  if (!settings.has('PIGEON_URL')) return undefined;
  const [url, loft] = [settings.text('PIGEON_URL'), settings.text('PIGEON_LOFT')];
  if (!isHttpUrl(url)) settings.fault('PIGEON_URL: must be an http or https address');
  if (!/^[a-z]+$/.test(loft)) settings.fault('PIGEON_LOFT: must be small letters');
  return { url, loft };
}
