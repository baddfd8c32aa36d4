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
