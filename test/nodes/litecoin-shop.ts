// What the stories on a real Litecoin Core share: the node, whose wallet is the customer's; our
// server as a process of its own that watches it; a shop with a live key and an https receiver.
import assert from 'node:assert/strict';
import { custodyBalance } from '#ledger/account.ts';
import { amountFromText } from '#money/asset-amount.ts';
import type { Committed, WireCheckout } from '#test/support/merchant-client.ts';
import type { ServerProcess } from '#test/support/server-process.ts';
import { type Shop, waitUntil } from '#test/support/shop.ts';
import { type LitecoinNode, newTestAccount, startLitecoinNode } from './litecoin-node.ts';
import { type LiveShop, openLiveShop } from './open-live-shop.ts';
import { waitForCursor } from './wait-for-cursor.ts';

export const LTC = 'LTC:NATIVE';
const chain = 'live:LITECOIN';
/** MWEB becomes active there. */
const heightMost = 431;
const addressesMost = 1000;

export type LitecoinShop = LiveShop & {
  readonly node: LitecoinNode;
  /** A checkout of so many litecoins, committed. */
  open(amount: string): Promise<Committed>;
  /** In block or mempool, and recorded with so many confirmations. */
  waitForConfirmations(id: string, count: number, transaction?: string): Promise<WireCheckout>;
  /** The server has read the chain to the node's tip. */
  waitForTip(): Promise<void>;
  /** Blocks that hold none of the transactions that wait. */
  mineEmpty(count: number): Promise<void>;
  /** To somebody else's address, as the other branch of a reorganisation needs it. */
  mineElsewhere(count: number): Promise<void>;
  /** Spends what the transaction spends, for a higher fee and to somebody else. */
  doubleSpend(transaction: string): Promise<string>;
};

export function openLitecoinShop(): Promise<LitecoinShop> {
  return openLiveShop(async ({ closeLater, startShop }) => {
    const { descriptor } = newTestAccount();
    const node = await startLitecoinNode();
    closeLater(() => node.stop());
    const { server, shop } = await startShop(settingsFor(node, descriptor));
    return { ...shop, ...actsOn(node, server, shop, descriptor) };
  });
}

export function settingsFor(
  { rpcOptions }: LitecoinNode,
  descriptor: string,
): Record<string, string> {
  return {
    LITECOIN_RPC_URL: rpcOptions.url,
    LITECOIN_CHAIN: 'regtest',
    LITECOIN_DESCRIPTOR: descriptor,
    LITECOIN_CONFIRMATIONS: '2/2/2',
  };
}

function actsOn(node: LitecoinNode, server: ServerProcess, shop: Shop, descriptor: string) {
  async function waitForTip(): Promise<void> {
    const hash = await node.bestHash();
    await waitForCursor(server, chain, (cursor) => cursor.hash === hash);
  }
  return {
    node,
    server,
    open: (amount: string) => shop.open({ currency: 'LTC', amount }, 'LITECOIN'),
    waitForConfirmations: (id: string, count: number, transaction?: string) =>
      shop.client.waitFor(id, ({ blockchainTransactions }) =>
        blockchainTransactions.some(
          ({ tx, confirmations }) =>
            confirmations === count && (transaction === undefined || tx === transaction),
        ),
      ),
    waitForTip,
    async mineEmpty(count: number) {
      const address = await node.newAddress();
      for (let made = 0; made < count; made += 1) await node.rpc('generateblock', address, []);
    },
    async mineElsewhere(count: number) {
      await node.mine(count, { toAddress: await node.newAddress() });
    },
    doubleSpend: (transaction: string) => doubleSpend(node, transaction),
    async checkBooks() {
      await waitForTip();
      assert((await node.height()) <= heightMost, 'MWEB is active: use fewer blocks');
      const held = await scanOutputs(node, { desc: descriptor, range: addressesMost });
      assert(typeof held === 'object' && held !== null && 'total_amount' in held);
      const units = amountFromText(String(held.total_amount), 8);
      assert.equal(await custodyBalance(server.db, chain, LTC), units, 'custody is not the chain');
      await shop.checkBooks();
    },
  };
}

/** The node carries out one scan at a time, and our server starts one as well. */
async function scanOutputs(node: LitecoinNode, ours: object): Promise<unknown> {
  let held: unknown;
  await waitUntil('the node to be done with the scan of our server', async () => {
    held = await node.rpc('scantxoutset', 'start', [ours]).catch((error: unknown) => {
      assert.match(String(error), /Scan already in progress/);
    });
    return held !== undefined;
  });
  return held;
}

/** A miner takes it instead: the node accepts what pays a higher fee (BIP-125). */
async function doubleSpend(node: LitecoinNode, transaction: string): Promise<string> {
  const { vin } = await getTransaction(node, transaction);
  const inputs = vin.map(({ txid, vout }) => ({ txid, vout }));
  const spent = await Promise.all(
    inputs.map(async ({ txid, vout }) => {
      const output = (await getTransaction(node, txid)).vout[vout];
      const units = amountFromText(String(output?.value), 8);
      assert(units !== undefined);
      return units;
    }),
  );
  const feeUnits = 200_000n;
  const units = spent.reduce((sum, one) => sum + one, 0n) - feeUnits;
  const amount = `${units / 100_000_000n}.${String(units % 100_000_000n).padStart(8, '0')}`;
  const outputs = { [await node.newAddress()]: amount };
  const raw = await node.rpc('createrawtransaction', inputs, outputs, 0, true);
  const signed = await node.rpc('signrawtransactionwithwallet', raw);
  assert(typeof signed === 'object' && signed !== null && 'hex' in signed);
  return String(await node.rpc('sendrawtransaction', signed.hex, 0));
}

type RawTransaction = {
  readonly vin: readonly { readonly txid: string; readonly vout: number }[];
  readonly vout: readonly { readonly value: unknown }[];
};

async function getTransaction(node: LitecoinNode, transaction: string): Promise<RawTransaction> {
  return (await node.rpc('getrawtransaction', transaction, true)) as RawTransaction;
}
