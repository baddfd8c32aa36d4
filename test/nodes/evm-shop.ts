// What the stories on a real EVM node share: the node, whose first account is the customer; tokens at
// the contracts of the catalog; our server as a process of its own that watches it; a shop with a
// live key and an https receiver. A block is final when two more lie on it.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { getAsset } from '#catalog/asset.ts';
import { sql } from '#db/db.ts';
import { custodyBalance } from '#ledger/account.ts';
import { amountFromText } from '#money/asset-amount.ts';
import { balanceCall } from '#networks/evm/evm-tokens.ts';
import type { Committed, WireCheckout } from '#test/support/merchant-client.ts';
import type { ServerProcess } from '#test/support/server-process.ts';
import { type Shop, waitUntil } from '#test/support/shop.ts';
import { type AnvilNode, startAnvil } from './anvil-node.ts';
import { type LiveShop, openLiveShop } from './open-live-shop.ts';
import { waitForCursor } from './wait-for-cursor.ts';

export const ETH = 'ETH:NATIVE';
export const USDC = 'USDC:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
export const DAI = 'DAI:0x6B175474E89094C44Da98b954EedeAC495271d0F';
export const USDT = 'USDT:0xdAC17F958D2ee523a2206206994597C13D831ec7';
export const EURC = 'EURC:0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c';

/** Blocks that make what lies in one before them final. */
export const FINAL_BLOCKS = 2;

export type EvmShop = LiveShop & {
  readonly node: AnvilNode;
  /** A checkout of so much in this asset, committed on Ethereum. */
  open(amount: string, assetId: string): Promise<Committed>;
  /** Into the pool. Gives its hash. */
  pay(committed: Committed, amount: string, assetId: string): Promise<string>;
  /** One block with what waits. */
  include(): Promise<void>;
  /** Until everything up to now is final. */
  finish(): Promise<void>;
  waitForTip(): Promise<void>;
  /** Each chain is offered once it was heard and what was given out before was looked up. */
  untilOffered(networks: readonly string[]): Promise<void>;
  transactionsOf(id: string): Promise<WireCheckout['blockchainTransactions']>;
};

export type EvmShopOptions = {
  /** Laid over; `urls` in front of that of the node. */
  readonly settings?: Readonly<Record<string, string>>;
  /** What is on the chain before our server starts; settings that name it. */
  readonly prepare?: (node: AnvilNode) => Promise<Readonly<Record<string, string>>>;
  readonly firstUrls?: readonly string[];
};

export function openEvmShop(options: EvmShopOptions = {}): Promise<EvmShop> {
  return openLiveShop(async ({ closeLater, startShop }) => {
    const node = await startAnvil();
    closeLater(() => node.stop());
    await deployTokens(node);
    const prepared = await options.prepare?.(node);
    const { server, shop } = await startShop({
      ETHEREUM_RPC_URLS: [...(options.firstUrls ?? []), node.url].join(','),
      ETHEREUM_CHAIN: 'dev',
      ETHEREUM_XPUB: newExtendedPublicKey(),
      ...options.settings,
      ...prepared,
    });
    return { ...shop, ...actsOn(node, server, shop) };
  });
}

/** Of a random seed that is forgotten at once: public derivation is all the tests need. */
export function newExtendedPublicKey(): string {
  return HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/60'/0'").publicExtendedKey;
}

export function contractOf(assetId: string): string {
  return assetId.slice(assetId.indexOf(':') + 1);
}

/** USDC is honest, DAI keeps a fee, USDT lies, and EURC has the wrong decimals. */
async function deployTokens(node: AnvilNode): Promise<void> {
  await node.deploy('Token', 6, contractOf(USDC));
  await node.deploy('FeeToken', 18, contractOf(DAI));
  await node.deploy('LyingToken', 6, contractOf(USDT));
  await node.deploy('Token', 18, contractOf(EURC));
  for (const token of [USDC, DAI, USDT, EURC]) {
    await node.call(contractOf(token), 'mint', [node.payer, 10n ** 30n]);
  }
  await node.mine(1 + FINAL_BLOCKS);
}

export function unitsOf(amount: string, assetId: string): bigint {
  const units = amountFromText(amount, getAsset(assetId).decimals);
  assert(units !== undefined);
  return units;
}

type Listed = {
  readonly networks: readonly { readonly id: string; readonly deposits: boolean }[];
};

function actsOn(node: AnvilNode, server: ServerProcess, shop: Shop) {
  async function waitForTip(): Promise<void> {
    const hash = await node.finalHash();
    await waitForCursor(server, 'live:ETHEREUM', (cursor) => cursor.hash === hash);
  }
  return {
    node,
    server,
    open: (amount: string, assetId: string) =>
      shop.open({ currency: getAsset(assetId).assetCode, amount }, 'ETHEREUM', assetId),
    pay: ({ depositInstructions: { address } }: Committed, amount: string, assetId: string) => {
      const units = unitsOf(amount, assetId);
      return assetId === ETH
        ? node.send({ to: address, value: units })
        : node.call(contractOf(assetId), 'transfer', [address, units]);
    },
    include: () => node.mine(1),
    finish: () => node.mine(FINAL_BLOCKS),
    waitForTip,
    untilOffered: (asked: readonly string[]) =>
      waitUntil(`${asked} to be offered`, async () => {
        const { networks } = await shop.client.get<Listed>('/networks');
        const offered = networks.filter(({ deposits }) => deposits).map(({ id }) => id);
        return asked.every((id) => offered.includes(id));
      }),
    async transactionsOf(id: string) {
      return (await shop.client.findCheckout(id)).blockchainTransactions;
    },
    async checkBooks() {
      await waitForTip();
      for (const assetId of [ETH, USDC, DAI]) {
        const held = await heldOnChain(node, server, assetId);
        await waitUntil(`custody to be the ${held} units of ${assetId} on the chain`, async () => {
          return (await custodyBalance(server.db, 'live:ETHEREUM', assetId)) === held;
        });
      }
      await shop.checkBooks();
    },
  };
}

/** At every address of ours, as of the last final block. */
async function heldOnChain(
  node: AnvilNode,
  server: ServerProcess,
  assetId: string,
): Promise<bigint> {
  const rows = await server.db.query<{ address: string }>(sql`
    select destination as address from deposit_instruction where chain = 'live:ETHEREUM'
    union select destination from address_left_out where chain = 'live:ETHEREUM'`);
  let sum = 0n;
  for (const { address } of rows) {
    const held =
      assetId === ETH
        ? await node.rpc('eth_getBalance', address, 'finalized')
        : await node.rpc('eth_call', balanceCall(contractOf(assetId), address), 'finalized');
    sum += BigInt(String(held));
  }
  return sum;
}
