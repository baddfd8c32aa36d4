// The simulated networks of an installation, for the account of a test key.

import { Refusal } from '#base/refusal.ts';
import { wholeOption } from '#cli/command.ts';
import {
  openTestRemote,
  PROFILE_OPTION,
  PROFILE_USAGE,
  type RemoteCommand,
} from './remote-command.ts';

const UNITS = { minutes: 1, hours: 60, days: 1_440 } as const;

export const sandboxAdvance: RemoteCommand = {
  name: 'sandbox advance',
  summary: 'let time pass for the test data of the account: windows end, blocks and retries come',
  usage: `[--days N] [--hours N] [--minutes N] ${PROFILE_USAGE}`,
  options: {
    ...PROFILE_OPTION,
    days: { type: 'string' },
    hours: { type: 'string' },
    minutes: { type: 'string' },
  },
  async run(context, { positionals, values }) {
    const minutes = Object.entries(UNITS).reduce(
      (sum, [name, unit]) =>
        sum + unit * wholeOption(values, name, { initial: 0, least: 0, most: 100_000 }),
      0,
    );
    if (minutes === 0 || positionals.length > 0) {
      throw new Refusal('invalid', 'usage', ['--hours, --days or --minutes: say how long']);
    }
    const { client } = await openTestRemote(context, values);
    const { json } = await client.post('/sandbox/advance', { minutes });
    const text =
      `${minutes} minutes have passed: windows of ${json.checkouts} checkouts, ` +
      `${json.deliveries} attempts at webhooks and ${json.settlementRules} rules came nearer`;
    return { text, json: { ...json } };
  },
};
