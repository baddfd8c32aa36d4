import { listApiKeys } from '#account/api-key.ts';
import { chooseMerchant } from './choose-account.ts';
import type { Command } from './command.ts';

export const keyList: Command = {
  name: 'key list',
  summary: 'show the keys of a merchant, without secrets',
  usage: '[--merchant ID]',
  options: { merchant: { type: 'string' } },
  async run(context, { values }) {
    const app = await context.openApp();
    const keys = await listApiKeys(app.db, await chooseMerchant(app, values));
    const lines = keys.map(({ key, environment, basicAllowed, scopes, label, revokedAt }) => {
      const state = revokedAt === null ? 'works' : `revoked ${revokedAt}`;
      const basic = basicAllowed ? 'digest, basic' : 'digest';
      const may = scopes === null ? 'everything' : scopes.join(',');
      return [key, environment, state, basic, may, label ?? ''].join('  ').trimEnd();
    });
    const text = lines.length === 0 ? 'There are no keys.' : lines.join('\n');
    return { text, json: { keys: keys.map(toText) } };
  },
};

function toText<Row extends { createdAt: Temporal.Instant; revokedAt: Temporal.Instant | null }>(
  row: Row,
) {
  const { createdAt, revokedAt } = row;
  return { ...row, createdAt: createdAt.toString(), revokedAt: revokedAt?.toString() ?? null };
}
