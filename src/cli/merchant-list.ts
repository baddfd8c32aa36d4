import { listMerchants } from '#account/merchant.ts';
import type { Command } from './command.ts';

const MOST = 1000;

export const merchantList: Command = {
  name: 'merchant list',
  summary: 'list the merchant accounts',
  usage: '',
  options: {},
  async run(context) {
    const { db } = await context.openApp();
    const merchants = await listMerchants(db, { limit: MOST });
    const rows = merchants.map(({ id, name, createdAt }) => ({
      id,
      name,
      createdAt: createdAt.toString(),
    }));
    const text = rows.map((row) => `${row.id}  ${row.createdAt}  ${row.name}`).join('\n');
    return { text: text || 'no merchants', json: { merchants: rows } };
  },
};
