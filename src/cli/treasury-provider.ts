// Money at providers of conversions: on its way there and back, held against what they say, and
// which pairs of assets are converted how.
import { doNoted, noteAct } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { findNetwork } from '#catalog/network.ts';
import { amountFromText, amountToText } from '#money/asset-amount.ts';
import {
  ANY_ASSET,
  type ConversionPolicy,
  listPolicies,
  POLICY_MODES,
  setPolicy,
} from '#treasury/conversion-policy.ts';
import { noteArrival, noteMove } from '#treasury/note-move.ts';
import { listProviderUnits, providerMoveView } from '#treasury/treasury-position.ts';
import {
  type Command,
  type CommandResult,
  onePositional,
  SAID_OPTIONS,
  SAID_USAGE,
  saidOf,
  textOption,
  wholeOption,
  whoOf,
} from './command.ts';
import { chosenEnvironment, requireTwo } from './treasury.ts';
import { assetOf, providerName, someUnits } from './treasury-words.ts';

const ENVIRONMENT = { environment: { type: 'string' } } as const;
const ENVIRONMENT_USAGE = '[--environment live|test]';

export const treasuryMove: Command = {
  name: 'treasury move',
  summary: 'say that money left for a provider, or left it; the same transaction counts once',
  usage:
    'to|from PROVIDER AMOUNT ASSET --network NETWORK --reference TRANSACTION ' +
    `${ENVIRONMENT_USAGE} ${SAID_USAGE}`,
  options: {
    ...{ ...SAID_OPTIONS, ...ENVIRONMENT },
    ...{ network: { type: 'string' }, reference: { type: 'string' } },
  },
  async run(context, { positionals, values }) {
    const [way, provider, amount, asset, ...more] = positionals;
    if ((way !== 'to' && way !== 'from') || asset === undefined || more.length > 0) {
      throw new Refusal('invalid', 'usage', [
        'to or from which provider, how much of which asset?',
      ]);
    }
    const assetId = assetOf(asset);
    const network = textOption(values, 'network') ?? '';
    if (findNetwork(network) === undefined || !getAsset(assetId).networks.includes(network)) {
      throw new Refusal('invalid', 'usage', [
        `--network: must be one of ${getAsset(assetId).networks.join(', ')}`,
      ]);
    }
    const reference = textOption(values, 'reference') ?? '';
    if (!/^\S{1,200}$/.test(reference)) {
      throw new Refusal('invalid', 'usage', ['--reference: is not the id of a transaction']);
    }
    const request = {
      ...saidOf(values),
      environment: chosenEnvironment(values),
      provider: providerName(provider),
      direction: way === 'to' ? ('TO' as const) : ('FROM' as const),
      ...{ network, assetId, reference },
      units: someUnits(amount ?? '', assetId),
    };
    const { environment, actor, reason } = request;
    const act = {
      ...{ environment, actor, verb: 'treasury-move' },
      subject: ({ id }: ProviderMove) => `move:${id}`,
      details: {
        reason,
        way: `${way} ${request.provider}`,
        amount: `${amount} ${assetId}`,
        network,
        reference,
      },
    };
    const app = await context.openApp();
    await requireTwo(app, {
      ...{
        environment,
        actor,
        subject: `move:${request.provider}:${reference}`,
        words: [way, network],
      },
      about: `${amount} ${assetId} on ${network} ${way} ${request.provider} in ${reference}`,
      amount: { assetId, units: request.units },
    });
    return moveResult(await doNoted(app, act, (within) => noteMove(within, request)));
  },
};

export const treasuryArrived: Command = {
  name: 'treasury arrived',
  summary: 'say that money on its way to or from a provider arrived',
  usage: 'MOVE [--amount AMOUNT] [--by NAME]',
  options: { amount: { type: 'string' }, by: { type: 'string' } },
  async run(context, { positionals, values }) {
    const id = onePositional(positionals, 'the move, as npx quittance treasury position names it');
    const amount = textOption(values, 'amount');
    const app = await context.openApp();
    const arrival = { amount, actor: whoOf(values) };
    const { actor } = arrival;
    const act = { actor, verb: 'treasury-arrived', subject: `move:${id}`, details: { amount } };
    return moveResult(await doNoted(app, act, (within) => noteArrival(within, id, arrival)));
  },
};

type ProviderMove = Parameters<typeof providerMoveView>[0];

function moveResult(move: ProviderMove): CommandResult {
  const view = providerMoveView(move);
  const { id, direction, provider, amount, asset, reference, arrived } = view;
  const state = arrived === null ? 'on its way' : `${arrived} arrived`;
  const way = `${direction === 'TO' ? 'to' : 'from'} ${provider}`;
  return { text: `${id}  ${amount} ${asset} ${way}  ${reference}  ${state}`, json: { move: view } };
}

