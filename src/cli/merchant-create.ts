import { Refusal } from '#base/refusal.ts';
import { openAccount } from '#server/open-account.ts';
import { type Command, textOption } from './command.ts';

export const merchantCreate: Command = {
  name: 'merchant create',
  summary: 'make a merchant account',
  usage: '--name NAME',
  options: { name: { type: 'string' } },
  async run(context, { values, positionals }) {
    const name = textOption(values, 'name') ?? positionals[0];
    if (name === undefined) throw new Refusal('invalid', 'usage', ['--name is missing']);
    const { id } = await openAccount(await context.openApp(), name);
    return { text: `Merchant ${name}\n  id  ${id}`, json: { id, name } };
  },
};
