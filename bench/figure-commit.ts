// Payment methods chosen per second over HTTP: each takes an address of its own from one counter.

import type { Bench } from './bench.ts';
import { ASSET, CHAIN } from './bench-network.ts';
import { createSample } from './figure-create.ts';
import { createBody, driveServer, signedRequest } from './http-client.ts';
import { compare, type Figure } from './measure.ts';
import { CLIENTS } from './pgbench.ts';
import { copyCheckouts, pooledId, settleDown } from './seed.ts';

/** Checkouts for one second of one client: more than it can commit. */
const POOL_PER_SECOND = 150;

export async function measureCommit(bench: Bench): Promise<Figure[]> {
  const { port } = await bench.server();
  const { db, connection, ours, theirs } = await bench.httpDatabase();
  const create = signedRequest(ours, 'POST', '/checkout/hosted', { body: createBody(-1, port) });
  const sample = await createSample(port, create);
  const { seconds } = bench;
  const each = POOL_PER_SECOND * seconds;
  const count = CLIENTS * each;
  const commitBody = (checkoutId: string) => JSON.stringify({ checkoutId, network: 'LITECOIN' });

  const overHttp = async (run: number) => {
    const pool = `commit-ours-${run}-`;
    await copyCheckouts(db, sample, { pool, count, shop: ours });
    await settleDown(db);
    let next = 0;
    const nextRequest = () => {
      next += 1;
      if (next > count) return undefined;
      const body = commitBody(pooledId(pool, next));
      return signedRequest(ours, 'POST', '/checkout/commit', { body });
    };
    return driveServer({ port, seconds, nextRequest });
  };
  const byHand = async (run: number) => {
    const pool = `commit-hand-${run}-`;
    await copyCheckouts(db, sample, { pool, count, shop: theirs });
    await settleDown(db);
    const variables = {
      ...{ key: theirs.key, merchant: theirs.merchantId, pool, each: String(each), k: '0' },
      chain: CHAIN,
      asset: ASSET,
      ...{ units: '94120000', net: '93178800', fee: '941200' },
      rates: JSON.stringify({ rateIds: ['3', '24'], numerator: '1', denominator: '1' }),
    };
    return bench.pgbench({ script: 'commit.sql', connection, variables, length: { seconds } });
  };
  const figure = { name: 'commit (HTTP)', against: 'pgbench', aim: { atLeast: 0.9 } };
  return [await compare(figure, overHttp, byHand, bench.say)];
}
