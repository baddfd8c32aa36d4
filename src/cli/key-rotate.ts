import { rotateApiKey } from '#account/api-key.ts';
import { type Command, onePositional, wholeOption } from './command.ts';

export const keyRotate: Command = {
  name: 'key rotate',
  summary: 'give a key a new secret, shown once; the old one lives on for the overlap',
  usage: 'KEY [--overlap-hours N]',
  options: { 'overlap-hours': { type: 'string' } },
  async run(context, { positionals, values }) {
    const named = onePositional(positionals, 'the key');
    const range = { initial: 0, least: 0, most: 24 };
    const overlapHours = wholeOption(values, 'overlap-hours', range);
    const app = await context.openApp();
    const { key, secret } = await rotateApiKey(app, { key: named, overlapHours });
    return { text: JSON.stringify({ key, secret }), json: { key, secret, overlapHours } };
  },
};
