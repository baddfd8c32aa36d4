import { type Command, textOption, wholeOption } from './command.ts';
import { getSandbox } from './sandbox-access.ts';

export const sandboxMine: Command = {
  name: 'sandbox mine',
  summary: 'make blocks on a simulated network, or on all of them',
  usage: '[--network NETWORK] [--blocks N]',
  options: { network: { type: 'string' }, blocks: { type: 'string' } },
  async run(context, { values }) {
    const blocks = wholeOption(values, 'blocks', { initial: 1, least: 1, most: 1000 });
    const network = textOption(values, 'network');
    const tips = await getSandbox(await context.openApp()).mine(undefined, { network, blocks });
    const rows = tips.map((tip) => ({ ...tip, height: String(tip.height) }));
    return {
      text: rows.map((tip) => `${tip.network} is at block ${tip.height}`).join('\n'),
      json: { tips: rows },
    };
  },
};
