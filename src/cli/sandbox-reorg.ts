import { Refusal } from '#base/refusal.ts';
import { type Command, textOption, wholeOption } from './command.ts';
import { getSandbox } from './sandbox-access.ts';

export const sandboxReorg: Command = {
  name: 'sandbox reorg',
  summary: 'undo the last blocks of a simulated network and make others without their payments',
  usage: '--network NETWORK [--depth N]',
  options: { network: { type: 'string' }, depth: { type: 'string' } },
  async run(context, { values }) {
    const network = textOption(values, 'network');
    if (network === undefined) throw new Refusal('invalid', 'usage', ['--network is missing']);
    const depth = wholeOption(values, 'depth', { initial: 1, least: 1, most: 100 });
    const tip = await getSandbox(await context.openApp()).reorg(undefined, { network, depth });
    const height = String(tip.height);
    return {
      text: `${network}: ${depth} blocks undone, now at block ${height}`,
      json: { ...tip, height, depth },
    };
  },
};
