import { SETTINGS } from '#server/settings.ts';
import type { Command } from './command.ts';

export const migrateDatabase: Command = {
  name: 'migrate',
  summary: 'bring the database to this version (a start does it too)',
  usage: '',
  options: {},
  async run(context) {
    const { applied } = await context.openDatabase();
    const text =
      applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`;
    return { text, json: { applied } };
  },
};

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
