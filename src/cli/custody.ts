// Money that left the addresses we watch and carried no transfer: what an operator sees of it, and
// says of it.

import { Refusal } from '#base/refusal.ts';
import { counted } from '#base/text.ts';
import { getAsset } from '#catalog/asset.ts';
import { chainOf, networkOf } from '#catalog/chain.ts';
import { findNetwork, getNetwork, type NetworkInfo } from '#catalog/network.ts';
import type { RecordedDeparture } from '#chain/departure.ts';
import { type DraftedMove, draftConsolidation } from '#custody/draft-consolidation.ts';
import { draftReplacement, draftSpeedUp } from '#custody/draft-speed-up.ts';
import {
  abandonDeparture,
  departureView,
  explainDeparture,
  listDepartures,
  settlePart,
} from '#custody/explain-departure.ts';
import { amountFromText, amountToText } from '#money/asset-amount.ts';
import { openSigners } from '#sending/open-signers.ts';
import { listWaitingMoves } from '#sending/release-attempts.ts';
import { sendSignedMove } from '#sending/send-signed.ts';
import { draftSweep, planSweep, type SweepPlan, storePlan } from '#sending/sweep.ts';
import { transferGrounds } from '#suspense/return-suspense.ts';
import { sendingView } from '#transfer/send-by-hand.ts';
import {
  BY_OPTION,
  BY_USAGE,
  type Command,
  type CommandResult,
  feeRateOf,
  onePositional,
  SAID_OPTIONS,
  SAID_USAGE,
  saidOf,
  textOption,
  type Values,
  wholeOption,
  whoOf,
} from './command.ts';
import { readBoundedInput, writeOutFile } from './command-files.ts';
import { draftView } from './draft-view.ts';
import { SIGNED_BYTES_MOST } from './send.ts';

const PURPOSES = {
  own: 'OWN',
  outside: 'OUTSIDE',
  lost: 'LOST',
  converted: 'CONVERTED',
} as const;
const WHAT = Object.keys(PURPOSES).join('|');

export const custodyList: Command = {
  name: 'custody list',
  summary: 'money that left and that no transfer explains; moves of your own that wait',
  usage: '[--limit 1-1000]',
  options: { limit: { type: 'string' } },
  async run(context, { values }) {
    const { db } = await context.openApp();
    const most = wholeOption(values, 'limit', { initial: 100, least: 1, most: 1_000 });
    const found = await listDepartures({ db }, most + 1);
    const shown = found.slice(0, most);
    const lines = shown.map(departureText);
    if (found.length > most) lines.push('and more: --limit shows up to 1000');
    if (shown.length === 0) lines.push('All that left is explained.');
    const moves = (await listWaitingMoves(db, most)).map((move) => {
      const { id, chain, transaction, isReplaced } = move;
      return { id: `${id}`, chain, transaction, isReplaced };
    });
    lines.push(...moves.map(moveText));
    return { text: lines.join('\n'), json: { departures: shown.map(departureView), moves } };
  },
};

export const custodyExplain: Command = {
  name: 'custody explain',
  summary:
    'say what it was: it is still yours here (own), elsewhere (outside), lost, or was exchanged',
  usage: `ID:PART --as ${WHAT} ${SAID_USAGE}`,
  options: { ...SAID_OPTIONS, as: { type: 'string' } },
  async run(context, { positionals, values }) {
    const part = readPart(onePositional(positionals, PART));
    const as = textOption(values, 'as') ?? '';
    const purpose = Object.entries(PURPOSES).find(([name]) => name === as)?.[1];
    if (purpose === undefined) throw new Refusal('invalid', 'usage', [`--as: one of ${WHAT}`]);
    const said = saidOf(values);
    const app = await context.openApp();
    const explaining = { ...app, ...transferGrounds(app) };
    const departure = await explainDeparture(explaining, { ...part, purpose, ...said });
    return { text: departureText(departure), json: { departure: departureView(departure) } };
  },
};

