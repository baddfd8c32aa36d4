// Money at many addresses of ours, brought together at one: what it would cost, what is on its way,
// and the word that it may go.

import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { chainOf } from '#catalog/chain.ts';
import { findNetwork } from '#catalog/network.ts';
import { amountToText } from '#money/asset-amount.ts';
import { openSigners } from '#sending/open-signers.ts';
import { draftSweep, planSweep, type SweepPlan, storePlan } from '#sending/sweep.ts';
import { type Command, onePositional, whoOf } from './command.ts';
import { counted } from './counted.ts';
import { draftView } from './draft-view.ts';

export const custodySweep: Command = {
  name: 'custody sweep',
  summary: 'bring together what lies at many addresses of yours (EVM chains)',
  usage: 'NETWORK [--show] [--by NAME]',
  options: { show: { type: 'boolean' }, by: { type: 'string' } },
  async run(context, { positionals, values }) {
    const network = onePositional(positionals, 'a network, as ETHEREUM').toUpperCase();
    if (findNetwork(network) === undefined) {
      throw new Refusal('invalid', 'usage', [`NETWORK: there is no ${network}`]);
    }
    const chain = chainOf('live', network);
    const app = await context.openApp();
    const plan = await planSweep(app, chain, { isAutomatic: false });
    const view = sweepView(plan);
    const isSigned = openSigners(app).has(chain);
    if (values.show === true) return { text: sweepText(view, []), json: { sweep: view } };
    if (isSigned) {
      await storePlan(app, chain, plan, whoOf(values));
      const moves = counted(plan.steps.length, 'move');
      const told = `The signer is asked for ${moves}: see them with --show.`;
      return { text: sweepText(view, [told]), json: { sweep: { ...view, planned: true } } };
    }
    const drafts = await draftSweep(app, chain, plan);
    const shown = drafts.map((drafted) => draftView(drafted, plan.coinAssetId));
    const told = shown.flatMap(({ about, json }) => ['', ...about, json.text]);
    const next =
      drafts.length === 0
        ? []
        : ['', 'Sign and send each with your wallet; all are seen and booked.'];
    return {
      text: sweepText(view, [...told, ...next]),
      json: { sweep: { ...view, drafts: shown.map(({ json }) => json) } },
    };
  },
};

type SweepView = ReturnType<typeof sweepView>;

function sweepView({ collectTo, coinAssetId, steps, left, open }: SweepPlan) {
  return {
    collectTo,
    moves: steps.map(({ address, assetId, units, costUnits, topUpUnits }) => ({
      address,
      amount: amountText(assetId, units),
      costAtMost: amountText(coinAssetId, costUnits),
      coinsFirst: topUpUnits === 0n ? null : amountText(coinAssetId, topUpUnits),
    })),
    left: left.map(({ address, assetId, units, reason }) => {
      return { address, amount: amountText(assetId, units), reason };
    }),
    open: open.map(({ id, kind, source, receiver, assetId, units, state, heldUp, ...rest }) => ({
      ...{ id, kind, from: source, to: receiver, amount: amountText(assetId, units), state },
      transaction: rest.transactions.at(-1) ?? null,
      heldUp: heldUp ?? null,
    })),
  };
}

function sweepText({ collectTo, moves, left, open }: SweepView, more: readonly string[]): string {
  const lines = [
    ...moves.map(({ address, amount, costAtMost, coinsFirst }) => {
      const first = coinsFirst === null ? '' : `; it needs ${coinsFirst} first`;
      return `${amount} at ${address} to ${collectTo}  costs at most ${costAtMost}${first}`;
    }),
    ...left.map(({ address, amount, reason }) => `${amount} at ${address} stays: ${reason}`),
    ...open.map(({ kind, from, to, amount, state, transaction, heldUp }) => {
      const sent = transaction === null ? '' : `  in ${transaction}`;
      const waits = heldUp === null ? '' : `\n    ${heldUp}`;
      return `${kind}  ${state}  ${amount} from ${from} to ${to}${sent}${waits}`;
    }),
  ];
  if (lines.length === 0) lines.push('Nothing is there to be swept.');
  return [...lines, ...more].join('\n');
}

function amountText(assetId: string, units: bigint): string {
  const { decimals, assetCode } = getAsset(assetId);
  return `${amountToText(units, decimals)} ${assetCode}`;
}
