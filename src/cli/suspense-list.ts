import { listSuspense } from '#suspense/list-suspense.ts';
import { type Command, textOption, wholeOption } from './command.ts';
import { operatorView, suspenseLine } from './suspense-result.ts';

export const suspenseList: Command = {
  name: 'suspense list',
  summary: 'money that arrived and is nobody’s yet, with the reason',
  usage: '[--all] [--merchant ID] [--limit 1-1000]',
  options: {
    all: { type: 'boolean' },
    merchant: { type: 'string' },
    limit: { type: 'string' },
  },
  async run(context, { values }) {
    const { db } = await context.openApp();
    const most = wholeOption(values, 'limit', { initial: 100, least: 1, most: 1_000 });
    const isOpen = values.all !== true;
    const merchantId = textOption(values, 'merchant');
    const found = await listSuspense({ db }, { isOpen, merchantId }, most + 1);
    const shown = found.slice(0, most);
    const lines = shown.map(suspenseLine);
    if (found.length > most) lines.push(`and more: --limit shows up to 1000`);
    if (shown.length === 0) lines.push('Nothing waits in suspense.');
    return { text: lines.join('\n'), json: { suspense: shown.map(operatorView) } };
  },
};