export const custodySettle: Command = {
  name: 'custody settle',
  summary: 'say which transfer it carries, where that could not be told from the receiver',
  usage: `ID:PART TRANSFER ${SAID_USAGE}`,
  options: SAID_OPTIONS,
  async run(context, { positionals, values }) {
    const [named = '', ...rest] = positionals;
    const part = readPart(named);
    const transferId = onePositional(rest, 'the id of a transfer of npx quittance send list');
    const said = saidOf(values);
    const app = await context.openApp();
    const settling = { ...app, ...transferGrounds(app) };
    const transfer = await settlePart(settling, { ...part, transferId, ...said });
    const view = sendingView({ transfer });
    return { text: `${view.id}  ${view.state}  ${view.send}`, json: { transfer: view } };
  },
};

const PART = 'a part as npx quittance custody list names it';

/** @throws Refusal */
function readPart(named: string): { readonly departureId: bigint; readonly number: number } {
  const [, departureId, number] = /^([1-9]\d{0,17}):([1-9]\d{0,5})$/.exec(named) ?? [];
  if (departureId === undefined) {
    throw new Refusal('invalid', 'usage', ['ID:PART: as npx quittance custody list names it']);
  }
  return { departureId: BigInt(departureId), number: Number(number) };
}

export const custodyGone: Command = {
  name: 'custody gone',
  summary:
    'say that an unconfirmed transaction of yours will never be mined: what it paid waits again',
  usage: `TRANSACTION ${SAID_USAGE}`,
  options: SAID_OPTIONS,
  async run(context, { positionals, values }) {
    const transaction = onePositional(positionals, 'the id of the transaction');
    const said = saidOf(values);
    const departure = await abandonDeparture(await context.openApp(), transaction, said);
    return { text: departureText(departure), json: { departure: departureView(departure) } };
  },
};

type MoveView = {
  readonly id: string;
  readonly chain: string;
  readonly transaction: string;
  /** Something else was signed for the same coins. */
  readonly isReplaced: boolean;
};

function moveText({ id, chain, transaction, isReplaced }: MoveView): string {
  const next = isReplaced ? 'another one took its place' : `npx quittance custody replace ${id}`;
  return `${chain}  MOVE ${id}  ${transaction}  waits: ${next}`;
}

function departureText(departure: RecordedDeparture): string {
  const { chain, transaction, status, seenAt, fee, parts } = departureView(departure);
  const lines = parts.map(
    ({ id, amount, destination, purpose }) =>
      `    ${id}  ${amount} to ${destination}  ${purpose ?? 'unexplained'}`,
  );
  const took = fee === null ? 'fee unknown' : `fee ${fee}`;
  return [`${chain}  ${status}  ${transaction}  ${took}  since ${seenAt}`, ...lines].join('\n');
}

// Coins of ours that go back to us, in an unsigned transaction for the wallet that has their keys:
// small ones as one while fees are low, and one that waits with a fee for what it waits for.
export const custodyConsolidate: Command = {
  name: 'custody consolidate',
  summary: 'one unsigned transaction that makes many small coins one (Bitcoin, Litecoin)',
  usage: 'NETWORK [--most 2-500] [--below AMOUNT] [--fee-rate RATE] [--by NAME] [--out FILE]',
  options: {
    most: { type: 'string' },
    below: { type: 'string' },
    'fee-rate': { type: 'string' },
    by: { type: 'string' },
    out: { type: 'string' },
  },
  async run(context, { positionals, values }) {
    const network = namedNetwork(onePositional(positionals, 'a network, as BITCOIN'));
    const { defaultAssetId: assetId } = network;
    const wish = {
      most: wholeOption(values, 'most', { initial: 100, least: 2, most: 500 }),
      belowUnits: belowOf(values, assetId),
      feeRate: feeRateOf(values),
      actor: whoOf(values),
    };
    const app = await context.openApp();
    const drafted = await draftConsolidation(app, chainOf('live', network.id), wish);
    return handedOut(drafted, assetId, values);
  },
};

