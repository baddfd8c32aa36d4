// A merchant with a balance in Litecoin whose transfers a person sends, and a chain that shows what
// the test says has left.
import { type ChainId, chainOf, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { NewDeparture } from '#chain/decide-departures.ts';
import { undoDepartures, writeDepartures } from '#chain/write-departures.ts';
import type { SettleDeparturesApp } from '#custody/settle-departures.ts';
import { type Db, sql } from '#db/db.ts';
import type { DraftedTransaction } from '#deposit/money-out.ts';
import type { DeparturePart, Watcher } from '#deposit/network.ts';
import { parseDecimal } from '#money/decimal.ts';
import { decideSending } from '#sending/carry-out-acts.ts';
import { draftSending } from '#sending/draft-sending.ts';
import { sendSigned } from '#sending/send-signed.ts';
import { commitTransfer } from '#transfer/commit-transfer.ts';
import type { Said } from '#transfer/conclude-transfer.ts';
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
  /** The coin of the network where absent. */
  readonly assetId?: string;
  readonly claimable?: DeparturePart['claimable'];
};

type Shown = {
  readonly fee?: bigint | 'unknown';
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
  const height = () => heightOf(world.app.db, LITECOIN);
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
    show: (transaction, sent, shown) => showDeparture(world, LITECOIN, transaction, sent, shown),
  };
}

/** As if the chain had shown it. */
export async function showDeparture(
  { app, clock }: TestApp,
  chain: ChainId,
  transaction: string,
  sent: readonly Sent[],
  { fee = 200n, depth = 1, spends = ['ours:0'] }: Shown = {},
): Promise<void> {
  const coin = getNetwork(networkOf(chain)).defaultAssetId;
  const blockHeight = (await heightOf(app.db, chain)) - BigInt(depth) + 1n;
  const departure: NewDeparture = {
    transaction,
    spends,
    fee: { assetId: coin, units: fee === 'unknown' ? undefined : fee },
    block: depth === 0 ? undefined : { height: blockHeight, hash: 'block' },
    parts: sent.map(({ isOwn = false, ...part }, index) => ({
      assetId: coin,
      ...part,
      creditKey: `${transaction}:${index}`,
      isOwn,
    })),
  };
  const seenAt = clock.now();
  await app.db.transact(async (tx) =>
    writeDepartures(tx, chain, [departure], { seenAt, requiredOf: () => 2 }),
  );
}

/** What was shown in the last two blocks is in none of them any more. */
export async function undoTwoBlocks({ app }: TestApp, chain: ChainId): Promise<void> {
  const below = (await heightOf(app.db, chain)) - 2n;
  await app.db.transact((tx) => undoDepartures(tx, chain, below));
}

async function heightOf(db: Db, chain: ChainId): Promise<bigint> {
  const [row] = await db.query<{ height: bigint }>(sql`
    select height from chain_cursor where chain = ${chain}`);
  return row?.height ?? 0n;
}

/** What is signed for a draft, the first t1, the next t2, spends the same. */
export function draftingNetwork(): Pick<Watcher, 'draft' | 'sender'> & { sweeper: undefined } {
  let drafts = 0;
  const drafted = (): DraftedTransaction => {
    drafts += 1;
    return {
      ...{ format: 'transaction', text: 'unsigned', json: undefined, links: [], from: 'account' },
      ...{ sequence: BigInt(drafts), feeUnits: 1n, feeAssetId: LTC, until: undefined },
      ...{ terms: String(drafts), spends: ['ours:0'] },
    };
  };
  return {
    sweeper: undefined,
    draft: async () => drafted(),
    sender: {
      async readSigned({ terms }) {
        return { signedTransaction: `bytes ${terms}`, transaction: `t${terms}` };
      },
      broadcast: async () => undefined,
    },
  };
}

export type CancelApp = Parameters<typeof decideSending>[0] & Parameters<typeof draftSending>[0];

/** Signed as t1; then t2, which pays us, takes its place. */
export async function cancelSigned(app: CancelApp, id: string, said: Said): Promise<void> {
  const wish = { actor: said.actor, feeRate: undefined, from: undefined };
  await draftSending(app, [id], wish);
  await sendSigned(app, id, Buffer.from('t1'));
  const decision = { act: 'CANCEL', feeRate: undefined, isSentAgain: false } as const;
  await decideSending(app, [id], { ...said, ...decision });
  await draftSending(app, [id], { ...wish, kind: 'CANCEL' });
  await sendSigned(app, id, Buffer.from('t2'));
}
