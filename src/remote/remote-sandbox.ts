// The simulated networks of an installation, for the account of a test key.

import { Refusal } from '#base/refusal.ts';
import { counted } from '#base/text.ts';
import { onePositional, textOption, wholeOption } from '#cli/command.ts';
import {
  openTestRemote,
  PROFILE_EXPLAINED,
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
  explains: {
    '--days N, --hours N, --minutes N': 'how long, added up',
    ...PROFILE_EXPLAINED,
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

/** `sandbox pay` with a profile: the same words as beside the database. */
export const remoteSandboxPay: RemoteCommand = {
  name: 'sandbox pay',
  summary: 'pay a test checkout on its simulated network; commits first when nothing is committed',
  usage: `CHECKOUT_ID [--amount TEXT] [--parts N] [--method NETWORK] [--asset ID] ${PROFILE_USAGE}`,
  options: {
    ...PROFILE_OPTION,
    amount: { type: 'string' },
    parts: { type: 'string' },
    method: { type: 'string' },
    asset: { type: 'string' },
  },
  explains: {
    '--amount TEXT': 'another amount than is asked for: too little or too much',
    '--parts N': 'in so many payments',
    '--method NETWORK': 'where nothing is committed: the network, such as LITECOIN',
    '--asset ID': 'where a network has several: which',
    ...PROFILE_EXPLAINED,
  },
  async run(context, { positionals, values }) {
    const checkoutId = onePositional(positionals, 'the checkout id');
    const parts = wholeOption(values, 'parts', { initial: 1, least: 1, most: 20 });
    const { client } = await openTestRemote(context, values);
    const { json } = await client.post('/sandbox/pay', {
      ...{ checkoutId, parts },
      network: textOption(values, 'method'),
      asset: textOption(values, 'asset'),
      amount: textOption(values, 'amount'),
    });
    const payments = json.payments as unknown as readonly Readonly<Record<string, string>>[];
    const lines = payments.map(
      ({ amount, network, transaction }) => `sent ${amount} on ${network} in ${transaction}`,
    );
    return { text: lines.join('\n'), json: { checkoutId, payments } };
  },
};

/** `sandbox mine` with a profile: payments of the account alone. */
export const remoteSandboxMine: RemoteCommand = {
  name: 'sandbox mine',
  summary: 'mine your payments on a simulated network, or on all of them, so many blocks deep',
  usage: `[--network NETWORK] [--blocks N] ${PROFILE_USAGE}`,
  options: { ...PROFILE_OPTION, network: { type: 'string' }, blocks: { type: 'string' } },
  explains: {
    '--network NETWORK': 'one alone, such as LITECOIN',
    '--blocks N': 'how many, 1 unless told; 12 make any payment final',
    ...PROFILE_EXPLAINED,
  },
  async run(context, { positionals, values }) {
    if (positionals.length > 0) throw new Refusal('invalid', 'usage', ['no argument is taken']);
    const blocks = wholeOption(values, 'blocks', { initial: 1, least: 1, most: 100 });
    const { client } = await openTestRemote(context, values);
    const network = textOption(values, 'network');
    const { json } = await client.post('/sandbox/mine', { network, blocks });
    const tips = json.tips as unknown as readonly { network: string; height: number }[];
    const rows = tips.map((tip) => `${tip.network} is at block ${tip.height}`);
    return { text: rows.join('\n') || `${counted(blocks, 'block')} mined`, json: { tips } };
  },
};

/** `sandbox expire` with a profile. */
export const remoteSandboxExpire: RemoteCommand = {
  name: 'sandbox expire',
  summary: 'end the payment window of a test checkout now',
  usage: `CHECKOUT_ID ${PROFILE_USAGE}`,
  options: PROFILE_OPTION,
  explains: PROFILE_EXPLAINED,
  async run(context, { positionals, values }) {
    const checkoutId = onePositional(positionals, 'the checkout id');
    const { client } = await openTestRemote(context, values);
    await client.post('/sandbox/expire', { checkoutId });
    return { text: `the window of ${checkoutId} is over`, json: { checkoutId } };
  },
};
