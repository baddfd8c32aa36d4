// The way out of a reorganisation deeper than what is kept, and of a brake that holds what somebody
// knows to be right (chain/act-on-chain.ts).

import { doNoted } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { counted } from '#base/text.ts';
import { findHeldPayments, releaseBrake } from '#brake/release-brake.ts';
import { getAsset } from '#catalog/asset.ts';
import { chainOf } from '#catalog/chain.ts';
import { rewindChain } from '#chain/act-on-chain.ts';
import { amountToText } from '#money/asset-amount.ts';
import { requestSettlement } from '#settle/queue.ts';
import {
  BY_OPTION,
  BY_USAGE,
  type Command,
  onePositional,
  SAID_OPTIONS,
  saidOf,
  textOption,
  whoOf,
} from './command.ts';

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

export const chainRelease: Command = {
  name: 'chain release',
  summary: 'show what the brake of a network holds, and let it go',
  usage: [
    'NETWORK [--shown CODE --reason TEXT [--by NAME]]',
    '  without --shown it only shows, with the code that stands for what it shows',
  ].join('\n'),
  options: { ...SAID_OPTIONS, shown: { type: 'string' } },
  async run(context, { positionals, values }) {
    const chain = chainOf('live', onePositional(positionals, 'the network').toUpperCase());
    const app = await context.openApp();
    const held = await findHeldPayments(app, chain);
    if (held === undefined) {
      throw new Refusal('missing', 'network_missing', [`${chain} is not connected here`]);
    }
    const code = textOption(values, 'shown');
    if (code !== undefined) {
      const said = saidOf(values);
      const count = await releaseBrake(app, { ...said, chain, code, language: 'en' });
      return {
        text: `${counted(count, 'payment')} let go; each still needs twice its confirmations.`,
        json: { chain, released: count },
      };
    }
    const { causes, payments, refusal } = held;
    const lines = [
      ...causes.map((cause) => `brake: ${cause}`),
      ...payments.map(heldLine),
      refusal === undefined
        ? `To let go these: npx quittance chain release ${chain.slice('live:'.length)} --shown ${held.code} --reason TEXT`
        : `Nothing may be let go: ${refusal.sentences.join('; ')}`,
    ];
    const json = {
      chain,
      causes,
      code: refusal === undefined ? held.code : null,
      refusal: refusal?.sentences ?? null,
      payments: payments.map(heldJson),
    };
    return { text: lines.join('\n'), json };
  },
};

type Held = NonNullable<Awaited<ReturnType<typeof findHeldPayments>>>['payments'][number];

function heldJson(payment: Held) {
  const { id, assetId, units, merchantId, purpose, purposeId, transaction, heldAt } = payment;
  return {
    id: `${id}`,
    amount: amountToText(units, getAsset(assetId).decimals),
    asset: assetId,
    merchant: merchantId ?? null,
    for: purpose === undefined ? null : `${purpose}:${purposeId}`,
    transaction,
    heldSince: heldAt?.toString() ?? null,
    confirmations: `${payment.confirmations}`,
    needed: payment.confirmationsNeeded ?? null,
  };
}

function heldLine(payment: Held): string {
  const { id, amount, asset, merchant, ...rest } = heldJson(payment);
  const whose = merchant === null ? 'nobody known' : `${payment.merchantName ?? ''} (${merchant})`;
  return [
    `payment ${id}: ${amount} ${asset} for ${whose}, ${rest.for ?? 'asked for by nobody'}`,
    `    ${rest.transaction}, ${rest.confirmations} of ${rest.needed} confirmations, held since ${rest.heldSince}`,
  ].join('\n');
}