export const treasuryBalance: Command = {
  name: 'treasury balance',
  summary: 'hold what a provider says it has for you against the ledger',
  usage: `PROVIDER ASSET AMOUNT ${ENVIRONMENT_USAGE}`,
  options: ENVIRONMENT,
  async run(context, { positionals, values }) {
    const [name, asset, said, ...more] = positionals;
    if (said === undefined || more.length > 0) {
      throw new Refusal('invalid', 'usage', ['which provider, which asset, how much it says']);
    }
    const provider = providerName(name);
    const assetId = assetOf(asset ?? '');
    const { decimals } = getAsset(assetId);
    const units = amountFromText(said, decimals);
    if (units === undefined) {
      throw new Refusal('invalid', 'usage', [`AMOUNT: must be an amount of ${assetId}`]);
    }
    const { db } = await context.openApp();
    const held = await listProviderUnits(db, chosenEnvironment(values), provider);
    const booked = held.find((one) => one.assetId === assetId)?.units ?? 0n;
    const text = (value: bigint) => `${amountToText(value, decimals)} ${assetId}`;
    const difference = units - booked;
    const json = {
      ...{ provider, asset: assetId, said: amountToText(units, decimals) },
      booked: amountToText(booked, decimals),
      difference: amountToText(difference, decimals),
    };
    if (difference === 0n)
      return { text: `${provider} and the ledger agree: ${text(units)}`, json };
    const lines = [
      `${provider} says ${text(units)}, the ledger ${text(booked)}: ${text(difference)} apart.`,
      difference > 0n
        ? 'A deposit that arrived, or a part of an order, is not entered yet.'
        : 'A withdrawal, a fee or a part of an order is not entered yet.',
    ];
    return { text: lines.join('\n'), json, exitCode: 1 };
  },
};

export const treasuryPolicyList: Command = {
  name: 'treasury policy list',
  summary: 'how pairs of assets are converted',
  usage: ENVIRONMENT_USAGE,
  options: ENVIRONMENT,
  async run(context, { values }) {
    const { db } = await context.openApp();
    const policies = await listPolicies(db, chosenEnvironment(values));
    const lines = policies.map(policyLine);
    lines.push('Every other pair: within the exposure limit, hedged by hand later, no spread.');
    return { text: lines.join('\n'), json: { policies: policies.map(policyView) } };
  },
};

const modeName = (mode: string) => mode.toLowerCase().replaceAll('_', '-');
const MODES = POLICY_MODES.map(modeName).join('|');

export const treasuryPolicySet: Command = {
  name: 'treasury policy set',
  summary: 'say how a pair of assets is converted; * stands for any asset',
  usage:
    `FROM TO --mode ${MODES} [--provider NAME] [--spread-ppm 0-200000] ` +
    `${ENVIRONMENT_USAGE} ${SAID_USAGE}`,
  options: {
    ...{ ...SAID_OPTIONS, ...ENVIRONMENT, mode: { type: 'string' } },
    ...{ provider: { type: 'string' }, 'spread-ppm': { type: 'string' } },
  },
  async run(context, { positionals, values }) {
    const [from, to, ...more] = positionals;
    if (to === undefined || more.length > 0) {
      throw new Refusal('invalid', 'usage', ['from which asset to which?']);
    }
    const [fromAssetId, toAssetId] = [from ?? '', to].map((one) =>
      one === ANY_ASSET ? one : assetOf(one),
    ) as [string, string];
    const mode = POLICY_MODES.find((one) => modeName(one) === textOption(values, 'mode'));
    if (mode === undefined) throw new Refusal('invalid', 'usage', [`--mode: one of ${MODES}`]);
    const provider = textOption(values, 'provider');
    if ((provider === undefined) === (mode === 'AT_ONCE')) {
      throw new Refusal('invalid', 'usage', [
        '--provider: of the mode at-once, and of no other: where its orders are carried out',
      ]);
    }
    const spread = { initial: 0, least: 0, most: 200_000 };
    const said = saidOf(values);
    const app = await context.openApp();
    const policy: ConversionPolicy = {
      ...{ ...said, fromAssetId, toAssetId, mode },
      environment: chosenEnvironment(values),
      provider: provider === undefined ? undefined : providerName(provider),
      spreadPartsPerMillion: wholeOption(values, 'spread-ppm', spread),
      setAt: app.clock.now(),
    };
    const { environment, setAt: actedAt, spreadPartsPerMillion: spreadPpm } = policy;
    await app.db.transact(async (tx) => {
      setPolicy(tx, policy);
      noteAct(tx, {
        ...{ environment, actedAt, actor: said.actor, verb: 'treasury-policy-set' },
        subject: `policy:${fromAssetId} ${toAssetId}`,
        details: { reason: said.reason, mode, provider, spreadPpm: `${spreadPpm}` },
      });
    });
    return { text: policyLine(policy), json: { policy: policyView(policy) } };
  },
};

function policyView({ setAt, actor, provider, mode, ...policy }: ConversionPolicy) {
  return {
    ...{ ...policy, mode: modeName(mode) },
    provider: provider ?? null,
    by: actor,
    setAt: setAt.toString(),
  };
}

function policyLine(policy: ConversionPolicy): string {
  const { fromAssetId, toAssetId, mode, provider, spreadPartsPerMillion, actor, reason } = policy;
  const where = provider === undefined ? '' : ` at ${provider}`;
  return (
    `${fromAssetId} to ${toAssetId}  ${modeName(mode)}${where}` +
    `  spread ${spreadPartsPerMillion} ppm  by ${actor}: ${reason}`
  );
}
