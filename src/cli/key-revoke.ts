import { revokeApiKey } from '#account/api-key.ts';
import { type Command, onePositional } from './command.ts';

export const keyRevoke: Command = {
  name: 'key revoke',
  summary: 'end a key for good, at once',
  usage: 'KEY',
  options: {},
  async run(context, { positionals }) {
    const key = onePositional(positionals, 'the key');
    await revokeApiKey(await context.openApp(), key);
    return { text: `${key} is revoked.`, json: { key, revoked: true } };
  },
};
