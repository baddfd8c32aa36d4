// What it costs to choose among very many coins: 10,000 of them against 1,000, for a payment of a
// tenth of what they hold, so that many are needed. Sorting costs 13 times as much and its
// memory; an algorithm that compares each coin with each costs a hundred times as much.

import { relayPolicy } from '#networks/utxo/relay-policy.ts';
import { type Coin, type CoinOrder, selectCoins } from '#networks/utxo/select-coins.ts';
import type { Bench } from './bench.ts';
import { type Figure, figureOf, threadMs, timeInTurns } from './measure.ts';

const MANY = 10_000;
const FEW = 1_000;
const AIM = { atMost: 25 };
const SCRIPT = Uint8Array.of(0, 20, ...new Uint8Array(20));

function orderOf(count: number): CoinOrder<Coin> {
  const coins = Array.from({ length: count }, (_, at) => ({
    transaction: ((at * 7919) % count).toString(16).padStart(64, '0'),
    vout: at % 3,
    units: 50_000n + BigInt((at * 104_729) % 1_000_003),
    kind: 'p2wpkh' as const,
    confirmations: 6,
  }));
  const held = coins.reduce((sum, { units }) => sum + units, 0n);
  return {
    coins,
    payments: [{ script: SCRIPT, units: held / 10n }],
    changeScript: SCRIPT,
    feeRate: 5000n,
    policy: relayPolicy('BTC:NATIVE'),
  };
}

export async function measureCoins(bench: Bench): Promise<Figure[]> {
  const many = orderOf(MANY);
  // As many coins as ours: else the caches and the collector would meet ours alone.
  const ten = Array.from({ length: MANY / FEW }, () => orderOf(FEW));
  const selection = selectCoins(many);
  if ('refused' in selection) throw new Error(`the coins were ${selection.refused}`);
  const [ours, tenTimes] = await timeInTurns(
    { runs: 40, warmUps: 15, clock: threadMs },
    async () => void selectCoins(many),
    async () => {
      for (const few of ten) selectCoins(few);
    },
  );
  const reference = tenTimes / (MANY / FEW);
  const inputs = selection.inputs.length;
  bench.say(
    `coins: ${inputs} of ${MANY} in ${ours.toFixed(1)} ms, ${FEW} ${reference.toFixed(2)} ms`,
  );
  const named = {
    name: `choose among ${MANY.toLocaleString('en')} coins`,
    against: `${FEW.toLocaleString('en')} coins`,
    unit: 'ms' as const,
    aim: AIM,
  };
  return [figureOf(named, ours, reference)];
}
