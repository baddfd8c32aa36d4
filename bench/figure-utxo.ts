// What a full block of Bitcoin's kind costs, read from a real Litecoin Core, against fetching it
// decoded and parsing that and doing nothing with it; read and recorded, with 1,000,000 watched
// addresses against 1,000; and how much of the time of catching up with 10,000 blocks goes into
// waiting for the node.

import { randomBytes } from 'node:crypto';
import { bech32 } from '@scure/base';
import { systemClock } from '#base/clock.ts';
import { readPosition } from '#chain/chain-status.ts';
import { recordObservation } from '#chain/record-observation.ts';
import { sql } from '#db/db.ts';
import type { Observation, Position } from '#deposit/network.ts';
import { type CoreRpc, openCoreRpc } from '#networks/utxo/json-rpc.ts';
import { LITECOIN_REGTEST } from '#networks/utxo/utxo-chain.ts';
import { type UtxoNetwork, utxoNetwork } from '#networks/utxo/utxo-network.ts';
import { type LitecoinNode, newTestAccount, startLitecoinNode } from '#test/nodes/litecoin-node.ts';
import type { Bench } from './bench.ts';
import { type BenchApp, openBenchApp } from './bench-app.ts';
import { log } from './bench-database.ts';
import { type Figure, figureOf, timed, timeInTurns } from './measure.ts';
import { watchAddresses } from './watch-addresses.ts';

const TRANSACTIONS = 24;
const OUTPUTS = 500;
const TURNS = { runs: 11, warmUps: 4 };
const BLOCKS = 10_000;
/** MWEB becomes active behind it, with the first peg-in. */
const LAST_PLAIN_HEIGHT = 431;
const CHAIN = 'test:LITECOIN';
const AIM = { atMost: 1.5 };
const WATCHED_AIM = { atMost: 1.2 };
const FEW = 1_000;
const MANY = 1_000_000;
const WAITING_AIM = { atLeast: 0.7 };

export async function measureUtxo(bench: Bench): Promise<Figure[]> {
  let node: LitecoinNode;
  try {
    node = await startLitecoinNode();
  } catch (error) {
    bench.say(`utxo: left out: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
  try {
    return [...(await measureBlock(bench, node)), await measureCatchUp(bench, node)];
  } finally {
    await node.stop();
  }
}

function openNetwork(rpc: CoreRpc): UtxoNetwork {
  return utxoNetwork({
    chain: CHAIN,
    parameters: LITECOIN_REGTEST,
    rpc,
    descriptor: newTestAccount().descriptor,
    clock: systemClock,
    log,
  });
}

async function measureBlock(bench: Bench, node: LitecoinNode): Promise<Figure[]> {
  const rpc = openCoreRpc(node.rpcOptions);
  const network = openNetwork(rpc);
  const first = await network.observe({ cursor: undefined, recent: [], unconfirmed: [] });
  const few = await openWatched(bench, FEW, first);
  const many = await openWatched(bench, MANY, first);
  for (let sent = 0; sent < TRANSACTIONS; sent += 1) {
    await node.sendMany(Object.fromEntries(Array.from({ length: OUTPUTS }, () => payment())));
  }
  const [hash] = await node.mine(1);
  const position = await readPosition(few.db, CHAIN);
  const observe = async () => {
    const { blocks } = await network.observe(position);
    const found = blocks.flatMap(({ arrivals }) => arrivals).length;
    if (found < TRANSACTIONS * OUTPUTS) throw new Error(`${found} outputs`);
  };
  const fetchAndParse = async () => void (await rpc.call('getblock', [hash, 2]));
  const read = await timeInTurns(TURNS, observe, fetchAndParse);
  const recorded = await timeInTurns(
    TURNS,
    () => processBlock(network, many, position),
    () => processBlock(network, few, position),
  );
  await network.close();
  const outputs = `Litecoin (a block of ${TRANSACTIONS * OUTPUTS} outputs`;
  const unit = 'ms' as const;
  return [
    figureOf({ name: `${outputs})`, against: 'fetched and parsed', unit, aim: AIM }, ...read),
    figureOf(
      {
        name: `${outputs}, recorded, ${MANY.toLocaleString('en')} addresses)`,
        against: `${FEW.toLocaleString('en')} addresses`,
        unit,
        aim: WATCHED_AIM,
      },
      ...recorded,
    ),
  ];
}

async function openWatched(bench: Bench, size: number, first: Observation): Promise<BenchApp> {
  bench.say(`utxo: making ${size.toLocaleString('en')} watched addresses`);
  const database = await bench.openDatabase(`bench_utxo_${size}`);
  await watchAddresses(database.db, database.ours.merchantId, size);
  const app = await openBenchApp(database, bench.keyring);
  const nothing = { cursor: undefined, recent: [], unconfirmed: [] };
  await recordObservation(app, CHAIN, first, nothing);
  return app;
}

/** From the question to the node to the last row, and back to where the chain stood. */
async function processBlock(
  network: UtxoNetwork,
  app: BenchApp,
  position: Position,
): Promise<void> {
  const observation = await network.observe(position);
  const { kind } = await recordObservation(app, CHAIN, observation, position);
  if (kind !== 'recorded' || position.cursor === undefined) throw new Error(kind);
  const { height, hash } = position.cursor;
  await app.db.transact(async (tx) => {
    tx.send(sql`delete from chain_block where chain = ${CHAIN} and height > ${height}`);
    tx.send(sql`
      update chain_cursor set height = ${height}, hash = ${hash} where chain = ${CHAIN}`);
  });
}

function payment(): [address: string, amount: string] {
  return [bech32.encode('rltc', [0, ...bech32.toWords(randomBytes(20))]), '0.0001'];
}

async function measureCatchUp(bench: Bench, node: LitecoinNode): Promise<Figure> {
  const app = await openBenchApp(await bench.openDatabase('bench_utxo'), bench.keyring);
  const rpc = openCoreRpc(node.rpcOptions);
  let waitedMs = 0;
  const waiting = async <Answer>(act: Promise<Answer>): Promise<Answer> => {
    const startMs = performance.now();
    try {
      return await act;
    } finally {
      waitedMs += performance.now() - startMs;
    }
  };
  const network = openNetwork({
    ...rpc,
    call: (...question) => waiting(rpc.call(...question)),
    batch: (...questions) => waiting(rpc.batch(...questions)),
  });
  const step = async (): Promise<boolean> => {
    const position = await readPosition(app.db, CHAIN);
    const observation = await network.observe(position);
    await recordObservation(app, CHAIN, observation, position);
    return observation.complete;
  };
  await step();
  bench.say(`utxo: mining ${BLOCKS} blocks`);
  await mineMany(node, BLOCKS);
  waitedMs = 0;
  const tookMs = await timed(async () => {
    while (!(await step()));
  });
  await network.close();
  bench.say(`utxo: ${((100 * waitedMs) / tookMs).toFixed(0)} % of the time waiting for the node`);
  const name = `Litecoin, waiting (${BLOCKS.toLocaleString('en')} blocks)`;
  const named = { name, against: 'all the time', unit: 'ms' as const, aim: WAITING_AIM };
  return figureOf(named, waitedMs, tookMs);
}

async function mineMany(node: LitecoinNode, count: number): Promise<void> {
  const end = (await node.height()) + count;
  await node.mine(LAST_PLAIN_HEIGHT - (await node.height()));
  // Without a peg-in in the block that makes MWEB active mining fails for good.
  await node.send(String(await node.rpc('getnewaddress', '', 'mweb')), '1');
  for (let height = await node.height(); height < end; height += 100) {
    await node.mine(Math.min(100, end - height));
  }
}
