import { SETTINGS } from '#server/config.ts';
import type { Command } from './command.ts';

export const showSettings: Command = {
  name: 'settings',
  summary: 'list every setting with its default',
  usage: '',
  options: {},
  async run() {
    const lines = SETTINGS.map(
      ({ name, about, initial }) =>
        `${name.padEnd(26)} ${about}${initial === '' ? '' : ` (${initial})`}`,
    );
    return { text: lines.join('\n'), json: { settings: SETTINGS } };
  },
};
