import { allowBasic } from '#account/api-key.ts';
import { Refusal } from '#base/refusal.ts';
import { type Command, onePositional } from './command.ts';

export const keyBasic: Command = {
  name: 'key basic',
  summary: 'switch X-Basic on or off for a key',
  usage: 'KEY on|off',
  options: {},
  async run(context, { positionals }) {
    const [key = '', ...rest] = positionals;
    const choice = onePositional(rest, 'on or off');
    if (choice !== 'on' && choice !== 'off') {
      throw new Refusal('invalid', 'usage', [`on or off, not ${choice}`]);
    }
    await allowBasic(await context.openApp(), key, choice === 'on');
    const text = `X-Basic is ${choice} for ${key}.`;
    return { text, json: { key, basicAllowed: choice === 'on' } };
  },
};
