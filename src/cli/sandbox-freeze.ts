import { Refusal } from '#base/refusal.ts';
import { type Command, textOption, wholeOption } from './command.ts';
import { getSandbox } from './sandbox-access.ts';

export const sandboxFreeze: Command = {
  name: 'sandbox freeze',
  summary: 'let a simulated node be away for a while (0 seconds brings it back)',
  usage: '--network NETWORK [--seconds N]',
  options: { network: { type: 'string' }, seconds: { type: 'string' } },
  async run(context, { values }) {
    const network = textOption(values, 'network');
    if (network === undefined) throw new Refusal('invalid', 'usage', ['--network is missing']);
    const seconds = wholeOption(values, 'seconds', { initial: 60, least: 0, most: 86_400 });
    await getSandbox(await context.openApp()).freeze(undefined, { network, seconds });
    return { text: `${network} is away for ${seconds} s`, json: { network, seconds } };
  },
};
