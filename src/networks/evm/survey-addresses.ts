// What lies at the addresses of ours on an EVM chain and can be brought together, and what moving
// it costs at most now. What is there must be there in the last final block and in the last one:
// neither what may yet be undone nor what is leaving is moved.
import type { Watcher } from '#deposit/network.ts';
import { refusedDraft } from '#networks/draft-terms.ts';
import { decideFeeCaps } from './decide-fee-caps.ts';
import { type EvmDraftSource, listHolders, readFees } from './draft-payment.ts';
import { GAS_MOST, PLAIN_GAS, readGasLimits } from './estimate-gas.ts';
import type { EvmRpc } from './json-rpc.ts';
import { readBalancesAt } from './read-balances.ts';
import type { TokenContracts } from './read-block.ts';
import { readOwnChainFee } from './read-fees.ts';
import { evmCallOf } from './unsigned-transaction.ts';

/** More than a transfer of any token here takes. */
const TOKEN_GAS = 100_000n;

type SweepSurvey = Awaited<ReturnType<NonNullable<Watcher['sweeper']>['survey']>>;
type SweepHolding = SweepSurvey['holdings'][number];

type SurveySource = EvmDraftSource & {
  /** Tokens whose contract has been looked at. */
  readonly offered: TokenContracts;
};

type SurveyQuestion = {
  readonly addresses: readonly string[] | undefined;
  readonly collectTo: string;
  readonly gasAccount: string | undefined;
  /** Heights of the last final block and of the last one. */
  readonly heights: readonly bigint[];
};

/** @throws Refusal conflict when being included costs more than is allowed; Outage */
export async function surveyAddresses(
  source: SurveySource,
  rpc: EvmRpc,
  { addresses, collectTo, gasAccount, heights }: SurveyQuestion,
): Promise<SweepSurvey> {
  const { coinAssetId, offered, parameters } = source;
  const caps = decideFeeCaps(await readFees(rpc), parameters.fees);
  if ('tooDear' in caps) throw refusedDraft(`${caps.tooDear}: wait`);
  // The chain takes it from the same coins, so what is left beside the gas has to cover it.
  const ownChainUnits = await readOwnChainFee(parameters, rpc);
  const costOf = (gasLimit: bigint) => gasLimit * caps.maxFeePerGas + ownChainUnits;
  const swept = (addresses ?? (await listHolders(source))).filter(
    (address) => address !== collectTo && address !== gasAccount && address !== source.safe,
  );
  const places = swept.flatMap((address) =>
    [coinAssetId, ...offered.values()].map((assetId) => ({ address, assetId })),
  );
  const held = await readHeld(source, rpc, places, heights);
  const found = places
    .map((place, at) => ({ ...place, units: held[at] ?? 0n }))
    .filter(({ units }) => units > 0n);
  const gas = await readGasLimits(
    rpc,
    found.map(({ address, assetId, units }) => {
      // Of a coin one unit: moving all of it would leave nothing for the gas.
      const asked = assetId === coinAssetId ? 1n : units;
      const payment = { account: { address: collectTo }, assetId, units: asked };
      return { from: address, ...evmCallOf({ ...payment, network: parameters.network }) };
    }),
  );
  const holdings = found.map((holding, at): SweepHolding => {
    const limit = gas[at];
    const isPossible = limit !== undefined && limit <= GAS_MOST;
    return { ...holding, costUnits: isPossible ? costOf(limit) : undefined };
  });
  const gasPlaces = gasAccount === undefined ? [] : [{ address: gasAccount, assetId: coinAssetId }];
  const [heldUnits] = await readHeld(source, rpc, gasPlaces, heights);
  return {
    coinAssetId,
    holdings,
    topUpCostUnits: costOf(PLAIN_GAS),
    gas: heldUnits === undefined ? undefined : { heldUnits, tokenCostUnits: costOf(TOKEN_GAS) },
  };
}

type Place = { readonly address: string; readonly assetId: string };

/** The least that each holds at one of the heights. */
async function readHeld(
  { contractOf }: SurveySource,
  rpc: EvmRpc,
  places: readonly Place[],
  heights: readonly bigint[],
): Promise<readonly bigint[]> {
  const asked = heights.flatMap((height) => places.map((place) => ({ ...place, height })));
  const held = await readBalancesAt(rpc, contractOf, asked);
  return places.map((_, at) =>
    heights
      .map((__, turn) => held[turn * places.length + at] ?? 0n)
      .reduce((least, units) => (units < least ? units : least)),
  );
}
