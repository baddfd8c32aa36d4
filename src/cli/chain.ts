// The way out of a reorganisation deeper than what is kept (chain/rewind-chain.ts).

import { doNoted } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { rewindChain } from '#chain/rewind-chain.ts';
import { requestSettlement } from '#settle/queue.ts';
import { BY_OPTION, BY_USAGE, type Command, onePositional, textOption, whoOf } from './command.ts';

export const chainRewind: Command = {
  name: 'chain rewind',
  summary: 'go back on a chain and read its blocks again',
  usage: `NETWORK --to HEIGHT ${BY_USAGE}`,
  options: { ...BY_OPTION, to: { type: 'string' } },
  async run(context, { positionals, values }) {
    const id = onePositional(positionals, 'the network').toUpperCase();
    const to = textOption(values, 'to');
    if (to === undefined || !/^\d{1,12}$/.test(to)) {
      throw new Refusal('invalid', 'usage', ['--to: must be the height to go back to']);
    }
    const app = await context.openApp();
    const network = app.networks.get(chainOf('live', id));
    if (network === undefined) {
      throw new Refusal('missing', 'network_missing', [`${id} is not connected here`]);
    }
    const act = { actor: whoOf(values), verb: 'chain-rewind', subject: `chain:${network.chain}` };
    // Before it is done, because a node is asked between its transactions.
    await doNoted(app, { ...act, details: { to } }, async () => undefined);
    const done = await rewindChain({ ...app, onAffected: requestSettlement }, network, BigInt(to));
    const { from, payments } = done;
    return {
      text:
        `${network.chain}: block ${from.height} was read last, and is read again from ` +
        `${done.to.height + 1n} on; ${payments} payments in those blocks are looked for again`,
      json: { chain: network.chain, from: `${from.height}`, to: `${done.to.height}`, payments },
    };
  },
};
