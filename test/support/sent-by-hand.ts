// A merchant with a balance in Litecoin whose transfers a person sends, and a chain that shows what
// the test says has left.
import { chainOf } from '#catalog/chain.ts';
import type { NewDeparture } from '#chain/decide-departures.ts';
import { writeDepartures } from '#chain/departure.ts';
import type { SettleDeparturesApp } from '#custody/settle-departures.ts';
import { sql } from '#db/db.ts';
import { parseDecimal } from '#money/decimal.ts';
import { commitTransfer } from '#transfer/commit-transfer.ts';
import { quoteTransfer } from '#transfer/quote-transfer.ts';
import { runTransfers } from '#transfer/run-transfers.ts';
import { showSending } from '#transfer/send-by-hand.ts';
import { addBeneficiary, PAYER_ADDRESS, payCheckout, sender } from './outgoing-money.ts';
import { openTestApp, type TestApp } from './test-app.ts';

export const LITECOIN = chainOf('test', 'LITECOIN');
export const LTC = 'LTC:NATIVE';
const FEE_MOST = 500n;

export type Sent = {
  readonly destination: string;
  readonly units: bigint;
  readonly isOwn?: boolean;
};

type Shown = {
  readonly fee?: bigint;
  /** 0 is the mempool. */
  readonly depth?: number;
  readonly spends?: readonly string[];
};

export type SentByHand = {
  readonly world: TestApp;
  readonly app: SettleDeparturesApp & Parameters<typeof runTransfers>[0];
  /** What the merchant was paid before. */
  readonly paid: bigint;
  /** A transfer of so much, that somebody was told how to send. */
  order(amount?: string): Promise<string>;
  /** As if the chain had shown it. */
  show(transaction: string, sent: readonly Sent[], shown?: Shown): Promise<void>;
  height(): Promise<bigint>;
};

export function toPayee(units: bigint): Sent {
  return { destination: PAYER_ADDRESS, units };
}

export async function openSentByHand(): Promise<SentByHand> {
  const world = await openTestApp();
  await world.observe('LITECOIN');
  await addBeneficiary(world, 'savings');
  const paid = await payCheckout(world, await world.create());
  const byHand = {
    chain: LITECOIN,
    networkFeeUnits: () => FEE_MOST,
    instruct: () => ({ link: undefined }),
    destinationOf: (account: { readonly [field: string]: string }) => account.address,
  };
  const executors = new Map([[LITECOIN, byHand]]);
  const networks = new Map([[LITECOIN, { sweeper: undefined }]]);
  const app = { ...sender(world), executors, networks };
  const height = async () => {
    const [row] = await world.app.db.query<{ height: bigint }>(sql`
      select height from chain_cursor where chain = ${LITECOIN}`);
    return row?.height ?? 0n;
  };
  return {
    world,
    app,
    paid,
    height,
    async order(amount = '0.1') {
      const request = { network: 'LITECOIN', asset: undefined, targetAccount: 'savings' };
      const wished = { ...request, amount: parseDecimal(amount) };
      const quoted = await quoteTransfer({ ...world.app, ...app }, world.caller, wished);
      await commitTransfer({ ...world.app, ...app }, world.caller, quoted.id);
      await runTransfers(app);
      await showSending(app, quoted.id);
      return quoted.id;
    },
    async show(transaction, sent, { fee = 200n, depth = 1, spends = ['ours:0'] } = {}) {
      const blockHeight = (await height()) - BigInt(depth) + 1n;
      const departure: NewDeparture = {
        transaction,
        spends,
        fee: { assetId: LTC, units: fee },
        block: depth === 0 ? undefined : { height: blockHeight, hash: 'block' },
        parts: sent.map(({ isOwn = false, ...part }, index) => ({
          ...part,
          creditKey: `${transaction}:${index}`,
          assetId: LTC,
          isOwn,
        })),
      };
      const seenAt = world.clock.now();
      await world.app.db.transact(async (tx) =>
        writeDepartures(tx, LITECOIN, [departure], { seenAt, requiredOf: () => 2 }),
      );
    },
  };
}