export const custodySpeedUp: Command = {
  name: 'custody speed-up',
  summary: 'a payment to you waits with too low a fee: spend it back to you and pay for both',
  usage: 'NETWORK TRANSACTION [--fee-rate RATE] [--by NAME] [--out FILE]',
  options: { 'fee-rate': { type: 'string' }, by: { type: 'string' }, out: { type: 'string' } },
  async run(context, { positionals: [named = '', ...rest], values }) {
    const network = namedNetwork(named);
    const transaction = onePositional(rest, 'the id of the transaction that waits').toLowerCase();
    if (!/^[0-9a-f]{64}$/.test(transaction)) {
      throw new Refusal('invalid', 'usage', ['TRANSACTION: 64 hexadecimal digits']);
    }
    const wish = { transaction, feeRate: feeRateOf(values), actor: whoOf(values) };
    const app = await context.openApp();
    const drafted = await draftSpeedUp(app, chainOf('live', network.id), wish);
    return handedOut(drafted, network.defaultAssetId, values);
  },
};

export const custodyReplace: Command = {
  name: 'custody replace',
  summary:
    'a move of your own waits with too low a fee: the same coins once more with a higher one',
  usage: 'ID [--fee-rate RATE] [--by NAME] [--out FILE]',
  options: { 'fee-rate': { type: 'string' }, by: { type: 'string' }, out: { type: 'string' } },
  async run(context, { positionals, values }) {
    const id = moveId(onePositional(positionals, 'the number of the move'));
    const wish = { feeRate: feeRateOf(values), actor: whoOf(values) };
    const app = await context.openApp();
    const { chain, ...drafted } = await draftReplacement(app, id, wish);
    return handedOut(drafted, getNetwork(networkOf(chain)).defaultAssetId, values);
  },
};

/** @throws Refusal */
function moveId(named: string): bigint {
  if (/^\d{1,18}$/.test(named)) return BigInt(named);
  throw new Refusal('invalid', 'usage', ['ID: the number that the draft was shown with']);
}

/** @throws Refusal */
function namedNetwork(named: string): NetworkInfo {
  const name = named.toUpperCase();
  const network = findNetwork(name);
  if (network !== undefined) return network;
  throw new Refusal('invalid', 'usage', [`NETWORK: there is no ${name}`]);
}

export const custodySigned: Command = {
  name: 'custody signed',
  summary:
    'send what custody consolidate, speed-up or replace drafted and you have signed; without a file once ' +
    'more what was sent before',
  usage: `ID [FILE|-] ${BY_USAGE}`,
  options: BY_OPTION,
  async run(context, { positionals, values }) {
    const [named = '', path, ...more] = positionals;
    const id = onePositional(named === '' ? [] : [named, ...more], 'the number of the draft');
    const returned =
      path === undefined ? undefined : await readBoundedInput(path, SIGNED_BYTES_MOST, 'FILE');
    const app = await context.openApp();
    const transaction = await sendSignedMove(app, moveId(id), returned, whoOf(values));
    return { text: `Sent as ${transaction}.`, json: { id, transaction } };
  },
};

function handedOut(
  { id, ...drafted }: DraftedMove,
  assetId: string,
  values: Values,
): CommandResult {
  const out = textOption(values, 'out');
  if (out !== undefined) writeOutFile(out, drafted.text, { encoding: 'base64', isPrivate: true });
  const { about, json } = draftView(drafted, assetId);
  const told = out === undefined ? drafted.text : `Written to ${out}.`;
  const next =
    `Let your wallet sign it, before you draft anything else: npx quittance custody signed ${id} ` +
    'FILE. It is seen and booked.';
  return { text: [...about, told, next].join('\n'), json: { draft: { id: `${id}`, ...json } } };
}

/** @throws Refusal */
function belowOf(values: Values, assetId: string): bigint | undefined {
  const text = textOption(values, 'below');
  if (text === undefined) return undefined;
  const { decimals, assetCode } = getAsset(assetId);
  const units = amountFromText(text, decimals);
  if (units !== undefined && units > 0n) return units;
  throw new Refusal('invalid', 'usage', [
    `--below: an amount of ${assetCode} with at most ${decimals} decimals, as 0.001`,
  ]);
}

// Money at many addresses of ours, brought together at one: what it would cost, what is on its way,
// and the word that it may go.
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
